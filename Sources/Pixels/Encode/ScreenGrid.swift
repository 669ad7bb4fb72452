/// One cell of a pane. A cell shows either text or a part of a picture.
public struct ScreenCell: Equatable, Sendable {
    /// In a picture, the colour of the upper half or the marked subcells. In text, ``textMark`` and the number.
    let upper: UInt32
    /// In a picture cell, the colour of the lower half, or of the other subcells. In a text cell, the attributes and,
    /// above bit 7, the number of the link.
    let lower: UInt32

    private static let textMark: UInt32 = 0x8000_0000
    /// The right half of a character that is two cells wide.
    public static let continuation = ScreenCell(upper: textMark | 0x7FFF_FFFF, lower: 0)
    /// A cell that shows only the terminal's own background.
    public static let blank = ScreenCell(top: .terminalDefault, bottom: .terminalDefault)

    /// A blank cell over which the terminal draws a part of an image.
    /// - Parameter number: a different number for each image, because a cell of another image must be blanked first.
    public static func image(_ number: Int) -> ScreenCell {
        ScreenCell(upper: imageMark, lower: UInt32(truncatingIfNeeded: number))
    }
    private static let imageMark = textMark | 0x7FFF_FFFE
    var isImage: Bool { upper == Self.imageMark }

    private init(upper: UInt32, lower: UInt32) {
        self.upper = upper
        self.lower = lower
    }

    @inline(__always)
    public init(top: CellColor, bottom: CellColor) {
        upper = top.bits
        lower = bottom.bits
    }

    /// - Parameters:
    ///   - glyph: the number that ``GlyphTable/index(of:)`` returns.
    ///   - link: the number that ``GlyphTable/number(ofLink:)`` returns.
    public init(glyph: UInt32, _ attributes: TextAttributes, link: UInt32 = 0) {
        // A space without attributes looks like a blank cell. The same value for both prevents unnecessary updates.
        if glyph == 0x20, attributes == [], link == 0 {
            self = .blank
        } else {
            self.init(upper: Self.textMark | glyph, lower: UInt32(attributes.rawValue) | link << 8)
        }
    }

    @inline(__always)
    var isText: Bool { upper & Self.textMark != 0 }
    var glyph: UInt32 { upper & ~Self.textMark }
    var attributes: TextAttributes { TextAttributes(rawValue: UInt8(truncatingIfNeeded: lower)) }
    /// See ``GlyphTable/number(ofLink:)``; 0 for pictures.
    var link: UInt32 { isText && !isImage && self != .continuation ? lower >> 8 : 0 }

    /// Returns whether a terminal that shows `other` needs an update to show this cell.
    @inline(__always)
    func differs(from other: ScreenCell, by tolerance: ColorTolerance) -> Bool {
        if self == other { return false }
        if isText || other.isText { return true }
        return pictureDiffers(from: other, by: tolerance)
    }
}

/// The attributes of a character: SGR 1, 2, 4, 7 and a colour.
public struct TextAttributes: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = TextAttributes(rawValue: 1)
    public static let dim = TextAttributes(rawValue: 2)
    public static let underlined = TextAttributes(rawValue: 4)
    public static let reversed = TextAttributes(rawValue: 8)
    /// See ``ColorFormat/accent(on:)``.
    public static let accented = TextAttributes(rawValue: 16)
}

/// Assigns numbers to characters. The number of a character with one scalar is the value of that scalar. The numbers of
/// characters with several scalars are above all scalar values.
public struct GlyphTable {
    private var clusters: [String] = []
    private var numbers: [String: UInt32] = [:]
    private var links: [String] = []
    private static let firstCluster: UInt32 = 0x11_0000

    public init() {}

    public mutating func index(of character: Character) -> UInt32 {
        let scalars = character.unicodeScalars
        if scalars.count == 1, let scalar = scalars.first { return scalar.value }
        let text = String(character)
        if let known = numbers[text] { return known }
        let number = Self.firstCluster + UInt32(clusters.count)
        clusters.append(text)
        numbers[text] = number
        return number
    }

    /// Returns a number for the address of a link, from 1. The address must be printable ASCII.
    public mutating func number(ofLink address: String) -> UInt32 {
        if let known = links.lastIndex(of: address) { return UInt32(known + 1) }
        links.append(address)
        return UInt32(links.count)
    }

    /// Appends the sequence (OSC 8) that begins the link with this number, or ends a link if the number is 0.
    func appendLink(_ number: UInt32, to out: inout ByteBuffer) {
        out.append("\u{1B}]8;;")
        if number > 0, number <= links.count { out.append(links[Int(number) - 1]) }
        out.append("\u{1B}\\")
    }

    func append(_ glyph: UInt32, to out: inout ByteBuffer) {
        if glyph >= Self.firstCluster {
            let index = Int(glyph - Self.firstCluster)
            if index < clusters.count { out.append(clusters[index]) }
        } else if let scalar = Unicode.Scalar(glyph) {
            for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { out.append(unit) }
        }
    }
}

/// The cells of a whole pane, top row first.
public struct ScreenGrid: ~Copyable {
    public let size: CellSize
    public let cells: UnsafeMutableBufferPointer<ScreenCell>

    public init(size: CellSize) {
        self.size = size
        cells = .allocate(capacity: size.columns * size.rows)
        cells.initialize(repeating: .blank)
    }

    deinit { cells.deallocate() }

    public func clear() { cells.update(repeating: .blank) }

    /// Sets a cell. Does nothing if the position is outside the pane.
    @inline(__always)
    public func set(_ cell: ScreenCell, row: Int, column: Int) {
        guard row >= 0, row < size.rows, column >= 0, column < size.columns else { return }
        cells[row * size.columns + column] = cell
    }

    /// Draws a picture, clipped to the pane. Each cell takes two values of `pixels`, one above the other: the colours
    /// of its half-blocks, or the values from ``ScreenCellFitter/cells(of:)``.
    /// - Parameters:
    ///   - width: the number of cells in each row of the picture.
    ///   - row: the row of the picture's top edge; can be outside the pane.
    ///   - column: the column of the picture's left edge; can be outside the pane.
    ///   - visible: the rows of the pane in which the picture is visible.
    ///   - ground: the colour into which the picture fades; nil to draw it as it is.
    public func draw(
        _ pixels: [CellColor], width: Int, row: Int, column: Int, visible: Range<Int>,
        fadedInto ground: CellColor? = nil
    ) {
        guard width > 0 else { return }
        let rows = (row..<row + pixels.count / width / 2).clamped(to: 0..<size.rows).clamped(to: visible)
        let columns = (column..<column + width).clamped(to: 0..<size.columns)
        for y in rows {
            let upper = (y - row) * 2 * width - column
            for x in columns {
                let (top, bottom) = (pixels[upper + x], pixels[upper + width + x])
                cells[y * size.columns + x] =
                    ground.map { ScreenCell(top: top.faded(into: $0), bottom: bottom.faded(into: $0)) }
                    ?? ScreenCell(top: top, bottom: bottom)
            }
        }
    }
}

/// Converts rasters to the picture cells of a ``ScreenGrid``, two values per cell.
public struct ScreenCellFitter: ~Copyable {
    private let grid: SubcellGrid?
    private let fitter: SubcellFitter

    public init(_ mode: PictureMode) {
        if case .subcells(let grid) = mode { self.grid = grid } else { grid = nil }
        fitter = SubcellFitter(grid ?? .quadrant)
    }

    /// Returns two values per cell. For each row of cells, all upper values come before all lower values. The values
    /// are the colours of half-blocks, or subcell patterns encoded as in ``ScreenCell``.
    public func cells(of raster: borrowing PictureRaster) -> [CellColor] {
        guard grid != nil else { return Array(raster.pixels) }
        let columns = raster.cells.columns
        var cells = Array(repeating: CellColor.terminalDefault, count: columns * raster.cells.rows * 2)
        for row in 0..<raster.cells.rows {
            for column in 0..<columns {
                let cell = ScreenCell(fitter.fit(raster, row: row, column: column))
                cells[row * 2 * columns + column] = CellColor(bits: cell.upper)
                cells[(row * 2 + 1) * columns + column] = CellColor(bits: cell.lower)
            }
        }
        return cells
    }
}

extension PictureMode {
    /// Converts the size of a picture from half-blocks to the pixels of this mode. Both sizes fill the same cells.
    public func target(_ halfBlocks: PixelSize) -> PixelSize {
        let cell = pixelsPerCell
        return PixelSize(width: halfBlocks.width * cell.width, height: (halfBlocks.height * cell.height + 1) / 2)
    }
}

extension ScreenCell {
    /// Creates a cell with a pattern. Bits 27 to 30 of each colour, which are 0 in every ``CellColor``, hold one half of
    /// the mask. The mask of a half-block cell is 0.
    init(_ pattern: SubcellPattern) {
        // A cell of one colour gets the mask 0, so that it equals a half-block cell, such as a blank cell.
        let mask = pattern.marked == pattern.rest ? 0 : UInt32(pattern.mask)
        self.init(
            top: CellColor(bits: pattern.marked.bits | (mask & 15) << 27),
            bottom: CellColor(bits: pattern.rest.bits | (mask >> 4) << 27))
    }

    /// The subcells of a picture cell that the colour ``top`` fills; 0 for half-blocks.
    @inline(__always)
    var mask: UInt8 { UInt8(truncatingIfNeeded: upper >> 27 & 15 | lower >> 23 & 0xF0) }
    @inline(__always)
    var top: CellColor { CellColor(bits: upper & 0x7FF_FFFF) }
    @inline(__always)
    var bottom: CellColor { CellColor(bits: lower & 0x7FF_FFFF) }

    /// Returns whether a terminal that shows the picture cell `other` needs an update to show this picture cell.
    @inline(__always)
    func pictureDiffers(from other: ScreenCell, by tolerance: ColorTolerance) -> Bool {
        if mask == other.mask {
            return top.differs(from: other.top, by: tolerance) || bottom.differs(from: other.bottom, by: tolerance)
        }
        // Half-block cells with two colours also have the mask 0. They cannot be compared with a pattern.
        guard mask != 0 || top == bottom, other.mask != 0 || other.top == other.bottom else { return true }
        let pattern = SubcellPattern(mask: mask, marked: top, rest: bottom)
        let otherPattern = SubcellPattern(mask: other.mask, marked: other.top, rest: other.bottom)
        // The grid is unknown here, so eight subcells are compared. At worst, an unchanged cell is sent.
        return pattern.differs(from: otherPattern, by: tolerance, .max)
    }
}

extension CellColor {
    /// Returns 5/8 of this colour and 3/8 of `ground`. Bits of a pattern stay; see ``ScreenCell/mask``.
    func faded(into ground: CellColor) -> CellColor {
        guard bits & 0x700_0000 == 0 else { return self }
        let own = (bits & 0xFE_FEFE) >> 1 + (bits & 0xF8_F8F8) >> 3
        let other = (ground.bits & 0xFC_FCFC) >> 2 + (ground.bits & 0xF8_F8F8) >> 3
        return CellColor(bits: bits & 0x7800_0000 | (own + other))
    }
}
