/// Writes cells and cursor moves as bytes. Tracks the current colours and the position of the cursor.
///
/// Each update uses a new writer, which assumes nothing about the terminal's state, because other output can precede.
struct CellWriter: ~Copyable {
    private var foreground = CellColor.unknown
    private var background = CellColor.unknown
    /// The character of a cell that shows only the background. This is a space or, on a terminal without colours, the
    /// character that stands for the lightness.
    private var blank: UInt8 = 0x20
    private var row = -1
    private var column = -1
    private let addressing: CursorAddressing
    private let width: Int

    /// The maximum number of bytes for a cell, including its colours and the cursor move before the cell.
    static let longestCell = 64

    /// - Parameter width: the width of the picture in cells.
    init(_ addressing: CursorAddressing, width: Int) {
        self.addressing = addressing
        self.width = width
    }

    /// Records that the cursor is already at the first cell, so that no move is written.
    mutating func assumeAtFirstCell() {
        row = 0
        column = 0
    }

    // MARK: - Pictures on a screen with text

    /// Moves the cursor to a cell of the picture. Rows and columns are counted from 0.
    mutating func move(row newRow: Int, column newColumn: Int, _ out: inout ByteBuffer) {
        if newRow != row || newColumn != column { move(newRow, newColumn, &out) }
    }

    /// Chooses the cheapest glyph for a cell with these two colours and writes it at the cursor. `out` must have
    /// capacity for ``longestCell`` more bytes.
    /// - Parameter glyphs: two glyphs; nil for half-blocks. The foreground of `marked` fills the part of the cell that
    ///   has the colour `top`. The foreground of `rest` fills the part that has the colour `bottom`.
    /// - Returns: the two colours that the cell then shows. Each is within `tolerance` of the requested one.
    mutating func write(
        _ top: CellColor, _ bottom: CellColor, within tolerance: ColorTolerance,
        glyphs: (marked: PackedGlyph, rest: PackedGlyph)? = nil, _ out: inout ByteBuffer
    ) -> (top: CellColor, bottom: CellColor) {
        let fits: UInt8 =
            (top.differs(from: foreground, by: tolerance) ? 0 : 1)
            | (bottom.differs(from: foreground, by: tolerance) ? 0 : 2)
            | (top.differs(from: background, by: tolerance) ? 0 : 4)
            | (bottom.differs(from: background, by: tolerance) ? 0 : 8)
        let kind = CellPlan.Kind(
            isFlat: top == bottom || fits & 12 == 12,
            excludesUpper: top == .terminalDefault || glyphs?.marked.isOftenMissing == true,
            excludesLower: bottom == .terminalDefault || glyphs?.rest.isOftenMissing == true)
        let drawing = CellDrawing.table[Int(fits | kind.rawValue)]
        let newForeground = drawing.setsForeground ? (drawing.glyph == .upper ? top : bottom) : foreground
        let newBackground = drawing.setsBackground ? (drawing.glyph == .upper ? bottom : top) : background
        if let glyphs, drawing.glyph != .space {
            let glyph = drawing.glyph == .upper ? glyphs.marked : glyphs.rest
            write(row: row, column: column, glyph, newForeground, newBackground, &out)
        } else {
            write(row: row, column: column, drawing.glyph, newForeground, newBackground, &out)
        }
        return (
            drawing.glyph == .upper ? newForeground : newBackground,
            drawing.glyph == .lower ? newForeground : newBackground
        )
    }

    /// Resets all attributes. Afterwards, the background is the terminal's own, and the foreground counts as unknown.
    mutating func reset(_ out: inout ByteBuffer) {
        out.append("\u{1B}[0m")
        foreground = .unknown
        background = .terminalDefault
        blank = 0x20
    }

    /// Records that the caller wrote one cell at the cursor.
    mutating func advance() { column += 1 }

    /// Records that the position of the cursor is unknown.
    mutating func forgetPosition() { row = -1 }

    /// Ends the update. Resets the colours and moves the cursor to the idle row of
    /// ``CursorAddressing/inline(idleRow:)``.
    mutating func finish(_ out: inout ByteBuffer) {
        out.reserve(Self.longestCell)
        let isPlain = background == .unknown || background.isCharacter
        if foreground != .unknown || !isPlain { out.append("\u{1B}[0m") }
        if row >= 0 { addressing.moveToIdleRow(from: row, &out) }
    }

    /// Writes a cell of the picture. Rows and columns are counted from 0. `out` must have capacity for ``longestCell``
    /// more bytes.
    /// - Parameter newForeground: the foreground; ignored if the glyph is a space.
    @inline(__always)
    mutating func write(
        row newRow: Int, column newColumn: Int, _ glyph: CellGlyph, _ newForeground: CellColor,
        _ newBackground: CellColor, _ out: inout ByteBuffer
    ) {
        if newRow != row || newColumn != column { move(newRow, newColumn, &out) }
        column += 1
        switch glyph {
        case .space:
            setColorsIfChanged(foreground, newBackground, &out)
            out.appendUnchecked(blank)
        case .upper:
            setColorsIfChanged(newForeground, newBackground, &out)
            out.appendUnchecked(packed: ControlSequence.upperHalfBlock, length: 3)
        case .lower:
            setColorsIfChanged(newForeground, newBackground, &out)
            out.appendUnchecked(packed: ControlSequence.lowerHalfBlock, length: 3)
        }
    }

    /// Writes a cell with any glyph. Rows and columns are counted from 0. `out` must have capacity for ``longestCell``
    /// more bytes.
    /// - Parameter newForeground: the foreground; ignored if the glyph is a space.
    @inline(__always)
    mutating func write(
        row newRow: Int, column newColumn: Int, _ glyph: PackedGlyph, _ newForeground: CellColor,
        _ newBackground: CellColor, _ out: inout ByteBuffer
    ) {
        if newRow != row || newColumn != column { move(newRow, newColumn, &out) }
        column += 1
        setColorsIfChanged(glyph.packed == 0x20 ? foreground : newForeground, newBackground, &out)
        out.appendUnchecked(packed: glyph.packed, length: glyph.length)
    }

    @inline(never)
    private mutating func move(_ newRow: Int, _ newColumn: Int, _ out: inout ByteBuffer) {
        // After a cell in the last column of the picture, the cursor's column is treated as unknown. The reason is that
        // the terminal does not advance the cursor if this is also the last column of the screen.
        addressing.move(from: row, column < width ? column : nil, to: newRow, newColumn, &out)
        row = newRow
        column = newColumn
    }

    @inline(__always)
    private mutating func setColorsIfChanged(
        _ newForeground: CellColor, _ newBackground: CellColor, _ out: inout ByteBuffer
    ) {
        guard newForeground != foreground || newBackground != background else { return }
        setColors(newForeground, newBackground, &out)
    }

    /// Writes one SGR sequence that sets the changed colours. At least one of the two colours must have changed.
    @inline(__always)
    private mutating func setColors(_ newForeground: CellColor, _ newBackground: CellColor, _ out: inout ByteBuffer) {
        if newBackground.isCharacter {
            blank = CharacterRamp.characters[newBackground.number]
            background = newBackground
            return
        }
        out.appendUnchecked(0x1B)
        out.appendUnchecked(0x5B)
        if newForeground != foreground {
            appendColor(UInt32(UInt8(ascii: "3")), newForeground, &out)
            foreground = newForeground
        }
        if newBackground != background {
            if newBackground == .terminalDefault {
                out.appendUnchecked(packed: 0x3B_3934, length: 3)  // "49;"
            } else {
                appendColor(UInt32(UInt8(ascii: "4")), newBackground, &out)
            }
            background = newBackground
        }
        out.replaceLastUnchecked(with: UInt8(ascii: "m"))
    }

    @inline(__always)
    private func appendColor(_ plane: UInt32, _ color: CellColor, _ out: inout ByteBuffer) {
        guard color.isColor else { return appendPaletteColor(plane, color.number, &out) }
        out.appendUnchecked(packed: plane | 0x32_3B38 << 8, length: 4)  // "38;2"
        out.appendUnchecked(UInt8(ascii: ";"))
        let decimals = ControlSequence.decimals
        let red = decimals[color.red]
        out.appendUnchecked(packed: red.packed, length: red.length)
        let green = decimals[color.green]
        out.appendUnchecked(packed: green.packed, length: green.length)
        let blue = decimals[color.blue]
        out.appendUnchecked(packed: blue.packed, length: blue.length)
    }

    /// Appends `3N;`, `9N;` or `38;5;N;` for the foreground (`plane` is "3"), or `4N;`, `10N;` or `48;5;N;` for the
    /// background (`plane` is "4").
    @inline(never)
    private func appendPaletteColor(_ plane: UInt32, _ number: Int, _ out: inout ByteBuffer) {
        if number >= 16 {
            out.appendUnchecked(packed: plane | 0x35_3B38 << 8, length: 4)  // "38;5"
            out.appendUnchecked(UInt8(ascii: ";"))
            let decimal = ControlSequence.decimals[number]
            out.appendUnchecked(packed: decimal.packed, length: decimal.length)
        } else {
            let isForeground = plane == UInt32(UInt8(ascii: "3"))
            let first = number < 8 ? (isForeground ? 30 : 40) : isForeground ? 82 : 92
            let decimal = ControlSequence.decimals[first + number]
            out.appendUnchecked(packed: decimal.packed, length: decimal.length)
        }
    }
}

/// Parts of the control sequences (ECMA-48) of pictures, each in an integer, so that one store instruction writes it.
enum ControlSequence {
    /// The strings `"0;"` to `"255;"` with their lengths in bytes. Each is packed into four bytes.
    // All threads can safely read the table, because it is written only here and never freed.
    nonisolated(unsafe) static let decimals: UnsafePointer<(packed: UInt32, length: Int)> = {
        let table = UnsafeMutablePointer<(packed: UInt32, length: Int)>.allocate(capacity: 256)
        for value in 0..<256 {
            var (packed, length, rest) = (UInt32(UInt8(ascii: ";")), 1, value)
            repeat {
                packed = packed << 8 | UInt32(UInt8(ascii: "0")) + UInt32(rest % 10)
                (length, rest) = (length + 1, rest / 10)
            } while rest > 0
            (table + value).initialize(to: (packed, length))
        }
        return UnsafePointer(table)
    }()

    /// The UTF-8 encoding of U+2580 (▀). The first byte of the encoding is the lowest byte.
    static let upperHalfBlock: UInt32 = 0x8096E2
    /// The UTF-8 encoding of U+2584 (▄). The first byte of the encoding is the lowest byte.
    static let lowerHalfBlock: UInt32 = 0x8496E2
}

/// A way to draw a cell: its glyph, the colours that must be set before the glyph, and the cost in bytes.
struct CellDrawing {
    var glyph = CellGlyph.space
    var setsForeground = false
    var setsBackground = false
    /// The approximate number of bytes without the cursor move: 1 or 3 bytes for the glyph, 15 bytes for each colour
    /// that must be set, and 3 bytes for the SGR sequence around the colours.
    private(set) var cost: Int32 = 1

    var isFree: Bool { !setsForeground && !setsBackground }

    private init(_ glyph: CellGlyph, setsForeground: Bool, setsBackground: Bool) {
        (self.glyph, self.setsForeground, self.setsBackground) = (glyph, setsForeground, setsBackground)
        let colors: Int32 = (setsForeground ? 15 : 0) + (setsBackground ? 15 : 0)
        cost = (glyph == .space ? 1 : 3) + (colors > 0 ? colors + 3 : 0)
    }

    init() {}

    /// The cheapest drawing for each combination of flags. A space in the current background is the cheapest drawing of
    /// all, followed by a glyph in the current colours.
    ///
    /// The index is a sum of flags. Flags 1 and 2: the current foreground can show the top half (1) or the bottom half
    /// (2). Flags 4 and 8: the current background can show the top half (4) or the bottom half (8). The other flags are
    /// those of ``CellPlan/Kind``.
    // All threads can safely read the table, because it is written only here and never freed.
    nonisolated(unsafe) static let table: UnsafePointer<CellDrawing> = {
        let table = UnsafeMutablePointer<CellDrawing>.allocate(capacity: 128)
        for number in 0..<128 { (table + number).initialize(to: cheapest(UInt8(number))) }
        return UnsafePointer(table)
    }()

    private static func cheapest(_ bits: UInt8) -> CellDrawing {
        let kind = CellPlan.Kind(rawValue: bits)
        let upper = CellDrawing(.upper, setsForeground: bits & 1 == 0, setsBackground: bits & 8 == 0)
        let lower = CellDrawing(.lower, setsForeground: bits & 2 == 0, setsBackground: bits & 4 == 0)
        if kind.contains(.flat) {
            let fits = bits & 12 == 12
            // A cell of one colour is never drawn as a full block, although a full block in the current foreground
            // would need no SGR sequence. In some fonts, the full block does not fill the cell (xterm with scalable
            // fonts), so the background would be visible as a grid. Using spaces instead increases the output by 1 to 4
            // percent.
            if fits || !(upper.isFree || lower.isFree) {
                return CellDrawing(.space, setsForeground: false, setsBackground: !fits)
            }
        }
        if kind.contains(.excludesUpper) { return lower }
        return lower.cost < upper.cost && !kind.contains(.excludesLower) ? lower : upper
    }
}

/// The glyph of a picture cell: which half the foreground colour fills. A space shows only the background.
enum CellGlyph: UInt8 {
    case space
    case upper
    case lower
}

/// The position of a cell in the picture. Rows and columns are counted from 0.
struct CellPosition {
    var row: Int32
    var column: Int32
}
