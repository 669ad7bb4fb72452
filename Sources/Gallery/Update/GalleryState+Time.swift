import Base
import Catalog

extension GalleryState {
    /// Does what is due by now, however much that is.
    mutating func elapse() -> [GalleryEffect] {
        var effects: [GalleryEffect] = []
        if let moment = notice.deadline, moment <= now {
            notice = .none
            if !waitingNotices.isEmpty { say(waitingNotices.removeFirst()) }
        }
        if let moment = typing.deadline, moment <= now { effects += searchAtOnce() }
        if let moment = listing.loading.deadline, moment <= now { effects += ask(.quiet) }
        if let moment = screensaver.deadline, moment <= now {
            let ticket = newTicket()
            screensaver = .asking(ticket: ticket, shown: screensaver.shown)
            effects.append(.randomTurn(ticket: ticket))
        }
        return effects
    }

    /// When the wait in the displayed error is a second shorter; nil while none is displayed.
    var nextCount: Instant? {
        guard case .failed(_, _, let since) = listing.loading, case .failed(let error) = phase, showsPhase else {
            return nil
        }
        guard sentence(error) != sentence(error.later(by: .max)) else { return nil }
        return since + ((now - since) / Span.second + 1) * Span.second
    }

    /// Whether the panel or the status line of the gallery says how it stands with the listing.
    private var showsPhase: Bool {
        guard !mode.isFull, screensaver.shown == nil else { return false }
        return items.isEmpty || notice == .none && pane.status != nil
    }

    /// A key or the mouse was used: the screensaver waits anew.
    /// - Returns: whether it was playing; then all that the touch does is to end that.
    mutating func touch() -> (wasPlaying: Bool, effects: [GalleryEffect]) {
        let wasPlaying = screensaver.shown != nil
        let effects = endScreensaver()
        return (wasPlaying, effects)
    }

    /// Has the screensaver on where nothing else is going on, and only there.
    mutating func settleScreensaver() -> [GalleryEffect] {
        guard let idle = options.idle, isIdlePossible else { return endScreensaver() }
        if screensaver == .off { screensaver = .due(at: now + idle) }
        return []
    }

    private mutating func endScreensaver() -> [GalleryEffect] {
        defer { screensaver = .off }
        guard case .asking(let ticket, _) = screensaver else { return [] }
        return [.cancel(ticket: ticket)]
    }

    /// Without words, in the gallery and with motion wanted, GIFs come by themselves.
    private var isIdlePossible: Bool {
        guard !options.reducesMotion, listing.feed.isTrending, field.words.isEmpty else {
            return false
        }
        return mode == .typing || mode == .browsing
    }
}
