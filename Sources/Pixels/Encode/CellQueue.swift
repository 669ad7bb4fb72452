/// The cells that an update still has to send. One linked list contains all cells in row order. Other linked lists
/// contain cells with similar colours.
///
/// The neighbours of a cell in its lists are the candidates for the next cell, so no search is needed. Colours count as
/// similar if they are in the same bucket of the quantised colour cube, or if their buckets have the same hash. This
/// similarity is only an estimate: ``CellPlan/cheapestDrawing(_:_:_:)`` determines whether a colour fits.
struct CellQueue: ~Copyable {
    struct Cell {
        var top: CellPlan.Half
        var bottom: CellPlan.Half
        var position: CellPosition
        var kind: CellPlan.Kind
    }

    /// A node of a list: four times the cell's number plus the list's number. Some functions use this type for a cell's
    /// number. Cells are counted from 1, and the cell number 0 means no cell.
    typealias Node = UInt32

    static let rowOrderList: Node = 0
    static let pairList: Node = 1
    static let topList: Node = 2
    static let bottomList: Node = 3

    private struct Link {
        var previous: Node
        var next: Node
    }

    private struct Tail {
        var key: UInt32
        /// The sum of ``CellQueue/base`` and the last node of the list. A stamp below `base` belongs to an earlier
        /// update and is ignored. Therefore ``CellQueue/tails`` need not be cleared for each update.
        var stamp: UInt32
    }

    private static let slotBits: UInt32 = 13

    private(set) var count = 0
    /// The number of cells whose pair of buckets is the same as that of an earlier cell.
    private var pairs = 0
    private let cells: UnsafeMutablePointer<Cell>
    /// The neighbours of each node. `links[0...3]` are the sentinels of the four lists. With sentinels, the removal of
    /// a cell needs no branch. Only the sentinel of the row-order list is read: it leads to the first cell.
    private let links: UnsafeMutablePointer<Link>
    /// Two hash tables of the last nodes, each in a half of the memory: of each bucket, and of each pair of buckets.
    private let tails: UnsafeMutablePointer<Tail>
    private let capacity: Int
    /// The stamp of node 0 in the current update.
    private var base: UInt32 = 1
    /// 1024 divided by the width of a bucket in colour levels, rounded up.
    private var density: UInt32 = 1024

    /// - Parameter capacity: the maximum number of cells in an update.
    init(capacity: Int) {
        cells = .allocate(capacity: capacity + 1)
        links = .allocate(capacity: (capacity + 1) * 4)
        let slots = 2 << Int(Self.slotBits)
        // The system provides a page of these zeros only when a list is first stored there.
        let zeros = try? PictureMemory.allocateZeros(Tail.self, count: slots)
        guard let tails = zeros?.baseAddress else { preconditionFailure("out of memory") }
        self.tails = tails
        self.capacity = capacity
    }

    deinit {
        cells.deallocate()
        links.deallocate()
        PictureMemory.release(UnsafeMutableBufferPointer(start: tails, count: 0))
    }

    /// Empties the queue for a new update.
    mutating func begin(_ fidelity: Fidelity) {
        base += UInt32(truncatingIfNeeded: count + 1) * 4
        if base > .max - 2 * UInt32(truncatingIfNeeded: capacity + 1) * 4 {
            base = 1
            tails.update(repeating: Tail(key: 0, stamp: 0), count: 2 << Int(Self.slotBits))
        }
        count = 0
        pairs = 0
        for list in Self.rowOrderList...Self.bottomList { links[Int(list)] = Link(previous: list, next: list) }
        density = UInt32(truncatingIfNeeded: (1024 + 4 * fidelity.bound) / (4 * fidelity.bound + 1))
    }

    /// Whether there are many cells that rarely share a pair of colours. They are sent in row order, because finding a
    /// better order would double the time and save only about 1% of the bytes.
    var isScattered: Bool { count > 2048 && pairs < count / 16 }

    @inline(__always)
    subscript(number: Node) -> Cell { cells[Int(number)] }

    /// Returns the cell after `number` in a list; 0 at the end of the list. It can be the cell that was removed last.
    @inline(__always)
    func next(_ number: Node, _ list: Node) -> Node { links[Int(number &* 4 &+ list)].next &>> 2 }

    /// Returns the cell before `number` in `list`; 0 at the start. Also works for the cell that was removed last.
    @inline(__always)
    func previous(_ number: Node, _ list: Node) -> Node { links[Int(number &* 4 &+ list)].previous &>> 2 }

    /// The first cell in row order; 0 if the queue is empty.
    @inline(__always)
    var first: Node { links[0].next &>> 2 }

    /// Appends a cell to the row-order list, the lists of its two colours' buckets, and the list of this pair.
    @inline(__always)
    mutating func append(
        _ position: CellPosition, _ top: CellPlan.Half, _ bottom: CellPlan.Half, _ kind: CellPlan.Kind,
        _ topColor: CellColor, _ bottomColor: CellColor
    ) {
        count += 1
        cells[count] = Cell(top: top, bottom: bottom, position: position, kind: kind)
        let node = Node(truncatingIfNeeded: count) &* 4
        links[Int(node)] = Link(previous: node &- 4, next: 0)
        links[Int(node &- 4)].next = node
        let topKey = key(topColor)
        let bottomKey = key(bottomColor)
        // The sum does not depend on the order of the two colours. Two cells with the same colours in opposite halves
        // can be drawn with the same foreground and background: one with '▀', the other with '▄'.
        let pairKey = topKey &+ bottomKey
        let isPair = push(node | Self.pairList, pairKey, pairKey &>> (32 - Self.slotBits) | 1 << Self.slotBits)
        pairs &+= isPair ? 1 : 0
        push(node | Self.topList, topKey, topKey &>> (32 - Self.slotBits))
        if topKey == bottomKey {
            // The cell is already in the list of this bucket. If it were added twice, it would be its own neighbour.
            links[Int(node | Self.bottomList)] = Link(previous: Self.bottomList, next: Self.bottomList)
        } else {
            push(node | Self.bottomList, bottomKey, bottomKey &>> (32 - Self.slotBits))
        }
    }

    /// Appends a node to the list of a bucket or of a pair of buckets.
    /// - Returns: whether the list already contained a cell.
    @inline(__always)
    @discardableResult
    private func push(_ node: Node, _ key: UInt32, _ slot: UInt32) -> Bool {
        let tail = tails[Int(slot)]
        let last = tail.stamp &- base
        let isKnown = tail.key == key && last < node
        let previous = isKnown ? last : Self.pairList
        tails[Int(slot)] = Tail(key: key, stamp: base &+ node)
        links[Int(node)] = Link(previous: previous, next: Self.pairList)
        links[Int(previous)].next = node
        return isKnown
    }

    @inline(__always)
    private func key(_ color: CellColor) -> UInt32 {
        let bits = color.bits
        let red = ((bits &>> 16 & 0xFF) &* density) &>> 10
        let green = ((bits &>> 8 & 0xFF) &* density) &>> 10
        let blue = ((bits & 0xFF) &* density) &>> 10
        return (red &* 0x9E37_79B1) ^ (green &* 0x85EB_CA77) ^ (blue &* 0xC2B2_AE3D)
    }

    /// Removes a cell from all lists.
    @inline(__always)
    func remove(_ number: Node) {
        for list in Self.rowOrderList...Self.bottomList {
            let link = links[Int(number &* 4 &+ list)]
            links[Int(link.previous)].next = link.next
            links[Int(link.next)].previous = link.previous
        }
    }
}
