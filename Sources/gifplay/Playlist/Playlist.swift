/// Which GIF comes when.
struct Playlist {
    private let items: [PlayItem]
    /// Endless, in an order without a repeat until all were shown.
    private let isShuffled: Bool
    /// What was shown, in order, and where in it the present one stands.
    private var history: [Int] = []
    private var place = -1
    /// Not yet shown in this round, the next one last.
    private var bag: [Int] = []

    init(listed items: [PlayItem]) {
        self.items = items
        isShuffled = false
    }

    init(shuffling items: [PlayItem]) {
        self.items = items
        isShuffled = true
    }

    var isEndless: Bool { isShuffled }
    var count: Int { items.count }

    /// The first item or the one after the present one; nil at the end of a list.
    mutating func next(_ generator: inout some RandomNumberGenerator) -> PlayItem? {
        if place + 1 < history.count {
            place += 1
        } else if isShuffled {
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
        guard !isShuffled, items.count > 1, place >= 0 else { return isShuffled ? next(&generator) : previous() }
        let present = history[place]
        var other = Int.random(in: 0..<items.count - 1, using: &generator)
        if other >= present { other += 1 }
        // The list goes on behind the one that was picked.
        history = Array(0...other)
        place = other
        return items[other]
    }

    private mutating func append(_ index: Int) {
        history.append(index)
        // Whoever watches for days goes back no further than this.
        if history.count > 1000, isShuffled { history.removeFirst() }
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
