/// The cells that an update has still to send, linked in the order of rows and to cells of like colours.
///
/// So the cells that may be cheapest next are found without a search: those after the present one in each
/// of its lists, and before it. Likeness is a hint only, which saves looking for what truly serves: colours
/// that fall into one bucket of the quantised cube, or whose buckets share a hash.
struct CellQueue: ~Copyable {
    struct Cell {
        var top: CellPlan.Half
        var bottom: CellPlan.Half
        var place: CellPlace
        var kind: CellPlan.Kind
    }

    /// A place in a list: a cell's number times four, and which list. Number 0 is no cell.
    typealias Node = UInt32

    static let inOrder: Node = 0
    static let ofPair: Node = 1
    static let ofTop: Node = 2
    static let ofBottom: Node = 3

    private struct Link {
        var previous: Node
        var next: Node
    }

    private struct Tail {
        var key: UInt32
        /// The node, counted on from update to update.
        var stamp: UInt32
    }

    private static let slotBits: UInt32 = 13

    private(set) var count = 0
    /// How many cells share both their buckets with one before.
    private var pairs = 0
    private let cells: UnsafeMutablePointer<Cell>
    /// The first four are whatever was unlinked next to no cell, so that unlinking needs no branch; only the
    /// first of them is read: the order of rows begins and ends there.
    private let links: UnsafeMutablePointer<Link>
    /// The last cell of each bucket, then of each pair of buckets; of no account from an update before.
    private let tails: UnsafeMutablePointer<Tail>
    private let capacity: Int
    /// The stamp of node 0.
    private var base: UInt32 = 1
    /// 1024 divided by the width of a bucket.
    private var density: UInt32 = 1024

    /// - Parameter capacity: the most cells of an update.
    init(capacity: Int) {
        cells = .allocate(capacity: capacity + 1)
        links = .allocate(capacity: (capacity + 1) * 4)
        let slots = 2 << Int(Self.slotBits)
        tails = .allocate(capacity: slots)
        tails.initialize(repeating: Tail(key: 0, stamp: 0), count: slots)
        self.capacity = capacity
    }

    deinit {
        cells.deallocate()
        links.deallocate()
        tails.deallocate()
    }

    /// An update begins.
    mutating func begin(tolerance: Int) {
        base += UInt32(truncatingIfNeeded: count + 1) * 4
        if base > .max - 2 * UInt32(truncatingIfNeeded: capacity + 1) * 4 {
            base = 1
            tails.update(repeating: Tail(key: 0, stamp: 0), count: 2 << Int(Self.slotBits))
        }
        count = 0
        pairs = 0
        for list in Self.inOrder...Self.ofBottom { links[Int(list)] = Link(previous: list, next: list) }
        density = UInt32(truncatingIfNeeded: 1024 / (2 * tolerance + 1) + (tolerance > 0 ? 1 : 0))
    }

    /// Whether the order of rows is as good as any. Where hardly two cells share both colours another order saves
    /// about a hundredth, which many cells are not worth: it takes as long as all else of the encoding.
    var isScattered: Bool { count > 2048 && pairs < count / 16 }

    @inline(__always)
    subscript(number: Node) -> Cell { cells[Int(number)] }

    /// The cell after another in a list; 0 for none. Still right when that was removed last.
    @inline(__always)
    func next(_ number: Node, _ list: Node) -> Node { links[Int(number &* 4 &+ list)].next &>> 2 }

    /// The cell before another in a list; 0 for none. Still right when that was removed last.
    @inline(__always)
    func previous(_ number: Node, _ list: Node) -> Node { links[Int(number &* 4 &+ list)].previous &>> 2 }

    /// The first cell in the order of rows; 0 for none.
    @inline(__always)
    var first: Node { links[0].next &>> 2 }

    /// Adds a cell after all others.
    @inline(__always)
    mutating func append(
        _ place: CellPlace, _ top: CellPlan.Half, _ bottom: CellPlan.Half, _ topColor: CellColor,
        _ bottomColor: CellColor
    ) {
        count += 1
        cells[count] = Cell(top: top, bottom: bottom, place: place, kind: CellPlan.Kind(top, bottom))
        let node = Node(truncatingIfNeeded: count) &* 4
        links[Int(node)] = Link(previous: node &- 4, next: 0)
        links[Int(node &- 4)].next = node
        let topKey = key(topColor)
        let bottomKey = key(bottomColor)
        // The sum is the same for ▀ and ▄.
        let pairKey = topKey &+ bottomKey
        let isPair = push(
            node | Self.ofPair, pairKey, pairKey &>> (32 - Self.slotBits) | 1 << Self.slotBits)
        pairs &+= isPair ? 1 : 0
        push(node | Self.ofTop, topKey, topKey &>> (32 - Self.slotBits))
        if topKey == bottomKey {
            // Once in a list is enough, and twice would make the cell its own neighbour.
            links[Int(node | Self.ofBottom)] = Link(previous: Self.ofBottom, next: Self.ofBottom)
        } else {
            push(node | Self.ofBottom, bottomKey, bottomKey &>> (32 - Self.slotBits))
        }
    }

    /// - Returns: whether the list had any.
    @inline(__always)
    @discardableResult
    private func push(_ node: Node, _ key: UInt32, _ slot: UInt32) -> Bool {
        let tail = tails[Int(slot)]
        let last = tail.stamp &- base
        let isKnown = tail.key == key && last < node
        let previous = isKnown ? last : Self.ofPair
        tails[Int(slot)] = Tail(key: key, stamp: base &+ node)
        links[Int(node)] = Link(previous: previous, next: Self.ofPair)
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

    /// Takes a cell out of all lists.
    @inline(__always)
    func remove(_ number: Node) {
        for list in Self.inOrder...Self.ofBottom {
            let link = links[Int(number &* 4 &+ list)]
            links[Int(link.previous)].next = link.next
            links[Int(link.next)].previous = link.previous
        }
    }
}
