import Base
import Catalog
import Gallery
import Pixels
import Playback

/// Answers the questions of the player.
extension SlideshowLoop: PlayerDelegate {
    var language: Language { settings.screenLanguage }

    /// A time limit ends playback only when the next item is ready.
    func mayEnd() -> Bool {
        !(slideshow.list.isEndless && slideshow.hasNext) || prefetch?.isReady ?? true
    }

    func perform(_ action: ItemAction) -> ActionResult? { present.map { actions.perform(action, on: $0.fetched) } }

    func takeOutcome() -> ActionResult? { actions.takeOutcome() }

    func refusal(of key: Key) -> String? {
        let character: Character? = if case .character(let character) = key { character } else { nil }
        return language.sentence(.unknownKey(character))
    }

    func choose(_ drawing: Drawing) { self.drawing = drawing }

    func handle(_ event: TerminalEvent) -> PlaybackEnd? {
        if event == .wake { prefetch?.prepare() }
        guard isScreensaver, event != .wake else { return nil }
        leavingEvent = event
        return .quit
    }

    var file: [UInt8]? { present?.fetched.bytes(limit: ITerm2Encoder.largestFile) }

    /// Adds the item to the history once. The first call comes half a second after its start, because opening the
    /// library would delay the first picture. A screensaver has no viewer.
    func markViewed(_ openItem: OpenItem) {
        guard !openItem.isViewed, !settings.player.anyKeyEnds, !isScreensaver else { return }
        openItem.isViewed = true
        actions.markViewed(openItem.item)
    }

    // MARK: - Notes

    func currentNote() -> String? {
        guard let present else { return nil }
        markViewed(present)
        let notice = session.notices.current(at: terminal.now)
        if let note = notice.map(language.statusNote) ?? connectionNote { return note }
        if let problem = slideshow.feed?.problem { return problem }
        if let staleness = present.fetched.staleness { return language.note(staleness) }
        let isHint = settings.player.graphics == .off
        let refusal = isHint ? nil : graphicsNote()
        if let refusal, !refusal.isEmpty { return refusal }
        // A terminal that does not report its graphics must not hide the progress of the download.
        return DownloadNote.text(present.fetched.download, in: language) ?? (isHint ? graphicsNote() : refusal)
            ?? (awaitsFeed || slideshow.waitsForItems ? "" : nil)
    }

    /// Why the terminal does not show the graphics that the user chose.
    var graphicsRefusal: String? { terminal.traits.graphics.refusal(of: settings.player.graphics, in: language) }

    /// For the first five seconds after the terminal has reported its graphics: ``graphicsRefusal``, or if no graphics were
    /// chosen, the key that chooses them. "" until the terminal has reported them.
    private func graphicsNote() -> String? {
        guard graphicsNoteEnd.map({ terminal.now < $0 }) ?? true else { return nil }
        let (graphics, hasHint) = (terminal.traits.graphics, settings.player.showsKeyHint)
        let note: String?
        switch settings.player.graphics {
        case .only where graphics.awaited?.isEmpty == true: note = graphicsRefusal
        case .off where hasHint && graphics.isUsable: note = language.sentence(.sharperPictures)
        case .off where !hasHint, .auto, .forced: return nil
        case .only, .off: return graphics.awaited?.isEmpty == false ? "" : nil
        }
        graphicsNoteEnd = graphicsNoteEnd ?? terminal.now + 5 * Span.second
        return note
    }

    // MARK: - Refusals

    func refusal(of kind: PlaybackEnd.ItemSwitch) -> String? {
        if kind == .reload {
            guard slideshow.waitsForItems, slideshow.shownItem?.needsDownload == true else { return nil }
            // The picture stays until its server has sent another one.
            slideshow.feed?.retryNow()
            return language(en: "loading…", de: "lädt …")
        }
        let list = slideshow.list
        // The search for the next item has ended without one.
        let isSearched = list.search == nil || prefetch?.nextItem.map { $0.fetched == nil } == true
        let isEnd = kind == .next && isSearched && !list.isEndless && list.upcoming.isEmpty
        if kind != .random, list.isSingle || isEnd && list.count == 1 {
            return language(en: "no other GIF · r: random GIF", de: "kein anderes GIF · r: zufälliges GIF")
        }
        if isEnd { return language.sentence(.last) }
        if kind == .previous, list.isAtFirst { return language.sentence(.first) }
        let isLast = list.isAtLastShown
        if slideshow.waitsForItems, kind != .previous, isLast, prefetch?.isReady != true {
            return language(en: "no newer GIF", de: "kein neueres GIF")
        }
        guard kind == .random || kind == .next && isLast, awaitsFeed, let connectionNote else { return nil }
        if kind == .random { slideshow.feed?.retryNow() }
        return connectionNote
    }

    /// Whether the next item of a feed is not ready, so that a message about the connection can follow.
    private var awaitsFeed: Bool {
        slideshow.list.isFeed && !slideshow.waitsForItems && prefetch?.isReady == false
    }

    private var connectionNote: String? {
        guard slideshow.lacksConnection else { return nil }
        if CurlHTTPClient.isMissing { return language.sentence(.noConnection) }
        return language(en: "no network; r tries again", de: "kein Netz; r: neuer Versuch")
    }
}

extension Language {
    /// How old a stored GIF is, and why it is played.
    func note(_ staleness: FetchedItem.Staleness) -> String {
        let age = staleness.seconds.map(age).map { self(en: "stored \($0)", de: "\($0) gespeichert") }
        let reason = staleness.reason?.withoutWait.text.line
        return (age ?? self(en: "stored earlier", de: "früher gespeichert")) + (reason.map { " · \($0)" } ?? "")
    }

    func statusNote(_ notice: Notices.Notice) -> String {
        self(en: ErrorMessages.describe(notice), de: sentence(GalleryMessage(notice)))
    }
}
