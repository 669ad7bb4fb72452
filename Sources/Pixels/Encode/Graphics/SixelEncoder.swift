/// Draws pictures with sixel graphics. A sixel image consists of bands of six pixel rows. Each band is sent one colour
/// after another.
///
/// An update is an image of the size of the picture. It contains only the changed pixels. The terminal keeps the other
/// pixels, because the image has a transparent background. The position and the size of the image are always the same,
/// because xterm then draws into the existing image instead of adding an image.
public final class SixelEncoder: PictureEncoder {
    private let size: PixelSize
    private let addressing: CursorAddressing
    /// The colour for pixels that become transparent, because sixels cannot erase pixels.
    private let background: CellColor
    private let sendsWholePictures: Bool
    /// The raster colours of the displayed pixels, before the conversion to palette colours.
    private let shown: UnsafeMutableBufferPointer<CellColor>
    private var palette: SixelPalette
    private var band: SixelBand

    /// - Parameters:
    ///   - size: the ``PictureRaster/size`` of all rasters that will be encoded.
    ///   - background: the background colour of the terminal.
    ///   - colors: the number of colour registers of the terminal.
    ///   - sendsWholePictures: whether each update contains all pixels, for terminals such as mlterm, in which the
    ///     transparent pixels of an image erase the cells below.
    public init(
        size: PixelSize, addressing: CursorAddressing, background: CellColor, colors: Int = 256,
        sendsWholePictures: Bool = false
    ) {
        (self.size, self.addressing) = (size, addressing)
        (self.background, self.sendsWholePictures) = (background, sendsWholePictures)
        shown = .allocate(capacity: size.area)
        shown.initialize(repeating: .unknown)
        palette = SixelPalette(limit: max(2, min(256, colors)))
        band = SixelBand(width: size.width)
    }

    deinit { shown.deallocate() }

    public func assumeCleared() { shown.update(repeating: .terminalDefault) }

    public func end(keepsPicture: Bool, into out: inout ByteBuffer) {}

    public func encode(
        _ raster: borrowing PictureRaster, dirty: PixelRect, fidelity: Fidelity, into out: inout ByteBuffer,
        recording changes: inout CellChanges?
    ) {
        precondition(raster.size == size)
        let area = dirty.intersection(PixelRect(size))
        guard !area.isEmpty else { return }
        let pixels = UnsafeBufferPointer(raster.pixels)
        let hasNewColors = hasNewColors(pixels, area, fidelity.tolerance, &palette)
        if hasNewColors { palette.build(from: pixels, width: size.width, adding: background) }
        let isWhole = hasNewColors || sendsWholePictures
        if isWhole { forgetColors() }
        write(pixels, isWhole ? PixelRect(size) : area, fidelity.tolerance, into: &out)
    }

    /// Makes the next update send all pixels. Pixels that still show the terminal's background are left out, unless a
    /// transparent pixel would erase them.
    private func forgetColors() {
        for index in shown.indices where sendsWholePictures || shown[index] != .terminalDefault {
            shown[index] = .unknown
        }
    }

    /// Returns whether the palette must be replaced, because it does not fit the changed pixels in `area`. The palette is
    /// an argument here and below, because Swift checks each access to a property of a class for exclusivity.
    private func hasNewColors(
        _ pixels: UnsafeBufferPointer<CellColor>, _ area: PixelRect, _ tolerance: ColorTolerance,
        _ palette: inout SixelPalette
    ) -> Bool {
        palette.beginFitting()
        for y in area.y..<area.maxY {
            for index in y * size.width + area.x..<y * size.width + area.maxX {
                let color = pixels[index]
                guard color.differs(from: shown[index], by: tolerance) else { continue }
                if !palette.fit(color.isColor ? color : background) { return true }
            }
        }
        return !palette.endFitting()
    }

    private func write(
        _ pixels: UnsafeBufferPointer<CellColor>, _ area: PixelRect, _ tolerance: ColorTolerance,
        into out: inout ByteBuffer
    ) {
        var isBegun = false
        var skippedBands = area.y / 6
        palette.beginUpdate()
        for top in stride(from: area.y / 6 * 6, to: area.maxY, by: 6) {
            collect(pixels, top, area, tolerance, &palette, &band)
            guard !band.isEmpty else {
                skippedBands += 1
                continue
            }
            if !isBegun { begin(&out) }
            isBegun = true
            for _ in 0..<skippedBands { out.append(UInt8(ascii: "-")) }
            skippedBands = 1
            band.write(&palette, into: &out)
        }
        guard isBegun else { return }
        out.append("\u{1B}\\")
        addressing.endImage(into: &out)
    }

    /// Adds the changed pixels of the band that begins at row `top`, and records that the terminal shows them.
    private func collect(
        _ pixels: UnsafeBufferPointer<CellColor>, _ top: Int, _ area: PixelRect, _ tolerance: ColorTolerance,
        _ palette: inout SixelPalette, _ band: inout SixelBand
    ) {
        var last = (color: background, register: palette.register(background))
        for y in max(top, area.y)..<min(top + 6, area.maxY) {
            let bit = UInt8(1) << UInt8(y - top)
            let start = y * size.width
            for x in area.x..<area.maxX {
                let color = pixels[start + x]
                guard color.differs(from: shown[start + x], by: tolerance) else { continue }
                shown[start + x] = color
                let wanted = color.isColor ? color : background
                if wanted != last.color { last = (wanted, palette.register(wanted)) }
                band.set(x, bit, last.register)
            }
        }
    }

    /// Appends the start of an image at the position of the picture. Its pixels are square, and pixels without a colour
    /// stay unchanged.
    private func begin(_ out: inout ByteBuffer) {
        addressing.beginImage(into: &out)
        out.append("\u{1B}P0;1;0q\"1;1;")
        out.appendDecimal(size.width)
        out.append(";")
        out.appendDecimal(size.height)
    }
}

/// The changed pixels of a band of six pixel rows. Each column of each colour register has one bit per row.
///
/// A band is written in passes from left to right. A pass contains pieces of several registers. A piece may also draw
/// pixels of later pieces, because that makes its runs longer. This takes 0.8 times the bytes of one exact pass per
/// register.
struct SixelBand: ~Copyable {
    private let width: Int
    /// The columns of each register, one byte per column. For a register in `used`, only the columns from `first` to
    /// `last` can be non-zero. For all other registers, every column is 0.
    private let bits: UnsafeMutablePointer<UInt8>
    /// The columns of the pixels that are not yet written, of all registers.
    private let pending: UnsafeMutablePointer<UInt8>
    private var first = [Int](repeating: 0, count: 256)
    private var last = [Int](repeating: -1, count: 256)
    private var used: [UInt8] = []
    /// Columns of one register, without a gap that is longer than 31 columns.
    private typealias Piece = (register: UInt8, start: Int, end: Int)
    private var pieces: [Piece] = []

    init(width: Int) {
        self.width = width
        bits = .allocate(capacity: 257 * width)
        bits.initialize(repeating: 0, count: 257 * width)
        pending = bits + 256 * width
        used.reserveCapacity(256)
    }

    deinit { bits.deallocate() }

    var isEmpty: Bool { used.isEmpty }

    /// Adds a pixel. The pixels of a row must be added from left to right.
    @inline(__always)
    mutating func set(_ column: Int, _ bit: UInt8, _ register: UInt8) {
        let index = Int(register)
        if last[index] < 0 {
            used.append(register)
            first[index] = column
        }
        first[index] = min(first[index], column)
        last[index] = max(last[index], column)
        // With subscripts, the compiler of Swift 6.3 fails for the thread sanitizer.
        (bits + index * width + column).pointee |= bit
        (pending + column).pointee |= bit
    }

    /// Appends the band without the final line feed (`-`), then empties the band.
    mutating func write(_ palette: inout SixelPalette, into out: inout ByteBuffer) {
        for register in used { split(register) }
        used.removeAll(keepingCapacity: true)
        pieces.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        while !pieces.isEmpty {
            var (column, kept) = (0, 0)
            for index in pieces.indices {
                let piece = pieces[index]
                if piece.start < column {
                    pieces[kept] = piece
                    kept += 1
                } else {
                    palette.select(piece.register, into: &out)
                    Self.writeRun(0, piece.start - column, into: &out)
                    writeColumns(piece, into: &out)
                    column = piece.end
                }
            }
            pieces.removeSubrange(kept...)
            if kept > 0 { out.append(UInt8(ascii: "$")) }
        }
    }

    /// Divides the columns of a register into pieces.
    private mutating func split(_ register: UInt8) {
        let columns = bits + Int(register) * width
        let end = last[Int(register)] + 1
        last[Int(register)] = -1
        var (start, column) = (first[Int(register)], first[Int(register)])
        while column < end {
            let gap = column
            // Gaps are often long, so eight columns are skipped at once.
            let raw = UnsafeRawPointer(columns)
            while column + 8 <= end, raw.loadUnaligned(fromByteOffset: column, as: UInt64.self) == 0 { column += 8 }
            while columns[column] == 0 { column += 1 }
            if column - gap > 31 {
                pieces.append((register, start, gap))
                start = column
            }
            while column < end, columns[column] != 0 { column += 1 }
        }
        pieces.append((register, start, end))
    }

    /// Appends the columns of a piece with run lengths, and sets them to 0.
    private func writeColumns(_ piece: Piece, into out: inout ByteBuffer) {
        let columns = bits + Int(piece.register) * width
        var column = piece.start
        while column < piece.end {
            let start = column
            // A run is the longest one that ends with a column of this register and draws only pending pixels.
            var (needed, allowed, value, next) = (UInt8(0), UInt8(0x3F), UInt8(0), column)
            while next < piece.end {
                needed |= columns[next]
                allowed &= pending[next]
                guard needed & ~allowed == 0 else { break }
                next += 1
                if columns[next - 1] != 0 { (value, column) = (needed, next) }
            }
            while column == start || value == 0 && columns[column] == 0 { column += 1 }
            Self.writeRun(value, column - start, into: &out)
        }
        for column in piece.start..<piece.end {
            pending[column] &= ~columns[column]
            columns[column] = 0
        }
    }

    /// Appends `count` equal columns. Uses a run length for four or more columns, because it is then shorter.
    private static func writeRun(_ value: UInt8, _ count: Int, into out: inout ByteBuffer) {
        out.reserve(24)
        if count > 3 {
            out.appendUnchecked(UInt8(ascii: "!"))
            out.appendDecimalUnchecked(count)
            out.appendUnchecked(0x3F + value)
        } else {
            for _ in 0..<count { out.appendUnchecked(0x3F + value) }
        }
    }
}
