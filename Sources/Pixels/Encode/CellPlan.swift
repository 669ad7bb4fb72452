/// The cells that one update sends: with which glyphs, and in which colours.
///
/// A colour is decided as late as can be. When it is set it is the box of colours that its first
/// cell may have; every further cell that it serves makes the box smaller, and only when it serves
/// no more is one of the box chosen. So each colour reaches as many cells in a row as any could.
struct CellPlan: ~Copyable {
    /// What a half-cell may be and should be, and what is shown of it.
    struct Half {
        var box: ColorBox
        private var color: CellColor
        private var shown: CellColor

        @inline(__always)
        init(_ color: CellColor, from shown: CellColor, reach: Int16) {
            box = ColorBox(color, reach: reach)
            self.color = color
            self.shown = shown
        }

        init(exactly color: CellColor) {
            self.init(color, from: .unknown, reach: 0)
        }

        /// The terminal's own background can only be a background.
        var isBackground: Bool { color == .terminalDefault }

        /// What of the box is best to be sent.
        ///
        /// A colour that moved by a little goes on that way more often than it turns back (fades, pans), so
        /// one level further on it holds for longer: 1 to 15 percent fewer bytes of two real GIFs in six.
        var wish: ColorBox.Lanes {
            let lanes = ColorBox.lanes(color)
            let step = lanes &- ColorBox.lanes(shown)
            guard ColorBox.isSmall(step) else { return lanes }
            let up = lanes.replacing(with: lanes &+ 1, where: step .> 0)
            return up.replacing(with: lanes &- 1, where: step .< 0)
        }
    }

    struct Cell {
        var place: CellPlace
        var glyph: CellGlyph
        /// Numbers of ``color(_:)``.
        var front: UInt32
        var behind: UInt32
    }

    /// A colour that is set, of which more cells may be served.
    private struct Open {
        var box: ColorBox
        var wish: ColorBox.Lanes
        var number: Int

        init(_ box: ColorBox, _ wish: ColorBox.Lanes, number: Int) {
            self.box = box
            self.wish = wish
            self.number = number
        }
    }

    private(set) var count = 0
    private let cells: UnsafeMutablePointer<Cell>
    private let colors: UnsafeMutablePointer<CellColor>
    private var colorCount = 0
    private let offers = CellOffer.table
    private var front = Open(ColorBox(.unknown, reach: 0), .zero, number: 0)
    private var behind = Open(ColorBox(.unknown, reach: 0), .zero, number: 1)

    /// - Parameter capacity: the most cells of an update.
    init(capacity: Int) {
        cells = .allocate(capacity: max(1, capacity))
        // A cell sets two at most; two that are not known stand before them.
        colors = .allocate(capacity: capacity * 2 + 2)
        begin()
    }

    deinit {
        cells.deallocate()
        colors.deallocate()
    }

    /// An update begins: no colour is known to be set.
    mutating func begin() {
        count = 0
        front = Open(ColorBox(.unknown, reach: 0), .zero, number: 0)
        behind = Open(ColorBox(.unknown, reach: 0), .zero, number: 1)
        colorCount = 2
    }

    /// No cell follows: decides the colours that are still open.
    mutating func finish() {
        close(front)
        close(behind)
    }

    subscript(number: Int) -> Cell { cells[number] }

    /// A colour of a cell, once it is decided.
    func color(_ number: UInt32) -> CellColor { colors[Int(number)] }

    /// What of a cell does not depend on the colours that are set.
    struct Kind: OptionSet {
        let rawValue: UInt8

        static let flat = Kind(rawValue: 16)
        static let topIsBackground = Kind(rawValue: 32)
        static let bottomIsBackground = Kind(rawValue: 64)

        @inline(__always)
        init(rawValue: UInt8) { self.rawValue = rawValue }

        @inline(__always)
        init(isFlat: Bool, topIsBackground: Bool, bottomIsBackground: Bool) {
            rawValue = (isFlat ? 16 : 0) | (topIsBackground ? 32 : 0) | (bottomIsBackground ? 64 : 0)
        }

        @inline(__always)
        init(_ top: Half, _ bottom: Half) {
            self.init(
                isFlat: top.box.meets(bottom.box), topIsBackground: top.isBackground,
                bottomIsBackground: bottom.isBackground)
        }
    }

    /// The glyph that costs least.
    @inline(__always)
    func offer(_ top: Half, _ bottom: Half, _ kind: Kind) -> CellOffer {
        let serving: UInt8 =
            (front.box.meets(top.box) ? 1 : 0) | (front.box.meets(bottom.box) ? 2 : 0)
            | (behind.box.meets(top.box) ? 4 : 0) | (behind.box.meets(bottom.box) ? 8 : 0)
        return offers[Int(serving | kind.rawValue)]
    }

    /// Adds a cell in row order, where nothing is known of those to come.
    @inline(__always)
    mutating func add(_ place: CellPlace, _ top: Half, _ bottom: Half) {
        add(place, top, bottom, offer(top, bottom, Kind(top, bottom)))
    }

    /// Adds a cell as ``offer(_:_:)`` said since the cell before.
    @inline(__always)
    mutating func add(_ place: CellPlace, _ top: Half, _ bottom: Half, _ offer: CellOffer) {
        switch offer.glyph {
        case .space:
            let flat = top.box.meeting(bottom.box)
            if offer.setsBehind {
                setBehind(flat, (top.wish &+ bottom.wish) &>> 1)
            } else {
                behind.box = behind.box.meeting(flat)
            }
        case .upper: draw(offer, top, bottom)
        case .lower: draw(offer, bottom, top)
        }
        append(place, offer.glyph)
    }

    @inline(__always)
    private mutating func draw(_ offer: CellOffer, _ frontHalf: Half, _ behindHalf: Half) {
        if offer.setsFront {
            setFront(frontHalf.box, frontHalf.wish)
        } else {
            front.box = front.box.meeting(frontHalf.box)
        }
        if offer.setsBehind {
            setBehind(behindHalf.box, behindHalf.wish)
        } else {
            behind.box = behind.box.meeting(behindHalf.box)
        }
    }

    @inline(__always)
    private func close(_ open: Open) {
        colors[open.number] = open.box.nearest(to: open.wish)
    }

    @inline(__always)
    private mutating func setFront(_ box: ColorBox, _ wish: ColorBox.Lanes) {
        close(front)
        front = Open(box, wish, number: colorCount)
        colorCount += 1
    }

    @inline(__always)
    private mutating func setBehind(_ box: ColorBox, _ wish: ColorBox.Lanes) {
        close(behind)
        behind = Open(box, wish, number: colorCount)
        colorCount += 1
    }

    @inline(__always)
    private mutating func append(_ place: CellPlace, _ glyph: CellGlyph) {
        cells[count] = Cell(
            place: place, glyph: glyph, front: UInt32(truncatingIfNeeded: front.number),
            behind: UInt32(truncatingIfNeeded: behind.number))
        count += 1
    }
}
