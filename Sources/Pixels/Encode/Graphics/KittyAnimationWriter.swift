/// Writes a GIF as one image of the kitty graphics protocol with all its frames, and then the command that makes the
/// terminal repeat them by itself. Needs no reply of the terminal, so the bytes suit a pipe.
///
/// The pixels are those of the GIF; the terminal scales them to the cells. Scaled before, the built-in GIFs would need
/// 280 to 3,346 KB instead of 5 to 343 KB.
public final class KittyAnimationWriter {
    private let image: KittyImageWriter.Image
    private let isVirtual: Bool
    private let writer: KittyImageWriter
    /// The picture of the latest frame.
    private let latest: PictureStrips
    private var frames = KittyFrames()
    private var firstGap = 0

    /// kitty grants the frames of an image 1,600 MB, and Ghostty all images together 320 MB.
    public static let frameMemory = 300 << 20
    /// zlib's level. Level 1 needs 20 to 40 percent more bytes, level 6 up to twice the time.
    private static let level: Int32 = 4

    /// - Parameters:
    ///   - image: the number of the image. Terminals replace an image with the same number, wherever they show it.
    ///   - size: the size of all rasters.
    ///   - cells: the size at which the terminal shows the image.
    ///   - isVirtual: whether placeholders show the image; otherwise, it is shown at the cursor.
    ///   - isInTmux: whether the commands pass through tmux.
    public init(image: Int, size: PixelSize, cells: CellSize, isVirtual: Bool, isInTmux: Bool) {
        self.image = KittyImageWriter.Image(number: image, size: size, cells: cells)
        self.isVirtual = isVirtual
        writer = KittyImageWriter(transport: isInTmux ? .tmux : .direct, memory: nil, level: Self.level)
        latest = PictureStrips(size: size, pixelsPerCell: PixelSize(width: 1, height: 1))
    }

    public var frameCount: Int { frames.count }

    /// Appends the next frame.
    /// - Parameters:
    ///   - dirty: the only area that can differ from the previous frame.
    ///   - delay: the display time in nanoseconds.
    /// - Returns: false if the frames then need too much memory. Nothing is appended then.
    public func append(
        _ raster: borrowing PictureRaster, dirty: PixelRect, delay: Int64, into out: inout ByteBuffer
    ) -> Bool {
        let (pixels, width, number) = (UnsafeBufferPointer(raster.pixels), raster.size.width, frames.count)
        let gap = min(max(1, Int(delay / 1_000_000)), Int(Int32.max))
        var changed = PixelRect(raster.size)
        if number > 0 {
            changed = latest.changedArea(pixels, dirty.intersection(changed), Fidelity.exact.tolerance)
            // A frame has at least one pixel.
            if changed.isEmpty { changed = PixelRect(x: 0, y: 0, width: 1, height: 1) }
        }
        frames.begin(number, of: nil)
        guard frames.fill(changed, of: raster.size, limit: Self.frameMemory) else { return false }
        if number == 0 {
            firstGap = gap
            writer.writeKeeper(into: &out)
            writer.write(image, pixels, isVirtual ? .placeholders : .atCursor, hasAlpha: true, into: &out)
        } else {
            if number == 1 { writer.control(image.number, [(",r=", 1), (",z=", firstGap)], into: &out) }
            let frame = KittyImageWriter.Frame(
                image: image.number, area: changed, base: number, gap: gap,
                shown: isMostlyEqual(pixels, changed, width: width) ? UnsafeBufferPointer(latest.shown) : nil)
            writer.write(frame, pixels, width: width, hasAlpha: true, into: &out)
        }
        latest.record(pixels, changed)
        return true
    }

    /// Whether an area is smaller if its unchanged pixels are transparent. Not possible if a pixel becomes transparent.
    private func isMostlyEqual(_ pixels: UnsafeBufferPointer<CellColor>, _ area: PixelRect, width: Int) -> Bool {
        var count = 0
        for y in area.y..<area.maxY {
            for index in y * width + area.x..<y * width + area.maxX {
                if pixels[index] == latest.shown[index] { count += 1 } else if !pixels[index].isColor { return false }
            }
        }
        return 2 * count >= area.width * area.height
    }

    /// Appends the command that starts the animation at its first frame.
    /// - Parameter plays: how often the terminal plays it; nil for ever.
    public func start(plays: Int?, into out: inout ByteBuffer) {
        guard frames.count > 1 else { return }
        // Without c=1, an animation that replaces one with the same number can stay at a frame.
        let count = plays.map { min($0, Int(Int32.max) - 1) + 1 } ?? 1
        writer.control(image.number, [(",c=", 1), (",s=", 3), (",v=", count)], into: &out)
    }

    /// Appends the lines of cells that show the image, wherever they are written.
    public func appendPlaceholders(into out: inout ByteBuffer) {
        for row in 0..<image.cells.rows {
            KittyPlaceholders.write(image: image.number, row: row, columns: image.cells.columns, into: &out)
            out.append("\n")
        }
    }
}

/// Writes the cells of an image in a terminal multiplexer. Each cell is a placeholder character (U+10EEEE) whose colour
/// is the number of the image. Combining characters encode the row and the column of the cell.
enum KittyPlaceholders {
    /// The maximum number of rows and columns of an image.
    static let maximumCount = diacritics.count

    /// Appends a row of an image's cells at the cursor. A number below 256 is for ranger, which keeps only the colours of
    /// the palette and takes combining characters for columns: only the first cell has one, for its row, and the terminal
    /// counts the columns.
    static func write(image: Int, row: Int, columns: Int, into out: inout ByteBuffer) {
        out.append(image < 256 ? "\u{1B}[0;38;5" : "\u{1B}[0;38;2")
        for shift in image < 256 ? [0] : [16, 8, 0] {
            out.append(";")
            out.appendDecimal(image >> shift & 0xFF)
        }
        out.append("m")
        for column in 0..<columns {
            append(0x10EEEE, into: &out)
            if image > 255 || column == 0 { append(diacritics[row], into: &out) }
            if image > 255 { append(diacritics[column], into: &out) }
        }
        out.append("\u{1B}[0m")
    }

    /// Appends a character in UTF-8.
    private static func append(_ code: UInt32, into out: inout ByteBuffer) {
        guard let scalar = Unicode.Scalar(code) else { return }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { out.append(byte) }
    }

    /// The combining characters for the numbers from 0 on. The protocol uses the characters of combining class 230 in
    /// Unicode 6.0 that no normalization merges with other characters.
    private static let diacritics: [UInt32] = ranges.flatMap { Array($0) }

    private static let ranges: [ClosedRange<UInt32>] = [
        0x305...0x305, 0x30D...0x30D, 0x30E...0x30E, 0x310...0x310, 0x312...0x312, 0x33D...0x33F, 0x346...0x346,
        0x34A...0x34C, 0x350...0x352, 0x357...0x357, 0x35B...0x35B, 0x363...0x36F, 0x483...0x487, 0x592...0x595,
        0x597...0x599, 0x59C...0x5A1, 0x5A8...0x5A8, 0x5A9...0x5A9, 0x5AB...0x5AB, 0x5AC...0x5AC, 0x5AF...0x5AF,
        0x5C4...0x5C4, 0x610...0x617, 0x657...0x65B, 0x65D...0x65D, 0x65E...0x65E, 0x6D6...0x6DC, 0x6DF...0x6E2,
        0x6E4...0x6E4, 0x6E7...0x6E7, 0x6E8...0x6E8, 0x6EB...0x6EB, 0x6EC...0x6EC, 0x730...0x730, 0x732...0x732,
        0x733...0x733, 0x735...0x735, 0x736...0x736, 0x73A...0x73A, 0x73D...0x73D, 0x73F...0x741, 0x743...0x743,
        0x745...0x745, 0x747...0x747, 0x749...0x749, 0x74A...0x74A, 0x7EB...0x7F1, 0x7F3...0x7F3, 0x816...0x819,
        0x81B...0x823, 0x825...0x827, 0x829...0x82D, 0x951...0x951, 0x953...0x953, 0x954...0x954, 0xF82...0xF82,
        0xF83...0xF83, 0xF86...0xF86, 0xF87...0xF87, 0x135D...0x135F, 0x17DD...0x17DD, 0x193A...0x193A,
        0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B, 0x1B6D...0x1B73, 0x1CD0...0x1CD2, 0x1CDA...0x1CDA,
        0x1CDB...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC0, 0x1DC1...0x1DC1, 0x1DC3...0x1DC9, 0x1DCB...0x1DCB,
        0x1DCC...0x1DCC, 0x1DD1...0x1DE6, 0x1DFE...0x1DFE, 0x20D0...0x20D0, 0x20D1...0x20D1, 0x20D4...0x20D7,
        0x20DB...0x20DB, 0x20DC...0x20DC, 0x20E1...0x20E1, 0x20E7...0x20E7, 0x20E9...0x20E9, 0x20F0...0x20F0,
        0x2CEF...0x2CF1, 0x2DE0...0x2DFF, 0xA66F...0xA66F, 0xA67C...0xA67C, 0xA67D...0xA67D, 0xA6F0...0xA6F0,
        0xA6F1...0xA6F1, 0xA8E0...0xA8F1, 0xAAB0...0xAAB0, 0xAAB2...0xAAB2, 0xAAB3...0xAAB3, 0xAAB7...0xAAB7,
        0xAAB8...0xAAB8, 0xAABE...0xAABE, 0xAABF...0xAABF, 0xAAC1...0xAAC1, 0xFE20...0xFE26, 0x10A0F...0x10A0F,
        0x10A38...0x10A38, 0x1D185...0x1D189, 0x1D1AA...0x1D1AD, 0x1D242...0x1D244,
    ]
}

/// The frames of a GIF that a terminal keeps in one animated image.
///
/// The terminal numbers its frames from 1 on, in the order in which they arrive, and repeats them in this order. A loop
/// has no beginning, so the terminal's first frame can be any frame of the GIF. For a frame that was dropped, the terminal
/// gets an empty one, which a later loop iteration fills.
struct KittyFrames {
    /// The frame of the GIF that is the terminal's first one.
    private var first = 0
    /// For each of the terminal's frames, whether it has its picture.
    private var isFilled: [Bool] = []
    /// The number of the GIF's frames; nil until it is known.
    private var total: Int?
    /// The index of the current frame in ``isFilled``. Can exceed the last index.
    private(set) var current = 0
    /// The index of the frame that was sent last; nil if there is none.
    private(set) var latest: Int?
    /// An estimate of the terminal's memory, in bytes.
    private var memory = 0

    var count: Int { isFilled.count }

    /// Begins the frame `number` of the GIF. Removes all frames if the terminal cannot insert it.
    mutating func begin(_ number: Int, of total: Int?) {
        self.total = total
        if isFilled.isEmpty || index(of: number) == nil {
            self = KittyFrames()
            (first, self.total) = (number, total)
        }
        current = index(of: number) ?? 0
    }

    /// The index of a frame of the GIF; nil if the number of frames must be known first.
    func index(of number: Int) -> Int? { number >= first ? number - first : total.map { number - first + $0 } }

    func isStored(_ number: Int) -> Bool { index(of: number).map { $0 < isFilled.count && isFilled[$0] } ?? false }

    mutating func appendEmpty() { isFilled.append(false) }

    /// Records that the current frame is sent.
    /// - Returns: false if the frames then need more memory than `limit`.
    mutating func fill(_ area: PixelRect, of size: PixelSize, limit: Int) -> Bool {
        // kitty stores the changed pixels of most frames, but the whole picture of every fourth frame or so.
        memory += 4 * (area.width * area.height + size.area / 4)
        if current == isFilled.count { appendEmpty() }
        isFilled[current] = true
        latest = current
        return memory <= limit
    }
}
