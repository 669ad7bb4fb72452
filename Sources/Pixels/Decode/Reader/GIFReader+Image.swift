import CGif
import Glibc

extension GIFReader {
    /// Decodes as many pixels of the image as possible. Reads the file up to the end of the image's data.
    /// - Returns: false if the limit on the total pixels or that on the bytes is exceeded; the rest of the file must then not
    ///   be read.
    func readPixels(
        _ file: UnsafeMutablePointer<GifFileType>, into frame: IndexedFrame, hasKnownCodeSize: Bool
    ) throws(GIFError) -> Bool {
        let count = frame.rect.width * frame.rect.height
        let codeSize = Int(input.lastByte)
        frame.decodedCount = 0
        if limits.skipsExcess, excess != nil || !spend(max(min(count, limits.canvasPixels), frame.canvas.area)) {
            drain(file)
            return true
        }
        guard count > 0, count <= limits.canvasPixels else {
            if count > 0 {
                let size = PixelSize(width: frame.rect.width, height: frame.rect.height)
                recordDamage(.frameTooLarge(size, limit: limits.canvasPixels))
            }
            drain(file)
            return true
        }
        guard limits.skipsExcess || spend(count) else {
            if let excess { recordDamage(.overLimit(excess)) }
            return false
        }
        // giflib itself rejects code sizes above 8. No encoder writes size 0.
        guard hasKnownCodeSize, codeSize > 0 else {
            recordDamage(.codeSize(codeSize))
            drain(file)
            return true
        }
        try frame.reserve(count)
        let indices = UnsafeMutableBufferPointer(rebasing: frame.indices[..<count])
        frame.decodedCount = decode(file, into: indices)
        guard frame.decodedCount < count else { return true }
        let isLimited = input.ending.isOverLimit
        let cut = Damage.Kind.imageCut(decoded: frame.decodedCount, count: count)
        recordDamage(isLimited ? .overLimit(.bytes(limits.bytes)) : cut)
        return !isLimited
    }

    /// - Returns: false if these pixels exceed the limit on the total pixels.
    private func spend(_ count: Int) -> Bool {
        guard let limit = limits.totalPixels else { return true }
        pixelsLeft -= count
        if pixelsLeft + input.count * limits.pixelsPerByte < 0 { excess = .totalPixels(limit) }
        return excess == nil
    }

    /// Decodes in parts, so that an image of which little arrives costs little, whatever its size.
    /// - Returns: the number of decoded indices.
    private func decode(
        _ file: UnsafeMutablePointer<GifFileType>, into indices: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        input.beginImageData(limit: Self.neededBytes(indices.count))
        var decoded = 0
        while decoded < indices.count {
            let end = min(decoded + (64 << 10), indices.count)
            let part = UnsafeMutableBufferPointer(rebasing: indices[decoded..<end])
            UndecodedMarks.fill(part)
            guard DGifGetLine(file, part.baseAddress, Int32(part.count)) == GIF_OK else {
                // If giflib has read the empty sub-block that ends the data, `drain` would skip the next block.
                if input.endImageDataLimit() || !input.hasImageDataEnded { drain(file) }
                return decoded + UndecodedMarks.decodedCount(part)
            }
            decoded = end
        }
        // giflib has skipped the data behind the last pixel.
        if input.endImageDataLimit() { drain(file) }
        return decoded
    }

    /// The data that an image may have before it is refused. A code has at most 12 bits, and encoders use at most one for
    /// each pixel and a clear code for each. giflib resets a table of 16 KiB for each clear code, so that 1 MB of them, at
    /// any code size, would take up to 3 s.
    private static func neededBytes(_ pixels: Int) -> Int { 64 + 3 * pixels }

    private func drain(_ file: UnsafeMutablePointer<GifFileType>) {
        var block: UnsafeMutablePointer<GifByteType>?
        while DGifGetCodeNext(file, &block) == GIF_OK, block != nil {}
    }
}

/// Determines how many pixels of a damaged image giflib decoded, which giflib does not report.
///
/// All indices are set to marks before decoding. The marks that are left at the end of the image are the pixels that
/// were not decoded. For code sizes below 8, all indices are below the marks, so the number is exact. For code size 8,
/// it is too low by one in one of 256 images, because the last pixel can be equal to its mark by chance.
private enum UndecodedMarks {
    /// Neighbouring pixels have different marks, so that an area of one colour does not look like a run of marks.
    @inline(__always)
    private static func mark(_ index: Int) -> UInt8 { ~UInt8(truncatingIfNeeded: index) | 0x80 }

    static func fill(_ indices: UnsafeMutableBufferPointer<UInt8>) {
        guard let base = indices.baseAddress else { return }
        for index in 0..<indices.count { base[index] = mark(index) }
    }

    static func decodedCount(_ indices: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var count = indices.count
        while count > 0, indices[count - 1] == mark(count - 1) { count -= 1 }
        return count
    }
}

extension IndexedFrame {
    /// If `map` is nil, all colours become opaque black.
    func setPalette(_ map: UnsafeMutablePointer<ColorMapObject>?) {
        let count = map.map { min(256, Int($0.pointee.ColorCount)) } ?? 0
        if let colors = map?.pointee.Colors {
            for index in 0..<count {
                let color = colors[index]
                palette[index] = RGBA(red: color.Red, green: color.Green, blue: color.Blue)
            }
        }
        for index in count..<256 { palette[index] = .opaqueBlack }
    }
}

/// Checks for memory before an allocation, because Swift ends the process if an allocation fails. A large canvas can
/// fail on a system without overcommit, or if `ulimit -v` limits memory.
enum MemoryProbe {
    /// Allocations of up to this number of bytes are not checked, because each check takes two system calls.
    private static let smallestChecked = 1 << 20

    static func canAllocate(_ count: Int) -> Bool {
        guard count > smallestChecked else { return true }
        // A compiler can remove a call of malloc if the program only frees the memory.
        let block = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard block != MAP_FAILED else { return false }
        munmap(block, count)
        return true
    }
}

/// The content of a Graphic Control Extension, which applies to the next image.
struct GraphicControl {
    /// The disposal code, 0 to 7; see ``Disposal/init(code:)``.
    var disposal = 0
    /// The palette index of transparent pixels; -1 if the frame has no transparent pixels.
    var transparentIndex = -1
    /// The delay in hundredths of a second.
    var delay = 0
}

/// Parses the sub-blocks of one extension and stores the values that playback needs.
struct ExtensionParser {
    private enum Kind {
        case graphicControl
        case application
        case plainText
        case other
    }

    private let kind: Kind
    private var control: GraphicControl?
    private var loopCount: Int?
    private var blocks = 0
    private var isLoopExtension = false

    /// - Parameter code: the byte after the extension introducer, which is the type of the extension.
    init(code: Int32) {
        switch code {
        case 0xF9: kind = .graphicControl
        case 0xFF: kind = .application
        case 0x01: kind = .plainText
        default: kind = .other
        }
    }

    mutating func addBlock(_ block: UnsafeBufferPointer<UInt8>) {
        defer { blocks += 1 }
        switch kind {
        case .graphicControl where blocks == 0 && block.count >= 4:
            control = GraphicControl(
                disposal: Int(block[0] >> 2 & 7), transparentIndex: block[0] & 1 == 1 ? Int(block[3]) : -1,
                delay: Int(block[1]) | Int(block[2]) << 8)
        case .application where blocks == 0:
            isLoopExtension = block.elementsEqual("NETSCAPE2.0".utf8) || block.elementsEqual("ANIMEXTS1.0".utf8)
        case .application where isLoopExtension && block.count >= 3 && block[0] & 7 == 1:
            loopCount = Int(block[1]) | Int(block[2]) << 8
        default: break
        }
    }

    /// A plain-text extension resets `control`, which applies to the plain text and not to the next image.
    func finish(_ control: inout GraphicControl, _ loopCount: inout Int?) {
        if let found = self.control { control = found }
        if let found = self.loopCount { loopCount = found }
        if kind == .plainText { control = GraphicControl() }
    }
}
