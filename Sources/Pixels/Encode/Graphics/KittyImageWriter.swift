/// Writes images as commands of the kitty graphics protocol. The pixels are stored in shared memory, or compressed by
/// zlib and sent in chunks of base64.
final class KittyImageWriter {
    struct Image {
        /// The number of the image. Its only placement has the number 1.
        var number: Int
        var size: PixelSize
        /// The size at which the terminal shows the image, in cells.
        var cells: CellSize
    }

    private let transport: KittyTransport
    /// The shared memory for the pixels; nil if the terminal cannot read it.
    let memory: SharedMemory?
    private lazy var deflater = Deflater()
    private var bytes: [UInt8] = []

    init(transport: KittyTransport, memory: SharedMemory?) {
        self.transport = transport
        self.memory = memory
    }

    /// The number of bytes in a chunk, which base64 encodes as 4096 bytes.
    static let chunkSize = 3072

    /// Appends the commands that show an image at the cursor. The cursor does not move, and the terminal does not
    /// reply. Text is drawn over the image.
    /// - Parameter isVirtual: whether placeholders show the image.
    func write(
        _ image: Image, _ pixels: UnsafeBufferPointer<CellColor>, isVirtual: Bool, into out: inout ByteBuffer
    ) {
        let format = fill(pixels)
        bytes.withUnsafeBufferPointer { bytes in
            let raw = UnsafeBufferPointer(rebasing: bytes[..<(pixels.count * format / 8)])
            if let name = memory?.store(UnsafeRawBufferPointer(raw)) {
                begin(&out)
                appendKeys(image, format: format, isVirtual: isVirtual, into: &out)
                out.append("t=s,q=2;")
                for byte in Base64.encode(Array(name.utf8)) { out.append(byte) }
                finish(&out)
            } else {
                writeChunks(image, raw, format: format, isVirtual: isVirtual, into: &out)
            }
        }
    }

    private func writeChunks(
        _ image: Image, _ raw: UnsafeBufferPointer<UInt8>, format: Int, isVirtual: Bool, into out: inout ByteBuffer
    ) {
        let compressed = deflater?.compress(raw)
        let data = compressed ?? raw
        var start = 0
        repeat {
            let end = min(start + Self.chunkSize, data.count)
            begin(&out)
            if start == 0 {
                appendKeys(image, format: format, isVirtual: isVirtual, into: &out)
                if compressed != nil { out.append("o=z,") }
            }
            out.append(end < data.count ? "q=2,m=1;" : "q=2,m=0;")
            Base64.append(data[start..<end], into: &out)
            finish(&out)
            start = end
        } while start < data.count
    }

    private func appendKeys(_ image: Image, format: Int, isVirtual: Bool, into out: inout ByteBuffer) {
        out.append(isVirtual ? "a=T,U=1" : "a=T,p=1,C=1,z=-1073741825")
        let keys: [(StaticString, Int)] = [
            (",f=", format), (",i=", image.number), (",s=", image.size.width), (",v=", image.size.height),
            (",c=", image.cells.columns), (",r=", image.cells.rows),
        ]
        for (key, value) in keys {
            out.append(key)
            out.appendDecimal(value)
        }
        out.append(",")
    }

    /// Appends the command that deletes an image with its data.
    func delete(_ number: Int, into out: inout ByteBuffer) {
        begin(&out)
        out.append("a=d,d=I,q=2,i=")
        out.appendDecimal(number)
        finish(&out)
    }

    /// Stores the pixels at the beginning of ``bytes``, with an alpha channel if any pixel is transparent.
    /// - Returns: the number of bits per pixel.
    private func fill(_ pixels: UnsafeBufferPointer<CellColor>) -> Int {
        let isOpaque = pixels.allSatisfy { $0.isColor }
        let length = isOpaque ? 3 : 4
        let count = pixels.count * length
        if bytes.count < count { bytes = Array(repeating: 0, count: count) }
        bytes.withUnsafeMutableBufferPointer { bytes in
            for (pixel, color) in pixels.enumerated() {
                let isColor = color.isColor
                let first = pixel * length
                bytes[first] = isColor ? UInt8(truncatingIfNeeded: color.bits >> 16) : 0
                bytes[first + 1] = isColor ? UInt8(truncatingIfNeeded: color.bits >> 8) : 0
                bytes[first + 2] = isColor ? UInt8(truncatingIfNeeded: color.bits) : 0
                if !isOpaque { bytes[first + 3] = isColor ? 255 : 0 }
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
