import Base
import Catalog
import Gallery
import Glibc
import Pixels
import Playback

/// What a slideshow answers to the player, during a wait, and at its end.
extension Slideshow {
    /// The longest wait for an item in nanoseconds; nil for no limit.
    /// - Parameter tried: see ``ItemSearch/tried``.
    func timeout(_ tried: NextItem) -> Int64? {
        if list.isFeed { return waitsForItems ? nil : Span.second }
        return awaitsNext && !list.isOfResults && tried.remaining.count > 1 ? settings.switchInterval : nil
    }

    /// A time limit ends an item of an endless list only when the next one is ready.
    /// - Parameter next: the search for the next item; nil if there is none.
    func mayEnd(next: ItemSearch.State?) -> Bool {
        !list.isEndless || nextRequest == nil || next == nil || next == .ready
    }

    /// - Returns: the exit status, and the messages to print once the terminal is restored.
    func result(_ end: PlaybackEnd, errors others: [Failure], remarks: [String]) -> (ExitStatus, [String]) {
        // Once a GIF has played, failures of search results and of an endless list are of no interest.
        let failures = shownCount > 0 && (list.isOfResults || list.isEndless) ? [] : failures
        let hasShownNothing = waitsForItems && shownCount == 0
        let problem = hasShownNothing ? feed?.problem.flatMap { $0.kind == .nothingFound ? nil : $0 } : nil
        let errors = failures + errors + others + [problem?.of("--follow")].compactMap(\.self)
        let status: ExitStatus =
            switch end {
            case .interrupted(let signal): .signal(signal)
            // The terminal has disconnected: exit as for SIGHUP.
            case .closed: .signal(SIGHUP)
            default: errors.isEmpty ? .success : .failure
            }
        let isWaiting = hasShownNothing && problem == nil && !settings.player.showsStatus
        let waitingText = isWaiting ? [feed?.waitingText(in: .english)].compactMap(\.self) : []
        return (status, errors.map(\.message) + self.remarks + remarks + waitingText)
    }

    /// - Parameters:
    ///   - tried: see ``ItemSearch/tried``.
    ///   - download: why nothing arrives; nil if there is no download that waits.
    func waitingText(_ tried: NextItem, _ download: String?) -> String {
        let title = awaited?.search == nil ? tried.remaining.first?.title : nil
        if let download { return title.map { "\($0): \(download)" } ?? download }
        if let search = list.search, shownCount == 0 || waitsForItems { return search.waitingText(in: language) }
        guard let title else { return language(en: "loading…", de: "lädt …") }
        return language(en: "loading \(title)…", de: "lädt \(title) …")
    }

    /// As ``refusal(of:next:)``, while an item is waited for.
    func refusal(of kind: PlaybackEnd.ItemSwitch, awaiting tried: NextItem) -> String? {
        guard awaitsNext else { return kind == .reload ? nil : refusal(of: kind, next: nil) }
        let isEnd = list.search == nil && tried.remaining.count < 2
        switch kind {
        case .reload: return waitingText(tried, nil)
        case .next where list.isSingle, .previous where list.isSingle: return onlyItem
        case .previous: return shownItem == nil ? language.sentence(.first) : nil
        case .next where waitsForItems, .random where waitsForItems: return noNewerItem
        case .next: return isEnd ? language.sentence(.last) : nil
        case .random: return nil
        }
    }

    private var onlyItem: String {
        language(en: "no other GIF · r: random GIF", de: "kein anderes GIF · r: zufälliges GIF")
    }

    /// The keys of the player without that for a random GIF.
    var followedHelp: [KeySheet.Group] {
        [KeySheet.Group].all(in: .player, language).map { group in
            KeySheet.Group(group.title, group.rows.filter { $0.keys != "r" })
        }
    }

    private var noNewerItem: String { language(en: "no newer GIF", de: "kein neueres GIF") }

    /// A note about the present item: "" for none at present, nil if no more notes will follow.
    /// - Parameters:
    ///   - notice: a report of the session.
    ///   - next: the search for the next item; nil if there is none.
    mutating func note(
        on fetched: FetchedItem, _ notice: Notices.Notice?, next: ItemSearch.State?, _ graphics: TerminalGraphics,
        at now: Instant
    ) -> String? {
        let staleness = fetched.staleness.map(language.note)
        // They are about the next GIF, and not about one to which the user has returned.
        let feedNote = list.isAtLastShown && !goesBack ? connectionNote ?? feed?.problem.map(language.line) : nil
        if let note = notice.map(language.statusNote) ?? feedNote ?? staleness { return note }
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
        if kind != .random, list.isSingle || isEnd && list.count == 1 { return onlyItem }
        if isEnd { return language.sentence(.last) }
        if kind == .previous, list.isAtFirst { return language.sentence(.first) }
        let isLast = list.isAtLastShown
        if waitsForItems, kind != .previous, isLast, next != .ready { return noNewerItem }
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
    /// The note about a key without a command.
    func refusal(of key: Key) -> String {
        let character: Character? = if case .character(let character) = key { character } else { nil }
        return sentence(.unknownKey(character))
    }

    /// How old a stored GIF is, and why it is played.
    func note(_ staleness: FetchedItem.Staleness) -> String {
        let age = staleness.seconds.map(age).map { self(en: "stored \($0)", de: "\($0) gespeichert") }
        let reason = (staleness.reason?.withoutWait).map(line)
        return (age ?? self(en: "stored earlier", de: "früher gespeichert")) + (reason.map { " · \($0)" } ?? "")
    }

    func statusNote(_ notice: Notices.Notice) -> String {
        self(en: ErrorMessages.describe(notice), de: sentence(GalleryMessage(notice)))
    }
}
