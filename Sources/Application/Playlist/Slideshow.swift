import Base
import Catalog
import Gallery
import Glibc
import Pixels
import Playback

/// Decides which GIF plays next, and how: a value without terminal, thread or clock, whose actions ``SlideshowLoop`` does.
struct Slideshow {
    enum Action {
        /// Find the first item of the request that can be played.
        case find(ItemRequest)
        /// As ``find(_:)``, but leave what its search is downloading.
        case skip(ItemRequest)
        /// Begin to decode the item.
        case open(FetchedItem)
        /// Play the opened item.
        case play
        /// Play the present item again, or the last one that has finished.
        case again(isFinished: Bool)
        /// Make a list of random GIFs.
        case chooseRandomly
        /// Lend the terminal to the gallery.
        case browse
        case end(PlaybackEnd)
    }

    enum Event {
        case begun
        /// The search of ``Action/find(_:)`` has ended.
        case found(NextItem)
        /// It has not ended within ``timeout(_:)``.
        case late(NextItem)
        /// The user, a signal or the terminal has ended the wait for it.
        case waitEnded(PlaybackEnd, NextItem)
        case opened(GIFReference)
        case cannotOpen(GIFReference, GIFError)
        /// - Parameters:
        ///   - damage: the remark on the damage of the file; nil if there is none.
        ///   - prefetched: what the search for the item after it has found; nil if it has not ended.
        case ended(PlaybackEnd, of: FetchedItem, damage: String? = nil, prefetched: NextItem? = nil)
        case randomList(Playlist)
        case browsed(Result<GallerySession.Outcome, Failure>)
    }

    let settings: Settings
    /// Whether it is the screensaver of the gallery.
    let isScreensaver: Bool
    private(set) var list: Playlist
    private(set) var shownCount = 0
    private(set) var shownItem: GIFReference?
    /// The last item that has finished since the user has last switched.
    private var finishedItem: GIFReference?
    /// What is being searched for; nil while an item plays.
    private(set) var awaited: ItemRequest?
    /// Whether that is the item after the present one.
    private(set) var awaitsNext = false
    private var consecutiveFailures = 0
    private var hasBegun = false
    /// Whether no item after the present one can be opened.
    private var isAtEnd = false
    private var isRequestedByUser = false
    /// Whether the last switch went to the previous item.
    private(set) var goesBack = false
    private var generator = SystemRandomNumberGenerator()
    /// The time at which the note about the terminal's graphics disappears; nil before it is shown.
    var graphicsNoteEnd: Instant?

    // For standard error.
    /// Items that could not be played.
    private(set) var failures: [Failure] = []
    /// Other failures: downloads that ended early, and a gallery that could not be opened.
    private(set) var errors: [Failure] = []
    /// Defects and losses that do not change the exit status, such as the damage of a file that was played anyway.
    private(set) var remarks: [String] = []

    init(_ list: Playlist, _ settings: Settings, isScreensaver: Bool = false) {
        (self.list, self.settings, self.isScreensaver) = (list, settings, isScreensaver)
    }

    // MARK: - State

    var language: Language { settings.screenLanguage }
    var feed: (any ItemFeed)? { list.search?.feed }
    /// Whether items arrive at any time, and the present one stays until then.
    var waitsForItems: Bool { feed?.waitsForItems == true }
    /// Whether there is no connection, and something waits for it.
    var lacksConnection: Bool { feed?.retryTime != nil }

    private var position: ListPosition {
        list.isEndless ? .feed : isAtEnd || list.isOfResults || list.upcoming.isEmpty ? .last : .inList
    }

    /// For the item after the present one, which can be prefetched; nil if there is none.
    var nextRequest: ItemRequest? {
        guard !list.needsNoDownload, list.search != nil || !list.upcoming.isEmpty else { return nil }
        return ItemRequest(candidates: list.upcoming, search: list.search, needsAllBytes: list.isEndless)
    }

    /// How the present item plays.
    func options(_ drawing: Drawing?) -> PlaybackOptions {
        var options = settings.options(for: position)
        (options.drawing, options.language) = (drawing ?? options.drawing, language)
        if waitsForItems { (options.hold, options.help) = (.all, followedHelp) }
        if isScreensaver { options.view = .screensaver }
        if isScreensaver || shownCount > 0 { options.showsKeyHint = false }
        options.refusesStills = shownItem?.origin == .source
        options.firstImage = PlaybackOptions.firstImage(number: shownCount)
        return options
    }

    // MARK: - Decisions

    mutating func next(after event: Event) -> Action {
        switch event {
        case .begun: return advance(.next)
        case .found(let next): return take(next)
        case .late(let tried): return nextIfLate(tried)
        case .waitEnded(.browse, _): return .browse
        case .waitEnded(.switchItem(let direction), let tried): return leave(tried, direction)
        case .waitEnded(let end, let tried):
            record(tried.failures)
            return .end(end)
        case .opened(let item):
            shownItem = item
            return .play
        case .cannotOpen(let item, let error):
            recordFailure(Failure(error).of(item.name))
            return continuesAfterFailure ? passBroken() : repeatItem()
        case .ended(let end, let fetched, let damage, let prefetched):
            record(end, fetched, damage)
            return next(after: end, prefetched)
        case .randomList(let random):
            list.continue(with: random)
            return advance(.random)
        case .browsed(.success(let (end, losses, remarks))):
            errors += losses
            self.remarks += remarks
            return next(after: end)
        case .browsed(.failure(let error)):
            errors.append(error)
            return .end(.quit)
        }
    }

    private mutating func next(after end: PlaybackEnd, _ prefetched: NextItem?) -> Action {
        isRequestedByUser = false
        switch end {
        case .finished:
            finishedItem = shownItem
            return list.isOfResults ? .end(end) : advance(.next)
        case .switchItem(let direction):
            (finishedItem, isRequestedByUser) = (nil, true)
            // The prefetched item of a feed follows the shown ones, so it stays prefetched.
            if let prefetched, direction == .previous || direction == .random, !list.isFeed { list.keep(prefetched) }
            return direction == .random && list.isSingle ? .chooseRandomly : advance(direction)
        case .failed, .still: return continuesAfterFailure ? passBroken() : .end(.finished)
        case .browse: return .browse
        case .quit, .interrupted, .closed: return .end(end)
        }
    }

    /// Continues when the user leaves the gallery.
    private func next(after end: GalleryEnd) -> Action {
        switch end {
        case .quit, .picked: awaited.map { .find($0) } ?? .again(isFinished: false)
        case .interrupted(let signal): .end(.interrupted(signal: signal))
        case .closed: .end(.closed)
        }
    }

    private mutating func take(_ next: NextItem) -> Action {
        awaited = nil
        if awaitsNext { list.advance(to: next) }
        if next.fetched == nil || !list.isOfResults { record(next.failures) }
        if let fetched = next.fetched { return open(fetched) }
        // An item of a feed that was shown before cannot be loaded again.
        return list.isFeed && !awaitsNext ? advance(.next) : repeatItem()
    }

    /// Leaves the item that is waited for. A search goes on with its other candidates.
    private mutating func leave(_ tried: NextItem, _ direction: PlaybackEnd.ItemSwitch) -> Action {
        isRequestedByUser = true
        guard awaitsNext else { return advance(direction) }
        if direction == .previous { return .again(isFinished: false) }
        if let awaited, awaited.search != nil, direction == .next || list.isFeed || list.count < 2 {
            return .skip(awaited)
        }
        if !tried.remaining.isEmpty { pass(tried) }
        return direction == .random && list.isSingle ? .chooseRandomly : advance(direction)
    }

    /// Takes the first remaining item for shown, so that a key can return to it.
    private mutating func pass(_ tried: NextItem) {
        var passed = tried
        passed.fetched = FetchedItem(passed.remaining.removeFirst())
        list.advance(to: passed)
        record(passed.failures)
    }

    /// A slow file does not block the next ones of its list. A feed shows a built-in sample until its first item has
    /// arrived. Later, the present item plays again if there is no connection.
    private mutating func nextIfLate(_ tried: NextItem) -> Action {
        if !list.isFeed, let late = tried.remaining.first {
            pass(tried)
            record([Failure("not loaded within \(Double(settings.switchInterval / 100_000_000) / 10) s").of(late.name)])
            return advance(.next)
        }
        if let awaited, shownCount > 0, !lacksConnection { return .find(awaited) }
        awaited = nil
        guard shownCount == 0, let sample = Sample.all.randomElement() else { return repeatItem(isLate: true) }
        return open(FetchedItem(.sample(sample)))
    }

    /// Goes on in the direction of the last key.
    private mutating func passBroken() -> Action { advance(goesBack && !list.isAtFirst ? .previous : .next) }

    /// An endless list must end if none of its items can be played.
    private var continuesAfterFailure: Bool {
        list.search != nil || consecutiveFailures < list.count || !list.isEndless
    }

    private mutating func advance(_ direction: PlaybackEnd.ItemSwitch) -> Action {
        goesBack = direction == .previous
        switch direction {
        case .next where list.needsNoDownload || list.isEndless && !(list.isFeed && list.isAtLastShown):
            return open(list.next(&generator))
        case .next:
            let choice = hasBegun ? .first : list.choice
            hasBegun = true
            return find(ItemRequest(candidates: list.upcoming, search: list.search, choice: choice), isNext: true)
        case .previous: return open(list.previous())
        case .random where list.isFeed:
            list.skipShown()
            return advance(.next)
        case .random: return open(list.random(&generator))
        case .reload: return open(shownItem?.isPipe == true ? nil : shownItem, isReload: true)
        }
    }

    private mutating func find(_ request: ItemRequest, isNext: Bool) -> Action {
        (awaited, awaitsNext) = (request, isNext)
        return .find(request)
    }

    private mutating func open(_ item: GIFReference?, isReload: Bool = false) -> Action {
        guard let item else { return repeatItem() }
        guard item.needsDownload else { return open(FetchedItem(item)) }
        return find(ItemRequest(candidates: [item], isReload: isReload), isNext: false)
    }

    private mutating func open(_ fetched: FetchedItem) -> Action {
        isAtEnd = false
        return .open(fetched)
    }

    /// After the last item, the key 'n' shows that item again. The last one that has finished is held.
    private mutating func repeatItem(isLate: Bool = false) -> Action {
        isAtEnd = true
        let holdsLast = settings.options(for: .last).hold == .all && !list.isEndless
        let held = waitsForItems || holdsLast ? finishedItem : nil
        guard shownItem != nil, isRequestedByUser || isLate || held != nil else { return .end(.finished) }
        shownItem = held ?? shownItem
        return .again(isFinished: held != nil)
    }

    // MARK: - Outcomes

    private mutating func record(_ end: PlaybackEnd, _ fetched: FetchedItem, _ damage: String?) {
        let (item, failure) = (fetched.item, fetched.downloadFailure ?? (end == .finished ? fetched.stall : nil))
        // If the download failed, that error is reported instead of the damage.
        if let damage, failure == nil, !list.isEndless, case let remark = "\(item.name): \(damage)",
            !remarks.contains(remark)
        {
            remarks.append(remark)
        }
        switch end {
        case .failed(let error): recordFailure(fetched.failure(for: error))
        case .still: recordFailure(.notAnimated.of(item.name))
        default:
            shownCount += 1
            consecutiveFailures = 0
            // In an endless list, a failed download is not reported, because the user no longer knows which GIF it was.
            guard let failure, !list.isEndless else { break }
            errors.append(failure.of(item.name).adding("what arrived before that was played"))
        }
    }

    private mutating func recordFailure(_ failure: Failure) {
        record([failure])
        consecutiveFailures += 1
    }

    /// Ignores failures of an endless list that has shown an item, because they would accumulate for days.
    private mutating func record(_ failures: [Failure]) {
        guard !list.isEndless || shownCount == 0 else { return }
        // A key can return to an item that was reported.
        self.failures += failures.filter { !self.failures.contains($0) }
    }
}

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
        let isHint = settings.player.drawing.graphics == .off
        let refusal = isHint ? nil : graphicsNote(graphics, at: now)
        if let refusal, !refusal.isEmpty { return refusal }
        // A terminal that does not report its graphics must not hide the progress of the download.
        return DownloadNote.text(fetched.download, in: language) ?? (isHint ? graphicsNote(graphics, at: now) : refusal)
            ?? (awaitsFeed(next) || waitsForItems ? "" : nil)
    }

    /// Why the terminal does not show the graphics that the user chose.
    func graphicsRefusal(_ graphics: TerminalGraphics) -> String? {
        graphics.refusal(of: settings.player.drawing.graphics, in: language)
    }

    /// For the first five seconds after the terminal has reported its graphics: ``graphicsRefusal(_:)``, or if no graphics
    /// were chosen, the key that chooses them. "" until the terminal has reported them.
    private mutating func graphicsNote(_ graphics: TerminalGraphics, at now: Instant) -> String? {
        guard graphicsNoteEnd.map({ now < $0 }) ?? true else { return nil }
        let hasHint = settings.player.showsKeyHint
        let note: String?
        switch settings.player.drawing.graphics {
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
