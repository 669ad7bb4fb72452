/// Writes images as commands of the kitty graphics protocol. The pixels are stored in shared memory, or sent in chunks of
/// base64, compressed by zlib if bytes are expensive.
final class KittyImageWriter {
    struct Image {
        /// The number of the image. Its only placement has the number 1.
        var number: Int
        var size: PixelSize
        /// The size at which the terminal shows the image, in cells.
        var cells: CellSize
    }

    /// A frame of an animated image.
    struct Frame {
        /// The number of the animated image.
        var image: Int
        /// The area of the frame to send, in pixels.
        var area: PixelRect
        /// The number of the new frame's background; nil for a transparent one. The numbers begin with 1.
        var base: Int?
        /// The number of the frame to change; nil for a new frame after all others.
        var edited: Int?
        /// The time until the next frame, in milliseconds; nil if a later command sets it.
        var gap: Int?
        /// The pixels of the base. Equal pixels of the frame are sent as transparent ones, through which the base shows.
        var shown: UnsafeBufferPointer<CellColor>?
    }

    enum Placement {
        /// Nowhere, until ``place(_:into:)`` shows it.
        case hidden
        /// At the cursor, which does not move. The image is drawn over text, because kitty 0.26 draws the image and the
        /// window in wrong colours if the image is below text and the background is not black.
        case overText
        /// At the cursor, which moves to the end of the image's last row.
        case atCursor
        /// In the cells with the image's placeholders, wherever they are.
        case placeholders
    }

    private let transport: KittyTransport
    private let compresses: Bool
    /// The shared memory for the pixels; nil if the terminal cannot read it.
    let memory: SharedMemory?
    private let level: Int32
    private lazy var deflater = Deflater(level: level)
    private var bytes: [UInt8] = []
    /// The number of images to send uncompressed, because the pixels of the last one, such as noise, hardly shrank.
    private var uncompressedCount = 0
    /// Whether a transparent pixel was sent. From then on, all pixels have an alpha channel, because kitty's cache loses
    /// track of its file if an image changes its size in bytes while it is written (disk-cache.c).
    private var hasSentAlpha = false
    /// The keys of the current command.
    private var keys = ByteBuffer(capacity: 128)

    init(transport: KittyTransport, memory: SharedMemory?, compresses: Bool = true, level: Int32 = Deflater.fastest) {
        (self.transport, self.level, self.memory, self.compresses) = (transport, level, memory, compresses)
    }

    /// The number of bytes in a chunk, which base64 encodes as 4096 bytes.
    private static let chunkSize = 3072

    /// Appends the commands that send an image and show it. The terminal does not reply.
    /// - Parameter hasAlpha: whether to send an alpha channel even if no pixel is transparent.
    func write(
        _ image: Image, _ pixels: UnsafeBufferPointer<CellColor>, _ placement: Placement, hasAlpha: Bool = false,
        into out: inout ByteBuffer
    ) {
        let format = fill(pixels, PixelRect(image.size), stride: image.size.width, hasAlpha: hasAlpha)
        keys.removeAll()
        switch placement {
        case .hidden: keys.append("a=t")
        case .overText: keys.append("a=T,p=1,C=1")
        case .atCursor: keys.append("a=T,p=1")
        case .placeholders: keys.append("a=T,U=1")
        }
        append(
            [
                (",f=", format), (",i=", image.number), (",s=", image.size.width), (",v=", image.size.height),
                (",c=", image.cells.columns), (",r=", image.cells.rows),
            ], to: &keys)
        send(count: image.size.area * format / 8, laterKeys: "", into: &out)
    }

    /// Appends the commands that add or change a frame of an image. They do not show the frame.
    /// - Parameters:
    ///   - pixels: the pixels of the whole image.
    ///   - width: the width of the image.
    func write(
        _ frame: Frame, _ pixels: UnsafeBufferPointer<CellColor>, width: Int, hasAlpha: Bool = false,
        into out: inout ByteBuffer
    ) {
        let area = frame.area
        let format = fill(pixels, area, stride: width, hasAlpha: hasAlpha, skipping: frame.shown)
        keys.removeAll()
        // X=1: transparent pixels replace the pixels behind them.
        keys.append(frame.shown == nil ? "a=f,X=1" : "a=f")
        append(
            [
                (",f=", format), (",i=", frame.image), (",x=", area.x), (",y=", area.y), (",s=", area.width),
                (",v=", area.height),
            ], to: &keys)
        if let base = frame.base { append([(",c=", base)], to: &keys) }
        if let edited = frame.edited { append([(",r=", edited)], to: &keys) }
        if let gap = frame.gap { append([(",z=", gap)], to: &keys) }
        // Without these keys, kitty takes the rest of the pixels for those of an image (before 0.26) or of a new frame.
        send(count: area.width * area.height * format / 8, laterKeys: "a=f,", edited: frame.edited, into: &out)
    }

    /// Appends a command that controls the animation of an image, for example selects the displayed frame.
    func control(_ image: Int, _ values: [(StaticString, Int)], into out: inout ByteBuffer) {
        begin(&out)
        out.append("a=a")
        append([(",i=", image)] + values, to: &out)
        out.append(",q=2")
        finish(&out)
    }

    private func append(_ values: [(StaticString, Int)], to out: inout ByteBuffer) {
        for (key, value) in values {
            out.append(key)
            out.appendDecimal(value)
        }
    }

    /// Appends ``keys`` and the first `count` of ``bytes``.
    /// - Parameters:
    ///   - laterKeys: the keys of all commands but the first one.
    ///   - edited: the number of the frame, which they repeat.
    private func send(count: Int, laterKeys: StaticString, edited: Int? = nil, into out: inout ByteBuffer) {
        bytes.withUnsafeBufferPointer { bytes in
            let raw = UnsafeBufferPointer(rebasing: bytes[..<count])
            if let name = memory?.store(UnsafeRawBufferPointer(raw)) {
                begin(&out)
                out.append(keys.bytes)
                out.append(",t=s,q=2;")
                for byte in Base64.encode(Array(name.utf8)) { out.append(byte) }
                finish(&out)
            } else {
                sendChunks(raw, laterKeys, edited: edited, into: &out)
            }
        }
    }

    /// Appends the commands that show a PNG file at the cursor. The terminal gives the image a number that no other
    /// image has, moves the cursor to the end of the image's last row, and does not reply.
    func writeStill(_ file: UnsafeBufferPointer<UInt8>, _ cells: CellSize, into out: inout ByteBuffer) {
        keys.removeAll()
        keys.append("a=T,f=100")
        append([(",c=", cells.columns), (",r=", cells.rows)], to: &keys)
        sendChunks(file, "", into: &out)
    }

    private func sendChunks(
        _ raw: UnsafeBufferPointer<UInt8>, _ laterKeys: StaticString, edited: Int? = nil, into out: inout ByteBuffer
    ) {
        // Frames differ in size and content, so each is compressed for itself.
        let compressed = compressed(raw, skipsNoise: laterKeys.utf8CodeUnitCount == 0)
        let data = compressed ?? raw
        var start = 0
        repeat {
            let end = min(start + Self.chunkSize, data.count)
            begin(&out)
            if start == 0 {
                out.append(keys.bytes)
                out.append(compressed == nil ? "," : ",o=z,")
            } else {
                out.append(laterKeys)
                if let edited {
                    append([("r=", edited)], to: &out)
                    out.append(",")
                }
            }
            out.append(end < data.count ? "q=2,m=1;" : "q=2,m=0;")
            Base64.append(data[start..<end], into: &out)
            finish(&out)
            start = end
        } while start < data.count
    }

    /// Returns the pixels in compressed form; nil if they are sent as they are.
    private func compressed(_ raw: UnsafeBufferPointer<UInt8>, skipsNoise: Bool) -> UnsafeBufferPointer<UInt8>? {
        guard compresses, !skipsNoise || uncompressedCount == 0 else {
            uncompressedCount = max(0, uncompressedCount - 1)
            return nil
        }
        if let data = deflater?.compress(raw), data.count < raw.count - raw.count / 8 { return data }
        if skipsNoise { uncompressedCount = PictureStrips.maximumCount }
        return nil
    }

    /// Appends a pixel that is not shown, with a number of its own. kitty 0.36 to 0.44 damages frames after it has deleted
    /// its last image, for example because another one replaces it; with this pixel, there is always one left.
    func writeKeeper(into out: inout ByteBuffer) {
        begin(&out)
        out.append("a=t,f=32,i=8388607,s=1,v=1,q=2;AAAAAA==")
        finish(&out)
    }

    /// Appends the command that shows an image at the cursor, which does not move.
    func place(_ image: Image, into out: inout ByteBuffer) {
        begin(&out)
        out.append("a=p,p=1,C=1,q=2")
        append([(",i=", image.number), (",c=", image.cells.columns), (",r=", image.cells.rows)], to: &out)
        finish(&out)
    }

    /// Appends the command that deletes an image with its data.
    func delete(_ number: Int, into out: inout ByteBuffer) {
        begin(&out)
        out.append("a=d,d=I,q=2,i=")
        out.appendDecimal(number)
        finish(&out)
    }

    /// Stores the pixels of an area at the beginning of ``bytes``, with an alpha channel if one is needed.
    /// - Parameter shown: pixels that are equal to these ones become transparent.
    /// - Returns: the number of bits per pixel.
    private func fill(
        _ pixels: UnsafeBufferPointer<CellColor>, _ area: PixelRect, stride: Int, hasAlpha: Bool,
        skipping shown: UnsafeBufferPointer<CellColor>? = nil
    ) -> Int {
        let rows = (area.y..<area.maxY).map {
            UnsafeBufferPointer(rebasing: pixels[$0 * stride + area.x..<$0 * stride + area.maxX])
        }
        hasSentAlpha = hasSentAlpha || !rows.allSatisfy { row in row.reduce(0) { $0 | $1.bits } <= 0xFF_FFFF }
        let isOpaque = !hasAlpha && !hasSentAlpha
        let length = isOpaque ? 3 : 4
        // Each pixel is stored as four bytes. Of an opaque one, the next pixel overwrites the last byte.
        let count = area.width * area.height * length + 1
        if bytes.count < count { bytes = Array(repeating: 0, count: count) }
        bytes.withUnsafeMutableBytes { bytes in
            var offset = 0
            if let shown {
                for y in area.y..<area.maxY {
                    for index in y * stride + area.x..<y * stride + area.maxX {
                        let color = pixels[index]
                        let packed = color == shown[index] ? 0 : color.bits.byteSwapped >> 8 | 0xFF00_0000
                        bytes.storeBytes(of: packed, toByteOffset: offset, as: UInt32.self)
                        offset += length
                    }
                }
                return
            }
            for row in rows {
                for color in row {
                    let packed = color.isColor ? color.bits.byteSwapped >> 8 | 0xFF00_0000 : 0
                    bytes.storeBytes(of: packed, toByteOffset: offset, as: UInt32.self)
                    offset += length
                }
            }
        }
        return isOpaque ? 24 : 32
    }

    /// Begins a command. For tmux, the command is wrapped in a passthrough sequence, in which each ESC is doubled.
    private func begin(_ out: inout ByteBuffer) {
        switch transport {
        case .direct, .sharedMemory: out.append("\u{1B}_G")
        case .tmux: out.append("\u{1B}Ptmux;\u{1B}\u{1B}_G")
        }
    }

    private func finish(_ out: inout ByteBuffer) {
        switch transport {
        case .direct, .sharedMemory: out.append("\u{1B}\\")
        case .tmux: out.append("\u{1B}\u{1B}\\\u{1B}\\")
        }
    }
}
