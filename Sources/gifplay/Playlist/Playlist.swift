import Application

/// Which GIF comes when.
struct Playlist {
    /// In what order, and what the end of a GIF means.
    enum Order {
        /// As named; the end of one is the turn of the next.
        case listed
        /// Without end, none twice before all were shown.
        case shuffled
        /// As found: the next one comes when the user asks for it.
        case results
        /// Without end, as the supply gives them.
        case feed
    }

    private var items: [PlayItem]
    private let order: Order
    /// Gives what comes after the last item; nil when nothing more does.
    let supply: (any Supply)?
    /// Which of the results is played first.
    let choice: ResultChoice
    /// What was shown, in order, and where in it the present one stands.
    private var history: [Int] = []
    private var place = -1
    /// Not yet shown in this round, the next one last.
    private var bag: [Int] = []
    /// Whoever watches for days goes back no further than this.
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
    /// Whether the next one comes only when the user asks.
    var isOfResults: Bool { order == .results }
    /// Whether everything comes from a supply, without end.
    var isFeed: Bool { order == .feed }
    var count: Int { items.count }
    /// Whether everything is on this machine and known.
    var isLocal: Bool { supply == nil && choice == .first && items.allSatisfy(\.isLocal) }
    /// What is known to come after the present one.
    var following: [PlayItem] { order == .shuffled ? [] : Array(items.dropFirst(place + 1)) }

    /// The first item or the one after the present one; nil at the end of a list.
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

    /// The one before, or the present one where there is none.
    mutating func previous() -> PlayItem? {
        guard !history.isEmpty else { return nil }
        place = max(0, place - 1)
        return items[history[place]]
    }

    /// Any of a list's others; of a shuffled one the next.
    mutating func random(_ generator: inout some RandomNumberGenerator) -> PlayItem? {
        guard !isEndless, items.count > 1, place >= 0 else { return isEndless ? next(&generator) : previous() }
        let present = history[place]
        var other = Int.random(in: 0..<items.count - 1, using: &generator)
        if other >= present { other += 1 }
        // The list goes on behind the one that was picked.
        history = Array(0...other)
        place = other
        return items[other]
    }

    /// Takes over what a hunt left of the items behind the present one, and stands where it ended.
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
            // The round before ended with the item shown last: it does not come twice in a row.
            if bag.count > 1, let last = history.last, bag.last == last { bag.swapAt(0, bag.count - 1) }
        }
        return bag.removeLast()
    }
}
