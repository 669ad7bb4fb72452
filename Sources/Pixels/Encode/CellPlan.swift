/// The cells that one update sends, with their glyphs and colours.
///
/// A colour is chosen as late as possible. When it is set, it is a box: all colours that its first cell may have. Each
/// further cell that uses it makes the box smaller. A colour of the box is chosen only when no further cell can use it.
/// So one colour serves as many successive cells as any colour could.
struct CellPlan: ~Copyable {
    /// One half of a cell: its colour, the colours allowed in its place, and the colour that is shown now.
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

        /// Whether the half must be drawn as background: no SGR sets the foreground to the terminal's own background.
        var isBackground: Bool { color == .terminalDefault }

        /// The preferred colour of the box.
        ///
        /// A colour that changed slightly changes further in the same direction more often than it turns back (fades,
        /// pans). So a colour one level further stays within the tolerance for longer. This saves 1 to 15 percent of
        /// the bytes in two of six real GIFs.
        var preferredColor: ColorBox.Lanes {
            let lanes = ColorBox.lanes(color)
            let step = lanes &- ColorBox.lanes(shown)
            guard ColorBox.isSmall(step) else { return lanes }
            let up = lanes.replacing(with: lanes &+ 1, where: step .> 0)
            return up.replacing(with: lanes &- 1, where: step .< 0)
        }
    }

    struct Cell {
        var position: CellPosition
        var glyph: CellGlyph
        /// Numbers of the colours, for ``color(_:)``.
        var foreground: UInt32
        var background: UInt32
    }

    /// A colour that is set but not yet chosen, because more cells may use it.
    private struct OpenColor {
        var box: ColorBox
        var preferredColor: ColorBox.Lanes
        var number: Int

        init(_ box: ColorBox, _ preferredColor: ColorBox.Lanes, number: Int) {
            self.box = box
            self.preferredColor = preferredColor
            self.number = number
        }
    }

    private(set) var count = 0
    private let cells: UnsafeMutablePointer<Cell>
    private let colors: UnsafeMutablePointer<CellColor>
    private var colorCount = 0
    private let drawings = CellDrawing.table
    private var foreground = OpenColor(ColorBox(.unknown, reach: 0), .zero, number: 0)
    private var background = OpenColor(ColorBox(.unknown, reach: 0), .zero, number: 1)

    /// - Parameter capacity: the largest number of cells in an update.
    init(capacity: Int) {
        cells = .allocate(capacity: max(1, capacity))
        // A cell sets at most two colours. The first two entries are the unknown colours at the start.
        colors = .allocate(capacity: capacity * 2 + 2)
        begin()
    }

    deinit {
        cells.deallocate()
        colors.deallocate()
    }

    /// Begins an update, with no colour known to be set.
    mutating func begin() {
        count = 0
        foreground = OpenColor(ColorBox(.unknown, reach: 0), .zero, number: 0)
        background = OpenColor(ColorBox(.unknown, reach: 0), .zero, number: 1)
        colorCount = 2
    }

    /// Ends an update: chooses the colours that are still open.
    mutating func finish() {
        close(foreground)
        close(background)
    }

    subscript(number: Int) -> Cell { cells[number] }

    /// The colour with this number; valid after ``finish()``.
    func color(_ number: UInt32) -> CellColor { colors[Int(number)] }

    /// The properties of a cell that do not depend on the colours that are set, as flags of ``CellDrawing/table``.
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
                isFlat: top.box.overlaps(bottom.box), topIsBackground: top.isBackground,
                bottomIsBackground: bottom.isBackground)
        }
    }

    /// The cheapest way to draw a cell with the colours that are set.
    @inline(__always)
    func cheapestDrawing(_ top: Half, _ bottom: Half, _ kind: Kind) -> CellDrawing {
        let fits: UInt8 =
            (foreground.box.overlaps(top.box) ? 1 : 0) | (foreground.box.overlaps(bottom.box) ? 2 : 0)
            | (background.box.overlaps(top.box) ? 4 : 0) | (background.box.overlaps(bottom.box) ? 8 : 0)
        return drawings[Int(fits | kind.rawValue)]
    }

    /// Adds a cell with the cheapest glyph.
    @inline(__always)
    mutating func add(_ position: CellPosition, _ top: Half, _ bottom: Half) {
        add(position, top, bottom, cheapestDrawing(top, bottom, Kind(top, bottom)))
    }

    /// Adds a cell as `drawing` says, which ``cheapestDrawing(_:_:_:)`` returned after the previous cell was added.
    @inline(__always)
    mutating func add(_ position: CellPosition, _ top: Half, _ bottom: Half, _ drawing: CellDrawing) {
        switch drawing.glyph {
        case .space:
            let flat = top.box.intersection(bottom.box)
            if drawing.setsBackground {
                setBackground(flat, (top.preferredColor &+ bottom.preferredColor) &>> 1)
            } else {
                background.box = background.box.intersection(flat)
            }
        case .upper: draw(drawing, top, bottom)
        case .lower: draw(drawing, bottom, top)
        }
        append(position, drawing.glyph)
    }

    @inline(__always)
    private mutating func draw(_ drawing: CellDrawing, _ foregroundHalf: Half, _ backgroundHalf: Half) {
        if drawing.setsForeground {
            setForeground(foregroundHalf.box, foregroundHalf.preferredColor)
        } else {
            foreground.box = foreground.box.intersection(foregroundHalf.box)
        }
        if drawing.setsBackground {
            setBackground(backgroundHalf.box, backgroundHalf.preferredColor)
        } else {
            background.box = background.box.intersection(backgroundHalf.box)
        }
    }

    @inline(__always)
    private func close(_ open: OpenColor) {
        colors[open.number] = open.box.color(nearestTo: open.preferredColor)
    }

    @inline(__always)
    private mutating func setForeground(_ box: ColorBox, _ preferredColor: ColorBox.Lanes) {
        close(foreground)
        foreground = OpenColor(box, preferredColor, number: colorCount)
        colorCount += 1
    }

    @inline(__always)
    private mutating func setBackground(_ box: ColorBox, _ preferredColor: ColorBox.Lanes) {
        close(background)
        background = OpenColor(box, preferredColor, number: colorCount)
        colorCount += 1
    }

    @inline(__always)
    private mutating func append(_ position: CellPosition, _ glyph: CellGlyph) {
        cells[count] = Cell(
            position: position, glyph: glyph, foreground: UInt32(truncatingIfNeeded: foreground.number),
            background: UInt32(truncatingIfNeeded: background.number))
        count += 1
    }
}
