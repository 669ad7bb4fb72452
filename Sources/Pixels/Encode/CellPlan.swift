/// The cells that one update sends, with their glyphs and colours.
///
/// The plan chooses each colour as late as possible. At first, it stores a ``ColorBox`` with all colours that are
/// allowed for the current cell. Each further cell that can share a colour of the box makes the box smaller. If the
/// next cell cannot share a colour, the plan chooses one colour from the box and begins a new box. Thus one colour is
/// used for as many successive cells as possible.
struct CellPlan: ~Copyable {
    /// One half of a cell: its computed colour, the colours within the tolerance, and the displayed colour.
    struct Half {
        var box: ColorBox
        private var color: CellColor
        private var shown: CellColor

        @inline(__always)
        init(_ color: CellColor, from shown: CellColor, reach: UInt32) {
            box = ColorBox(color, reach: reach)
            self.color = color
            self.shown = shown
        }

        init(exactly color: CellColor) { self.init(color, from: .unknown, reach: 0) }

        /// Whether the half shows the terminal's own background. Such a half must be drawn in the background colour of
        /// the cell, because no SGR sequence sets the foreground to that colour.
        var isBackground: Bool { color == .terminalDefault }

        /// The plan sends the colour of the box that is nearest to this colour. After a gradual change, each changed
        /// channel is one level beyond the computed colour, because a colour in a fade or a pan usually continues to
        /// change in the same direction. This saves 1 percent of the bytes of real GIFs.
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
        /// The number of the foreground colour; see ``CellPlan/color(_:)``.
        var foreground: UInt32
        var background: UInt32
    }

    /// The current foreground or background before its colour is chosen. Further cells can still make the box smaller.
    private struct OpenColor {
        var box: ColorBox
        var preferredColor: ColorBox.Lanes
        var number: Int

        static func unknown(number: Int) -> OpenColor {
            OpenColor(box: ColorBox(.unknown, reach: 0), preferredColor: .zero, number: number)
        }

        /// Chooses the colour.
        @inline(__always)
        func close(_ colors: UnsafeMutablePointer<CellColor>) { colors[number] = box.color(nearestTo: preferredColor) }

        /// Makes the box smaller, or chooses the colour and begins a new box.
        @inline(__always)
        mutating func use(
            _ other: ColorBox, _ preferred: @autoclosure () -> ColorBox.Lanes, isNew: Bool,
            _ colors: UnsafeMutablePointer<CellColor>, _ count: inout Int
        ) {
            guard isNew else { return box = box.intersection(other) }
            close(colors)
            self = OpenColor(box: other, preferredColor: preferred(), number: count)
            count += 1
        }
    }

    private(set) var count = 0
    private let cells: UnsafeMutablePointer<Cell>
    private let colors: UnsafeMutablePointer<CellColor>
    private var colorCount = 2
    private let drawings = CellDrawing.table
    private var foreground = OpenColor.unknown(number: 0)
    private var background = OpenColor.unknown(number: 1)

    /// - Parameter capacity: the maximum number of cells in an update.
    init(capacity: Int) {
        cells = .allocate(capacity: max(1, capacity))
        // Each cell sets at most two colours. Two more entries hold the unknown colours with which an update begins.
        colors = .allocate(capacity: capacity * 2 + 2)
    }

    deinit {
        cells.deallocate()
        colors.deallocate()
    }

    /// Begins an update. The current foreground and background of the terminal are unknown at this point.
    mutating func begin() {
        count = 0
        foreground = .unknown(number: 0)
        background = .unknown(number: 1)
        colorCount = 2
    }

    /// Ends an update. Chooses the colours of the last foreground and the last background from their boxes.
    mutating func finish() {
        foreground.close(colors)
        background.close(colors)
    }

    subscript(number: Int) -> Cell { cells[number] }

    /// Returns the colour with this number. Must be called after ``finish()``.
    func color(_ number: UInt32) -> CellColor { colors[Int(number)] }

    /// The properties of a cell that do not depend on the current colours: flags in the index of ``CellDrawing/table``.
    struct Kind: OptionSet {
        let rawValue: UInt8

        static let flat = Kind(rawValue: 16)
        /// The foreground cannot be the top half, which shows the background or whose glyph is often missing.
        static let excludesUpper = Kind(rawValue: 32)
        static let excludesLower = Kind(rawValue: 64)

        @inline(__always)
        init(rawValue: UInt8) { self.rawValue = rawValue }

        @inline(__always)
        init(isFlat: Bool, excludesUpper: Bool, excludesLower: Bool) {
            rawValue = (isFlat ? 16 : 0) | (excludesUpper ? 32 : 0) | (excludesLower ? 64 : 0)
        }

        /// - Parameter glyphs: the glyphs whose foreground fills the top and the bottom half; nil for half-blocks.
        @inline(__always)
        init(_ top: Half, _ bottom: Half, _ glyphs: (marked: PackedGlyph, rest: PackedGlyph)? = nil) {
            self.init(
                isFlat: top.box.overlaps(bottom.box),
                excludesUpper: top.isBackground || glyphs?.marked.isOftenMissing == true,
                excludesLower: bottom.isBackground || glyphs?.rest.isOftenMissing == true)
        }
    }

    /// Returns the cheapest way to draw a cell, given the current colours.
    @inline(__always)
    func cheapestDrawing(_ top: Half, _ bottom: Half, _ kind: Kind) -> CellDrawing {
        let fits: UInt8 =
            (foreground.box.overlaps(top.box) ? 1 : 0) | (foreground.box.overlaps(bottom.box) ? 2 : 0)
            | (background.box.overlaps(top.box) ? 4 : 0) | (background.box.overlaps(bottom.box) ? 8 : 0)
        return drawings[Int(fits | kind.rawValue)]
    }

    /// Adds a cell with the glyph and the colour changes of `drawing`. The drawing must come from a call of
    /// ``cheapestDrawing(_:_:_:)`` after the previous cell was added.
    @inline(__always)
    mutating func add(_ position: CellPosition, _ top: Half, _ bottom: Half, _ drawing: CellDrawing) {
        switch drawing.glyph {
        case .space:
            background.use(
                top.box.intersection(bottom.box), (top.preferredColor &+ bottom.preferredColor) &>> 1,
                isNew: drawing.setsBackground, colors, &colorCount)
        case .upper: draw(drawing, top, bottom)
        case .lower: draw(drawing, bottom, top)
        }
        append(position, drawing.glyph)
    }

    @inline(__always)
    private mutating func draw(_ drawing: CellDrawing, _ foregroundHalf: Half, _ backgroundHalf: Half) {
        foreground.use(
            foregroundHalf.box, foregroundHalf.preferredColor, isNew: drawing.setsForeground, colors, &colorCount)
        background.use(
            backgroundHalf.box, backgroundHalf.preferredColor, isNew: drawing.setsBackground, colors, &colorCount)
    }

    @inline(__always)
    private mutating func append(_ position: CellPosition, _ glyph: CellGlyph) {
        cells[count] = Cell(
            position: position, glyph: glyph, foreground: UInt32(truncatingIfNeeded: foreground.number),
            background: UInt32(truncatingIfNeeded: background.number))
        count += 1
    }
}

/// A box in RGB space. It contains the colours that are allowed for one or more half-cells.
///
/// The box has eight lanes. The first four lanes are the minimum of blue, green, red and kind; the other four lanes are
/// the negated maximum of each. Thus the lane-wise maximum of two boxes is their intersection. The kind is the highest
/// byte of ``CellColor/bits``, which distinguishes the special values from colours.
struct ColorBox {
    typealias Lanes = SIMD4<Int16>

    private var bounds: SIMD8<Int16>

    /// Creates the box of the colours that differ from `color` by at most `reach`, which has one number per channel.
    @inline(__always)
    init(_ color: CellColor, reach: UInt32) {
        let lanes = Self.lanes(color)
        let slack = Self.lanes(CellColor(bits: reach))
        let least = lanes &- slack
        let most = lanes &+ slack
        let limit = Lanes(repeating: 255)
        bounds = SIMD8(
            lowHalf: least.replacing(with: 0, where: least .< 0),
            highHalf: 0 &- most.replacing(with: limit, where: most .> limit))
    }

    @inline(__always)
    private init(bounds: SIMD8<Int16>) { self.bounds = bounds }

    @inline(__always)
    static func lanes(_ color: CellColor) -> Lanes {
        Lanes(truncatingIfNeeded: unsafeBitCast(color.bits, to: SIMD4<UInt8>.self))
    }

    /// Returns whether a change is gradual: at most 8 levels in each channel. A larger one is often new content.
    @inline(__always)
    static func isSmall(_ step: Lanes) -> Bool {
        // One unsigned comparison checks both bounds of a lane. In the kind lane, only a step of 0 is small.
        let raised = SIMD4<UInt16>(truncatingIfNeeded: step &+ Lanes(8, 8, 8, 0))
        return unsafeBitCast(raised .> SIMD4<UInt16>(16, 16, 16, 0), to: UInt64.self) == 0
    }

    /// Returns the intersection of two boxes. The intersection can be empty.
    @inline(__always)
    func intersection(_ other: ColorBox) -> ColorBox {
        ColorBox(bounds: bounds.replacing(with: other.bounds, where: other.bounds .> bounds))
    }

    /// Returns whether the boxes overlap. If every two boxes of a group overlap, at least one colour is in all.
    @inline(__always)
    func overlaps(_ other: ColorBox) -> Bool {
        // Compares the minimum of each box with the maximum of the other box. One addition does this for all lanes.
        let excess = bounds &+ SIMD8(lowHalf: other.bounds.highHalf, highHalf: other.bounds.lowHalf)
        let apart = unsafeBitCast(excess .> SIMD8<Int16>.zero, to: SIMD2<UInt64>.self)
        return apart[0] | apart[1] == 0
    }

    /// Returns the colour, among those in the box, that is nearest to `preferred`.
    @inline(__always)
    func color(nearestTo preferred: Lanes) -> CellColor {
        let least = bounds.lowHalf
        let most = 0 &- bounds.highHalf
        let raised = preferred.replacing(with: least, where: least .> preferred)
        let within = raised.replacing(with: most, where: raised .> most)
        return CellColor(bits: unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: within), to: UInt32.self))
    }
}

extension CellPlan {
    /// A candidate for the next cell of the plan. The number 0 means that no candidate was found.
    private struct Choice {
        var number: CellQueue.Node = 0
        var cost = Int32.max
        var drawing = CellDrawing()

        var isFree: Bool { number != 0 && drawing.isFree }
    }

    /// Adds all cells of the queue to the plan. After each cell, adds the cheapest of a few candidates: the next cell
    /// in row order and the nearest cells with a similar pair of colours. If each of these candidates must set a
    /// colour, the nearest cells with one similar colour become candidates too.
    ///
    /// A cursor move costs 1 to 8 bytes, and a colour 15 to 19 bytes. At most eight candidates are examined per cell.
    mutating func add(all queue: borrowing CellQueue) {
        if queue.isScattered { return addInRowOrder(queue) }
        var choice = Choice(number: queue.first, cost: 0)
        guard choice.number != 0 else { return }
        choice.drawing = cheapestDrawing(queue[choice.number])
        while choice.number != 0 {
            let number = choice.number
            let cell = queue[number]
            add(cell.position, cell.top, cell.bottom, choice.drawing)
            queue.remove(number)
            choice = best(after: number, CellPosition(row: cell.position.row, column: cell.position.column + 1), queue)
        }
    }

    private mutating func addInRowOrder(_ queue: borrowing CellQueue) {
        for number in 0..<queue.count {
            let cell = queue[CellQueue.Node(truncatingIfNeeded: number + 1)]
            add(cell.position, cell.top, cell.bottom, cheapestDrawing(cell))
        }
    }

    @inline(__always)
    private func cheapestDrawing(_ cell: CellQueue.Cell) -> CellDrawing {
        cheapestDrawing(cell.top, cell.bottom, cell.kind)
    }

    /// Returns the cheapest of the candidates that can follow cell `number` in the plan.
    /// - Parameter cursor: the position of the terminal's cursor in the picture.
    @inline(__always)
    private func best(
        after number: CellQueue.Node, _ cursor: CellPosition, _ queue: borrowing CellQueue
    ) -> Choice {
        var choice = Choice()
        consider(queue.next(number, CellQueue.rowOrderList), cursor, queue, &choice)
        if choice.cost <= 3 { return choice }
        consider(queue.next(number, CellQueue.pairList), cursor, queue, &choice)
        if choice.isFree { return choice }
        consider(queue.previous(number, CellQueue.pairList), cursor, queue, &choice)
        if choice.isFree { return choice }
        for list in CellQueue.topList...CellQueue.bottomList {
            consider(queue.next(number, list), cursor, queue, &choice)
            // If the best candidate costs at most 24 bytes, the previous cell in the list is rarely cheaper.
            if choice.cost > 24 { consider(queue.previous(number, list), cursor, queue, &choice) }
        }
        // A cost above 30 means that each candidate sets two colours, or that there is no candidate. Therefore the
        // first remaining cell becomes a candidate too. Adding it now can avoid a cursor move back to it.
        if choice.cost > 30 { consider(queue.first, cursor, queue, &choice) }
        return choice
    }

    /// Replaces `choice` with cell `number` if that cell costs less.
    @inline(__always)
    private func consider(
        _ number: CellQueue.Node, _ cursor: CellPosition, _ queue: borrowing CellQueue, _ choice: inout Choice
    ) {
        guard number != 0 else { return }
        let moveCost = CursorAddressing.estimate(from: cursor, to: queue[number].position)
        guard moveCost < choice.cost else { return }
        let drawing = cheapestDrawing(queue[number])
        let cost = moveCost + drawing.cost
        guard cost < choice.cost else { return }
        choice = Choice(number: number, cost: cost, drawing: drawing)
    }
}
