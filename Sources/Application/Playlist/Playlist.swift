import Base
import Catalog

/// Decides which GIF is played next.
struct Playlist {
    /// The order of the items, and what happens at the end of a GIF.
    enum Order {
        /// In the given order. When a GIF ends, the next one starts.
        case listed
        /// Endless and shuffled: every item is shown once before any is repeated.
        case shuffled
        /// In the order of the search results. The next GIF starts only when the user asks for it.
        case results
        /// Endless, in the order of its feed.
        case feed
    }

    private var items: [GIFReference]
    private var order: Order
    /// Provides further items after the last known one; nil if all items are known.
    private(set) var search: SearchLoop?
    /// The result of the search that is played first.
    let choice: ResultChoice
    /// The items shown or skipped so far, as indices of `items`. `position` is the index of the current one in it.
    private var history: [Int] = []
    private var position = -1
    /// Indices of the items that were not yet shown in this round of the shuffle. The last one is the next.
    private var unplayed: [Int] = []
    private static let historyLimit = 1000

    init(listed items: [GIFReference]) { self.init(items, .listed) }

    init(shuffling items: [GIFReference]) { self.init(items, .shuffled) }

    /// - Parameter first: the index of the item that is played first, if there is no search.
    init(results items: [GIFReference], startingAt first: Int = 0) {
        self.init(items, .results)
        (history, position) = (Array(0..<first), first - 1)
    }

    init(search: SearchLoop, choice: ResultChoice = .first) { self.init([], .results, search, choice) }

    init(feed: any ItemFeed, health: SourceHealth) {
        self.init([], .feed, SearchLoop(feed: feed, health: health))
    }

    private init(
        _ items: [GIFReference], _ order: Order, _ search: SearchLoop? = nil, _ choice: ResultChoice = .first
    ) {
        (self.items, self.order, self.search, self.choice) = (items, order, search, choice)
    }

    /// Whether there is no other item than the current one.
    var isSingle: Bool { !isEndless && search == nil && items.count == 1 }
    var isEndless: Bool { order == .shuffled || order == .feed }
    /// Whether the next item starts only when the user asks for it.
    var isOfResults: Bool { order == .results }
    /// Whether all items come from an endless feed.
    var isFeed: Bool { order == .feed }
    var count: Int { items.count }
    /// The item that is played; nil before the first one.
    var current: GIFReference? { history.indices.contains(position) ? items[history[position]] : nil }
    var isAtFirst: Bool { position <= 0 }
    /// The known GIFs of sources, for the gallery.
    var references: [GIFReference] { items.filter(\.isResult) }
    /// The folder of the latest item; nil if that is no file.
    var latestFolder: String? { items.last?.path.map(FileSystem.parent) }
    /// Whether all items are known and none must be downloaded.
    var needsNoDownload: Bool { search == nil && !items.contains { $0.needsDownload } }
    /// The known items after the current one, or in a feed those that were not shown yet; empty for a shuffled list.
    var upcoming: [GIFReference] { order == .shuffled ? [] : Array(items.dropFirst(firstUpcoming)) }
    private var firstUpcoming: Int { order == .feed ? history.count : position + 1 }

    /// The first call moves to the first item. Returns nil at the end of a list.
    mutating func next(_ generator: inout some RandomNumberGenerator) -> GIFReference? {
        if position + 1 < history.count {
            position += 1
        } else if order == .shuffled {
            guard !items.isEmpty else { return nil }
            append(draw(&generator))
        } else {
            guard history.count < items.count else { return nil }
            append(history.count)
        }
        return items[history[position]]
    }

    /// Stays at the first item. Returns nil if no item was shown yet.
    mutating func previous() -> GIFReference? {
        guard !history.isEmpty else { return nil }
        position = max(0, position - 1)
        return items[history[position]]
    }

    /// Whether no item that was shown before follows, as it does after ``previous()``.
    var isAtLastShown: Bool { position + 1 >= history.count }

    /// After ``previous()`` in an endless list, moves to the last item that was shown.
    mutating func skipShown() { if isEndless { position = history.count - 1 } }

    /// If the list is endless, moves to an item that was not shown in this round.
    mutating func random(_ generator: inout some RandomNumberGenerator) -> GIFReference? {
        skipShown()
        guard !isEndless, items.count > 1, position >= 0 else { return isEndless ? next(&generator) : previous() }
        let present = history[position]
        var other = Int.random(in: 0..<items.count - 1, using: &generator)
        if other >= present { other += 1 }
        // Set the history to all items up to the chosen one, so that the next item is the one after it.
        history = Array(0...other)
        position = other
        return items[other]
    }

    mutating func `continue`(with endless: Playlist) {
        items += endless.items
        (order, search) = (endless.order, endless.search)
    }

    /// Replaces the candidates of the search, which are the first of ``upcoming``, by its result. Moves to the found item.
    mutating func advance(to next: NextItem) {
        let first = firstUpcoming
        keep(next)
        guard next.fetched != nil else { return }
        position = first + next.skipped.count
        history = Array(0...max(position, history.count - 1))
        guard order == .feed, items.count > Self.historyLimit else { return }
        items.removeFirst()
        history.removeLast()
        position -= 1
    }

    /// Takes the known items from the result of a search that is not played.
    mutating func keep(_ next: NextItem) {
        let first = firstUpcoming
        let chosen = next.fetched.map { [$0.item] } ?? []
        items.replaceSubrange(first..<first + next.candidates, with: next.skipped + chosen + next.remaining)
    }

    private mutating func append(_ index: Int) {
        history.append(index)
        if history.count > Self.historyLimit, order == .shuffled { history.removeFirst() }
        position = history.count - 1
    }

    private mutating func draw(_ generator: inout some RandomNumberGenerator) -> Int {
        if unplayed.isEmpty {
            // The first round has no item that was shown before the list became endless.
            let isNew = { [history] in !history.contains($0) }
            unplayed = (items.indices.contains(where: isNew) ? items.indices.filter(isNew) : Array(items.indices))
                .shuffled(using: &generator)
            // Do not show the last item of the previous round twice in a row.
            if unplayed.count > 1, let last = history.last, unplayed.last == last {
                unplayed.swapAt(0, unplayed.count - 1)
            }
        }
        return unplayed.removeLast()
    }
}

extension Playlist {
    /// Returns the next item once enough of its bytes have arrived to decode it; nil at the end. Blocks the thread, for
    /// output that is not a terminal.
    /// - Throws: the reason why the next item cannot be fetched.
    mutating func fetchNext(_ loader: GIFLoader) throws(Failure) -> FetchedItem? {
        if needsNoDownload {
            var generator = SystemRandomNumberGenerator()
            return next(&generator).map { FetchedItem($0) }
        }
        guard search != nil || !upcoming.isEmpty else { return nil }
        // Listed items are tried one by one, because all failures are reported. Search results replace failed ones.
        let isFound = isOfResults || isEndless
        let candidates = isFound ? upcoming : Array(upcoming.prefix(1))
        let request = ItemRequest(candidates: candidates, search: search, choice: choice, needsAllBytes: isFound)
        let next = BackgroundValue { await request.run(loader) }.wait()
        advance(to: next)
        if next.fetched == nil, let failure = next.failures.last { throw failure }
        if let fetched = next.fetched, let staleness = fetched.staleness {
            printError("\(fetched.item.name): \(Language.english.note(staleness))")
        }
        return next.fetched
    }
}
