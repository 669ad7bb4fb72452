/// The cells that one update sends: with which glyphs, and in which colours.
///
/// A colour is decided as late as can be. When it is set it is the box of colours that its first
/// cell may have; every further cell that it serves makes the box smaller, and only when it serves
/// no more is one of the box chosen. So each colour reaches as many cells in a row as any could.
struct CellPlan: ~Copyable {
    /// What a half-cell may be and would best be.
    struct Half {
        var box: ColorBox
        var wish: ColorBox.Lanes
        /// The terminal's own background can only be a background.
        var isBackground: Bool

        @inline(__always)
        init(_ color: CellColor, reach: Int16, wish: ColorBox.Lanes) {
            box = ColorBox(color, reach: reach)
            self.wish = wish
            isBackground = color == .terminalDefault
        }

        init(exactly color: CellColor) {
            self.init(color, reach: 0, wish: ColorBox.lanes(color))
        }
    }

    struct Cell {
        var index: UInt32
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

    /// Adds a cell, as the glyph that costs least: a space, then what needs no colour set, then one.
    @inline(__always)
    mutating func add(_ index: Int, _ top: Half, _ bottom: Half) {
        let flat = top.box.meeting(bottom.box)
        let isFlat = !flat.isEmpty
        if isFlat {
            let same = behind.box.meeting(flat)
            if !same.isEmpty {
                behind.box = same
                return append(index, .space)
            }
        }
        let upperFront = front.box.meeting(top.box)
        let upperBehind = behind.box.meeting(bottom.box)
        let lowerFront = front.box.meeting(bottom.box)
        let lowerBehind = behind.box.meeting(top.box)
        let upperServes = (front: !upperFront.isEmpty, behind: !upperBehind.isEmpty)
        let lowerServes = (front: !lowerFront.isEmpty, behind: !lowerBehind.isEmpty)
        let upperCost = (upperServes.front ? 0 : 1) + (upperServes.behind ? 0 : 1)
        let lowerCost = (lowerServes.front ? 0 : 1) + (lowerServes.behind ? 0 : 1)
        if isFlat, upperCost > 0, lowerCost > 0 {
            // A full block in a foreground that is set would save an SGR, but where a font's block does not
            // fill the cell (xterm with scalable fonts), the background shows as a grid. Costs 1 to 4%.
            setBehind(flat, (top.wish &+ bottom.wish) &>> 1)
            return append(index, .space)
        }
        if top.isBackground || (!bottom.isBackground && lowerCost < upperCost) {
            if lowerServes.front { front.box = lowerFront } else { setFront(bottom.box, bottom.wish) }
            if lowerServes.behind { behind.box = lowerBehind } else { setBehind(top.box, top.wish) }
            append(index, .lower)
        } else {
            if upperServes.front { front.box = upperFront } else { setFront(top.box, top.wish) }
            if upperServes.behind { behind.box = upperBehind } else { setBehind(bottom.box, bottom.wish) }
            append(index, .upper)
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
    private mutating func append(_ index: Int, _ glyph: CellGlyph) {
        cells[count] = Cell(
            index: UInt32(truncatingIfNeeded: index), glyph: glyph, front: UInt32(truncatingIfNeeded: front.number),
            behind: UInt32(truncatingIfNeeded: behind.number))
        count += 1
    }
}
