import Base
import Catalog
import Pixels
import Playback

/// Decides which GIF plays next. A value without a terminal, a thread or a clock: ``SlideshowLoop`` carries out its
/// decisions, and reports the outcomes to it.
struct Slideshow {
    enum Action {
        /// Find the first item of the request that can be played. If `isNext` is true, it is the item after the present
        /// one, which can be prefetched.
        case find(ItemRequest, isNext: Bool)
        /// Open the item, and play it.
        case open(FetchedItem)
        /// Play the present item again, or the last one that has finished.
        case again(isFinished: Bool)
        /// Lend the terminal to the gallery, and then play the present item again.
        case browse
        case end(PlaybackEnd)
    }

    var list: Playlist
    var report = SlideshowReport()
    private(set) var shownCount = 0
    private(set) var shownItem: GIFReference?
    /// Whether the last frame of the last item stays on the screen.
    private let holdsLast: Bool
    /// Whether an item has finished since the user has last switched.
    private var hasFinished = false
    private var consecutiveFailures = 0
    private var hasBegun = false
    /// Whether no item after the present one can be opened.
    private var isAtEnd = false
    private var isRequestedByUser = false
    /// Whether the last switch went to the previous item.
    private var goesBack = false
    private var generator = SystemRandomNumberGenerator()

    init(_ list: Playlist, holdsLast: Bool) { (self.list, self.holdsLast) = (list, holdsLast) }

    // MARK: - State

    var feed: (any ItemFeed)? { list.search?.feed }
    /// Whether items arrive at any time, and the present one stays until then.
    var waitsForItems: Bool { feed?.waitsForItems == true }
    /// Whether there is no connection, and something waits for it.
    var lacksConnection: Bool { feed?.retryTime != nil }
    /// Whether an item can be prefetched.
    var hasNext: Bool { !list.needsNoDownload && (list.search != nil || !list.upcoming.isEmpty) }

    var position: ListPosition {
        list.isEndless ? .feed : isAtEnd || list.isOfResults || list.upcoming.isEmpty ? .last : .inList
    }

    /// For the item after the present one.
    var nextRequest: ItemRequest {
        ItemRequest(candidates: list.upcoming, search: list.search, needsAllBytes: list.isEndless)
    }

    /// The longest wait for an item in nanoseconds; nil for no limit.
    var timeout: Int64? { list.isFeed && !waitsForItems ? Span.second : nil }

    /// Whether ``nextIfLate()`` applies after the timeout, so that the wait does not begin again.
    var mayEndWait: Bool { shownCount == 0 || lacksConnection }

    /// Whether failures are reported: once a GIF has played, not those of search results or of an endless list.
    var reportsFailures: Bool { !(list.isOfResults || list.isEndless) || shownCount == 0 }

    // MARK: - Decisions

    mutating func start() -> Action { advance(.next) }

    mutating func begin(_ item: GIFReference) { shownItem = item }

    mutating func next(after end: PlaybackEnd, of fetched: FetchedItem) -> Action {
        record(end, fetched)
        isRequestedByUser = false
        switch end {
        case .finished:
            hasFinished = true
            return list.isOfResults ? .end(end) : advance(.next)
        case .switchItem(let direction):
            (hasFinished, isRequestedByUser) = (false, true)
            return advance(direction)
        case .failed, .still: return continuesAfterFailure ? passBroken() : .end(.finished)
        case .browse: return .browse
        case .quit, .interrupted, .closed: return .end(end)
        }
    }

    /// The decision after the search of ``Action/find(_:isNext:)``.
    mutating func next(after found: NextItem, isNext: Bool) -> Action {
        if isNext { list.advance(to: found) }
        if found.fetched == nil || !list.isOfResults { record(found.failures) }
        if let fetched = found.fetched { return open(fetched) }
        // An item of a feed that was shown before cannot be loaded again.
        return list.isFeed && !isNext ? advance(.next) : repeatItem()
    }

    /// The decision after ``timeout``: a feed shows a built-in sample until its first item has arrived. Later, the present
    /// item plays again.
    mutating func nextIfLate() -> Action {
        guard shownCount == 0, let sample = Sample.all.randomElement() else { return repeatItem(isLate: true) }
        return open(FetchedItem(.sample(sample)))
    }

    /// The decision after ``Action/open(_:)`` has failed.
    mutating func next(after error: GIFError, of item: GIFReference) -> Action {
        recordFailure(Failure(ErrorMessages.describe(error)).of(item.name))
        return continuesAfterFailure ? passBroken() : repeatItem()
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
        case .next where list.isFeed && !list.isAtLastShown: return open(list.next(&generator))
        case .next:
            let request = ItemRequest(
                candidates: list.upcoming, search: list.search, choice: hasBegun ? .first : list.choice)
            hasBegun = true
            return list.needsNoDownload ? open(list.next(&generator)) : .find(request, isNext: true)
        case .previous: return open(list.previous())
        case .random where list.isEndless && !list.needsNoDownload:
            list.skipShown()
            return advance(.next)
        case .random: return open(list.random(&generator))
        case .reload: return open(shownItem == .standardInput ? nil : shownItem)
        }
    }

    private mutating func open(_ item: GIFReference?) -> Action {
        guard let item else { return repeatItem() }
        return item.needsDownload ? .find(ItemRequest(candidates: [item]), isNext: false) : open(FetchedItem(item))
    }

    private mutating func open(_ fetched: FetchedItem) -> Action {
        isAtEnd = false
        return .open(fetched)
    }

    /// After the last item, the key 'n' shows that item again. The last one that has finished is held.
    private mutating func repeatItem(isLate: Bool = false) -> Action {
        isAtEnd = true
        let isHeld = hasFinished && (waitsForItems || holdsLast && !list.isEndless)
        return shownItem != nil && (isRequestedByUser || isLate || isHeld)
            ? .again(isFinished: isHeld) : .end(.finished)
    }

    // MARK: - Outcomes

    private mutating func record(_ end: PlaybackEnd, _ fetched: FetchedItem) {
        switch end {
        case .failed(let error): recordFailure(fetched.failure(for: error))
        case .still: recordFailure(.notAnimated.of(fetched.item.name))
        default:
            shownCount += 1
            consecutiveFailures = 0
            // In an endless list, a failed download is not reported, because the user no longer knows which GIF it was.
            guard let failure = fetched.downloadFailure, !list.isEndless else { break }
            report.errors.append(failure.of(fetched.item.name).adding("what arrived before that was played"))
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
        report.failures += failures.filter { !report.failures.contains($0) }
    }
}

/// What a slideshow reports on standard error at its end.
struct SlideshowReport {
    /// Items that could not be played.
    var failures: [Failure] = []
    /// Other failures: downloads that ended early, and a gallery that could not be opened.
    var errors: [Failure] = []
    /// Defects and losses that do not change the exit status, such as the damage of a file that was played anyway.
    var remarks: [String] = []

    var isFailure: Bool { !(failures.isEmpty && errors.isEmpty) }
    var messages: [String] { (failures + errors).map(\.message) + remarks }

    /// Once for each file.
    mutating func add(_ damage: [Damage], frames: Int, of item: GIFReference) {
        guard let remark = ErrorMessages.remark(on: damage, frames: frames) else { return }
        let line = "\(item.name): \(remark)"
        if !remarks.contains(line) { remarks.append(line) }
    }
}
