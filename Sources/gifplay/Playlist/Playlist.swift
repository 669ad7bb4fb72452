import Application

/// Decides which GIF is played next.
struct Playlist {
    /// The order of the items, and what happens at the end of a GIF.
    enum Order {
        /// In the given order; the end of one GIF starts the next.
        case listed
        /// Endless and shuffled: every item is shown once before any is repeated.
        case shuffled
        /// In the order of the search results; the next one starts only when the user asks for it.
        case results
        /// Endless, in the order of the supply.
        case feed
    }

    private var items: [PlayItem]
    private let order: Order
    /// Provides the items after the last known one; nil if there are none.
    let supply: (any Supply)?
    /// Which search result is played first.
    let choice: ResultChoice
    /// Indices of the items shown, in order. `place` is the position of the current item in it.
    private var history: [Int] = []
    private var place = -1
    /// Indices not yet shown in this round, in reverse order: the next one is the last element.
    private var bag: [Int] = []
    /// The maximum number of items in the history.
    private static let memory = 1000

    init(listed items: [PlayItem]) { self.init(items, .listed) }

    init(shuffling items: [PlayItem]) { self.init(items, .shuffled) }

    init(results items: [PlayItem], supply: (any Supply)? = nil, choice: ResultChoice = .first) {
        self.init(items, .results, supply, choice)
    }

    init(feed supply: any Supply) { self.init([], .feed, supply) }

    private init(
        _ items: [PlayItem], _ order: Order, _ supply: (any Supply)? = nil, _ choice: ResultChoice = .first
    ) {
        self.items = items
        self.order = order
        self.supply = supply
        self.choice = choice
    }

    var isEndless: Bool { order == .shuffled || order == .feed }
    /// Whether the next item starts only when the user asks for it.
    var isOfResults: Bool { order == .results }
    /// Whether all items come from an endless supply.
    var isFeed: Bool { order == .feed }
    var count: Int { items.count }
    /// Whether all items are known and on this machine.
    var isLocal: Bool { supply == nil && choice == .first && items.allSatisfy(\.isLocal) }
    /// The known items after the current one; empty for a shuffled list.
    var following: [PlayItem] { order == .shuffled ? [] : Array(items.dropFirst(place + 1)) }

    /// Moves to the next item, or to the first; returns nil at the end of a list.
    mutating func next(_ generator: inout some RandomNumberGenerator) -> PlayItem? {
        if place + 1 < history.count {
            place += 1
        } else if order == .shuffled {
            guard !items.isEmpty else { return nil }
            append(draw(&generator))
        } else {
            guard history.count < items.count else { return nil }
            append(history.count)
        }
        return items[history[place]]
    }

    /// Moves to the previous item, or stays at the first one; nil if nothing was shown yet.
    mutating func previous() -> PlayItem? {
        guard !history.isEmpty else { return nil }
        place = max(0, place - 1)
        return items[history[place]]
    }

    /// Moves to a random other item of the list, or to the next one of an endless list.
    mutating func random(_ generator: inout some RandomNumberGenerator) -> PlayItem? {
        guard !isEndless, items.count > 1, place >= 0 else { return isEndless ? next(&generator) : previous() }
        let present = history[place]
        var other = Int.random(in: 0..<items.count - 1, using: &generator)
        if other >= present { other += 1 }
        // The list continues after the chosen item.
        history = Array(0...other)
        place = other
        return items[other]
    }

    /// Replaces the candidates after the current item by the result of a search for the next item, and moves to the
    /// item that was found.
    mutating func advance(_ found: Found) {
        let next = found.fetched.map { [$0.item] } ?? []
        items.replaceSubrange(
            place + 1..<place + 1 + found.candidates, with: found.skipped + next + found.remaining)
        guard found.fetched != nil else { return }
        place += found.skipped.count + 1
        history = Array(0...max(place, history.count - 1))
        guard order == .feed, items.count > Self.memory else { return }
        items.removeFirst()
        history.removeLast()
        place -= 1
    }

    private mutating func append(_ index: Int) {
        history.append(index)
        if history.count > Self.memory, order == .shuffled { history.removeFirst() }
        place = history.count - 1
    }

    private mutating func draw(_ generator: inout some RandomNumberGenerator) -> Int {
        if bag.isEmpty {
            bag = Array(items.indices).shuffled(using: &generator)
            // The previous round may have ended with the same item: do not show it twice in a row.
            if bag.count > 1, let last = history.last, bag.last == last { bag.swapAt(0, bag.count - 1) }
        }
        return bag.removeLast()
    }
}
