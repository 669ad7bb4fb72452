import Base
import Catalog

extension GalleryState {
    /// Performs all scheduled actions that are due.
    mutating func performDueActions() -> [GalleryEffect] {
        var effects: [GalleryEffect] = []
        if let moment = notice.deadline, moment <= now {
            notice = .none
            if !pendingMessages.isEmpty { showMessage(pendingMessages.removeFirst()) }
        }
        if let moment = searchSchedule.deadline, moment <= now { effects += searchNow() }
        if let moment = listing.loading.deadline, moment <= now { effects += loadFirstPage(.background) }
        if let moment = screensaver.deadline, moment <= now {
            let ticket = newTicket()
            screensaver = .loading(ticket: ticket, shown: screensaver.shown)
            effects.append(.loadRandom(ticket: ticket))
        }
        return effects
    }

    /// The next time at which the waiting time in the displayed error decreases by one second; nil if no waiting time
    /// is displayed.
    var nextCount: Instant? {
        guard case .failed(_, _, let since) = listing.loading, case .failed(let error) = phase, showsPhase else {
            return nil
        }
        guard sentence(error) != sentence(error.afterWaiting(.max)) else { return nil }
        return since + ((now - since) / Span.second + 1) * Span.second
    }

    /// Whether the panel or the status line of the gallery displays the state of the listing.
    private var showsPhase: Bool {
        guard !mode.isFull, screensaver.shown == nil else { return false }
        return items.isEmpty || notice == .none && pane.status != nil
    }

    /// Stops the screensaver and restarts its timer after any input from the keyboard or the mouse.
    /// - Returns: whether the screensaver was playing, and the effects to perform. If the screensaver was playing, the
    ///   caller ignores the input, except for keys that have the same meaning in every mode.
    mutating func handleActivity() -> (wasPlaying: Bool, effects: [GalleryEffect]) {
        let wasPlaying = screensaver.shown != nil
        let effects = endScreensaver()
        return (wasPlaying, effects)
    }

    /// Schedules the screensaver if it may start in this state, and stops it otherwise.
    mutating func updateScreensaver() -> [GalleryEffect] {
        guard let idle = options.screensaverDelay, isIdlePossible else { return endScreensaver() }
        if screensaver == .off { screensaver = .due(at: now + idle) }
        return []
    }

    private mutating func endScreensaver() -> [GalleryEffect] {
        defer { screensaver = .off }
        guard case .loading(let ticket, _) = screensaver else { return [] }
        return [.cancel(ticket: ticket)]
    }

    /// Whether the screensaver may start. The mode must be the gallery or the search field, the feed must be a trending
    /// feed, the query must be empty, and the option for reduced motion must be off.
    private var isIdlePossible: Bool {
        guard !options.reducesMotion, listing.feed.isTrending, field.query.isEmpty else {
            return false
        }
        return mode == .typing || mode == .browsing
    }
}
