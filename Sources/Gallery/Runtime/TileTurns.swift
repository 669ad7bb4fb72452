import Catalog
import Pixels

/// The order in which the pictures of tiles are sent on a slow connection: one after the other, new ones first, and the
/// selected one in every second turn.
struct TileTurns {
    typealias Entry = (tile: TilePlacement, frame: TileFrame)

    private struct Turn {
        var tile: TilePlacement
        var number: Int
    }

    private var turns: [TileID: Turn] = [:]
    private var lastNumber = 0
    private var wasSelected = false
    /// The tile whose frame is only sent in part. It keeps this frame until the rest is sent.
    private var partial: Entry?

    var hasPartial: Bool { partial != nil }

    func partialFrame(of tile: TilePlacement) -> TileFrame? {
        partial.flatMap { $0.tile.isAtPlace(of: tile) ? $0.frame : nil }
    }

    /// Forgets the turns of tiles that have moved or are gone.
    /// - Returns: whether these are most of the tiles.
    mutating func forgetMoved(_ tiles: [TilePlacement]) -> Bool {
        let before = turns.count
        let places = Dictionary(tiles.map { ($0.id, $0) }) { first, _ in first }
        turns = turns.filter { places[$0.key]?.isAtPlace(of: $0.value.tile) == true }
        if let tile = partial?.tile, places[tile.id]?.isAtPlace(of: tile) != true { partial = nil }
        return (before - turns.count) * 2 > before
    }

    func order(_ entries: [Entry]) -> [Entry] {
        func number(_ entry: Entry) -> Int { turns[entry.tile.id]?.number ?? 0 }
        var order = entries.filter(\.tile.isBeside).sorted { number($0) < number($1) }
        if let selected = entries.first(where: { !$0.tile.isBeside }) {
            let newCount = number(selected) == 0 ? 0 : order.prefix { number($0) == 0 }.count
            order.insert(selected, at: min(newCount + (wasSelected ? 1 : 0), order.count))
        }
        if let partial, let index = order.firstIndex(where: { $0.tile.id == partial.tile.id }) {
            order.insert(order.remove(at: index), at: 0)
        }
        return order
    }

    /// - Parameter isWhole: whether the terminal has the whole frame.
    mutating func note(_ entry: Entry, isWhole: Bool) {
        partial = isWhole ? nil : entry
        guard isWhole else { return }
        lastNumber += 1
        turns[entry.tile.id] = Turn(tile: entry.tile, number: lastNumber)
        wasSelected = !entry.tile.isBeside
    }
}

extension TilePlacement {
    fileprivate func isAtPlace(of other: TilePlacement) -> Bool {
        id == other.id && position == other.position && size == other.size && visibleRows == other.visibleRows
    }
}
