import Base
import Catalog
import Gallery
import Pixels
import Playback

/// What a slideshow says on the status line.
extension Slideshow {
    /// A note about the present item: "" for none at present, nil if no more notes will follow.
    /// - Parameters:
    ///   - notice: a report of the session.
    ///   - next: the search for the next item; nil if there is none.
    mutating func note(
        on fetched: FetchedItem, _ notice: Notices.Notice?, next: ItemSearch.State?, _ graphics: TerminalGraphics,
        at now: Instant
    ) -> String? {
        let staleness = fetched.staleness.map(language.note)
        if let note = notice.map(language.statusNote) ?? connectionNote ?? feed?.problem ?? staleness { return note }
        let isHint = settings.player.graphics == .off
        let refusal = isHint ? nil : graphicsNote(graphics, at: now)
        if let refusal, !refusal.isEmpty { return refusal }
        // A terminal that does not report its graphics must not hide the progress of the download.
        return DownloadNote.text(fetched.download, in: language) ?? (isHint ? graphicsNote(graphics, at: now) : refusal)
            ?? (awaitsFeed(next) || waitsForItems ? "" : nil)
    }

    /// Why the terminal does not show the graphics that the user chose.
    func graphicsRefusal(_ graphics: TerminalGraphics) -> String? {
        graphics.refusal(of: settings.player.graphics, in: language)
    }

    /// For the first five seconds after the terminal has reported its graphics: ``graphicsRefusal(_:)``, or if no graphics
    /// were chosen, the key that chooses them. "" until the terminal has reported them.
    private mutating func graphicsNote(_ graphics: TerminalGraphics, at now: Instant) -> String? {
        guard graphicsNoteEnd.map({ now < $0 }) ?? true else { return nil }
        let hasHint = settings.player.showsKeyHint
        let note: String?
        switch settings.player.graphics {
        case .only where graphics.awaited?.isEmpty == true: note = graphicsRefusal(graphics)
        case .off where hasHint && graphics.isUsable: note = language.sentence(.sharperPictures)
        case .off where !hasHint, .auto, .forced: return nil
        case .only, .off: return graphics.awaited?.isEmpty == false ? "" : nil
        }
        graphicsNoteEnd = graphicsNoteEnd ?? now + 5 * Span.second
        return note
    }

    /// The note if there is no other item to switch to; nil if there is one.
    func refusal(of kind: PlaybackEnd.ItemSwitch, next: ItemSearch.State?) -> String? {
        if kind == .reload {
            // The picture stays until its server has sent another one.
            guard waitsForItems, shownItem?.needsDownload == true else { return nil }
            return language(en: "loading…", de: "lädt …")
        }
        let isSearched = list.search == nil || next == .nothingFound
        let isEnd = kind == .next && isSearched && !list.isEndless && list.upcoming.isEmpty
        if kind != .random, list.isSingle || isEnd && list.count == 1 {
            return language(en: "no other GIF · r: random GIF", de: "kein anderes GIF · r: zufälliges GIF")
        }
        if isEnd { return language.sentence(.last) }
        if kind == .previous, list.isAtFirst { return language.sentence(.first) }
        let isLast = list.isAtLastShown
        if waitsForItems, kind != .previous, isLast, next != .ready {
            return language(en: "no newer GIF", de: "kein neueres GIF")
        }
        guard kind == .random || kind == .next && isLast, awaitsFeed(next) else { return nil }
        return connectionNote
    }

    /// Whether the feed must ask its server at once, because the user wants another item.
    func asksAgain(_ kind: PlaybackEnd.ItemSwitch, isRefused: Bool) -> Bool {
        kind == .reload ? isRefused : kind == .random && !(waitsForItems && isRefused)
    }

    /// Whether the next item of a feed is not ready, so that a message about the connection can follow.
    private func awaitsFeed(_ next: ItemSearch.State?) -> Bool {
        list.isFeed && !waitsForItems && next != nil && next != .ready
    }

    private var connectionNote: String? {
        guard lacksConnection else { return nil }
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
