import CGif
import Glibc

/// Decodes a GIF with giflib, one frame at a time, within ``DecodeLimits``.
///
/// The reader returns the decodable pixels of a damaged frame and continues with the next frame. Other invalid data has
/// the same effect as in web browsers. Only one thread at a time can use a reader.
public final class GIFReader {
    /// Complete after the last frame was read.
    public struct Summary: Equatable, Sendable {
        public var frames = 0
        /// Repetitions after the first play; 0 for an endless loop; nil (no loop extension) to play once.
        public var loopCount: Int?
        public var damage: [Damage] = []
        /// The number of bytes read from the source.
        public var bytes = 0
        /// The first six bytes of the file, usually "GIF89a".
        public var version = ""

        public init() {}
    }

    public private(set) var summary = Summary()
    public let limits: DecodeLimits

    private let source: any ByteSource
    /// Every pass reuses giflib's data, because the global palette is all that giflib keeps between images.
    private var file: UnsafeMutablePointer<GifFileType>?
    private var position = Position.start
    let input: GIFInput
    var pixelsLeft = 0
    /// The limit beyond which the last frame lies; nil if its pixels were decoded. See ``DecodeLimits/skipsExcess``.
    public internal(set) var excess: Damage.Limit?
    private var canvas: PixelSize?
    /// The area in pixels for which the memory check succeeded. Later passes skip it, because they use the same memory.
    private var checkedArea = 0
    private var control = GraphicControl()

    private enum Position {
        case start
        case middle
        case end
    }

    /// - Parameter source: must be at its first byte. The reader reads from it only in ``next(into:)``.
    public init(_ source: any ByteSource, limits: DecodeLimits = DecodeLimits()) {
        self.source = source
        self.limits = limits
        input = GIFInput(source, limit: limits.bytes)
    }

    deinit { close() }

    /// - Returns: false after the last frame; the contents of `frame` are then undefined.
    /// - Throws: if no frame of the file can be drawn, or if there is not enough memory.
    public func next(into frame: IndexedFrame) throws(GIFError) -> Bool {
        guard position != .end else { return false }
        let file = try open()
        let found = try readFrame(file, into: frame)
        summary.bytes = input.count
        guard !found else { return true }
        position = .end
        if summary.frames == 0 {
            if let error = input.ending.error { throw error }
            throw .noImage(summary.damage)
        }
        return false
    }

    /// Rewinds the source, so that ``next(into:)`` returns the first frame again.
    public func rewind() throws(GIFError) {
        try source.rewind()
        input.rewind()
        position = .start
    }

    // MARK: - Opening and closing

    private func open() throws(GIFError) -> UnsafeMutablePointer<GifFileType> {
        if position == .middle, let file { return file }
        let version = summary.version
        summary = Summary()
        canvas = nil
        control = GraphicControl()
        pixelsLeft = limits.totalPixels ?? 0
        excess = nil
        if let file {
            if input.skipHead() {
                summary.version = version
                position = .middle
                return file
            }
            // The file was overwritten with a different file after the last pass.
            close()
            try rewind()
        }
        let file = try openFile()
        position = .middle
        return file
    }

    private func openFile() throws(GIFError) -> UnsafeMutablePointer<GifFileType> {
        let start = input.peek(16)
        if let error = input.ending.error { throw error }
        guard !start.isEmpty else { throw .empty }
        guard start.starts(with: "GIF".utf8) else {
            if input.ending.isOverLimit { throw cutHeader }
            // With fewer bytes, the result would depend on the number of bytes that the first read returned.
            throw .notGIF(FileKind(start: input.peek(FileKind.length)))
        }
        summary.version = String(decoding: start.prefix(6).map { $0 & 0x7F }, as: UTF8.self)
        var code: Int32 = 0
        input.beginRecordingHead()
        defer { input.endRecordingHead() }
        // The pointer need not retain `input`, because `deinit` closes the file before `input` is released.
        let userData = Unmanaged.passUnretained(input).toOpaque()
        guard let file = DGifOpen(userData, GIFInput.readFunction, &code) else {
            throw code == D_GIF_ERR_NOT_ENOUGH_MEM ? .outOfMemory : cutHeader
        }
        self.file = file
        return file
    }

    private var cutHeader: GIFError {
        guard input.ending.isOverLimit else { return .headerCut }
        return .noImage([Damage(frame: 0, kind: .overLimit(.bytes(limits.bytes)))])
    }

    private func close() {
        guard let file else { return }
        var code: Int32 = 0
        _ = DGifCloseFile(file, &code)
        self.file = nil
    }

    // MARK: - Blocks

    /// Reads all blocks up to and including the next image.
    /// - Returns: false if no further image can be read.
    private func readFrame(
        _ file: UnsafeMutablePointer<GifFileType>, into frame: IndexedFrame
    ) throws(GIFError) -> Bool {
        while true {
            var type = UNDEFINED_RECORD_TYPE
            guard DGifGetRecordType(file, &type) == GIF_OK else {
                recordEnd(unknownBlock: !input.ending.hasReachedEnd, isBetweenBlocks: true)
                return false
            }
            switch type {
            case TERMINATE_RECORD_TYPE: return false
            case EXTENSION_RECORD_TYPE:
                guard readExtension(file) else {
                    recordEnd(unknownBlock: false)
                    return false
                }
            default:
                guard try readImage(file, into: frame) else { return false }
                return true
            }
        }
    }

    private func recordEnd(unknownBlock: Bool, isBetweenBlocks: Bool = false) {
        if let error = input.ending.error { return recordDamage(.unreadable(error)) }
        if input.ending.isOverLimit { return recordDamage(.overLimit(.bytes(limits.bytes))) }
        let isComplete = isBetweenBlocks && summary.frames > 0 && summary.damage.isEmpty
        recordDamage(unknownBlock ? .unknownBlock : isComplete ? .noTrailer : .fileCut)
    }

    func recordDamage(_ kind: Damage.Kind) {
        // A malicious file can have a million damaged frames. The first 100 defects are enough for a report.
        guard summary.damage.count < 100 else { return }
        summary.damage.append(Damage(frame: summary.frames, kind: kind))
    }

    private func readExtension(_ file: UnsafeMutablePointer<GifFileType>) -> Bool {
        var code: Int32 = 0
        var block: UnsafeMutablePointer<GifByteType>?
        guard DGifGetExtension(file, &code, &block) == GIF_OK else { return false }
        var parser = ExtensionParser(code: code)
        while let bytes = block {
            parser.addBlock(UnsafeBufferPointer(start: bytes + 1, count: Int(bytes[0])))
            guard DGifGetExtensionNext(file, &block) == GIF_OK else {
                parser.finish(&control, &summary.loopCount)
                return false
            }
        }
        parser.finish(&control, &summary.loopCount)
        return true
    }

    private func readImage(
        _ file: UnsafeMutablePointer<GifFileType>, into frame: IndexedFrame
    ) throws(GIFError) -> Bool {
        if summary.frames >= limits.frames {
            excess = excess ?? .frames(limits.frames)
            guard limits.skipsExcess else {
                recordDamage(.overLimit(.frames(limits.frames)))
                return false
            }
        }
        let headerRead = DGifGetImageHeader(file) == GIF_OK
        guard headerRead || !input.ending.hasReachedEnd else {
            recordEnd(unknownBlock: false)
            return false
        }
        setProperties(of: frame, from: file.pointee)
        frame.canvas = try canvasSize(file.pointee, firstFrame: frame.rect)
        guard try readPixels(file, into: frame, hasKnownCodeSize: headerRead) else { return false }
        control = GraphicControl()
        summary.frames += 1
        return true
    }

    private func setProperties(of frame: IndexedFrame, from file: GifFileType) {
        let image = file.Image
        frame.number = summary.frames
        frame.rect = PixelRect(
            x: Int(image.Left), y: Int(image.Top), width: Int(image.Width), height: Int(image.Height))
        frame.isInterlaced = image.Interlace
        frame.disposal = Disposal(code: control.disposal)
        frame.transparentIndex = control.transparentIndex
        frame.delayCentiseconds = control.delay
        frame.setPalette(image.ColorMap ?? file.SColorMap)
    }

    /// The logical screen, which a larger first frame enlarges, as in browsers. A width or height of 0 becomes that of the
    /// right or bottom edge of this frame.
    private func canvasSize(_ file: GifFileType, firstFrame: PixelRect) throws(GIFError) -> PixelSize {
        if let canvas { return canvas }
        let (width, height) = (Int(file.SWidth), Int(file.SHeight))
        var size = PixelSize(width: width, height: height)
        if firstFrame.width > width || firstFrame.height > height {
            let enlarged = PixelSize(width: max(width, firstFrame.maxX), height: max(height, firstFrame.maxY))
            if enlarged.area <= limits.canvasPixels || size.area == 0 { size = enlarged }
        }
        guard size.area <= limits.canvasPixels else { throw .canvasTooLarge(size, limit: limits.canvasPixels) }
        guard size.area > 0 else { throw .noImage(summary.damage) }
        // The 12 bytes per pixel are four for the canvas, four for the frames that are decoded ahead, and four for the
        // saved pixels under a frame. The sum is checked here, because two threads allocate this memory.
        guard size.area <= checkedArea || MemoryProbe.canAllocate(size.area * 12) else { throw .outOfMemory }
        checkedArea = size.area
        canvas = size
        return size
    }
}

public enum GIFLibrary {
    /// The version of giflib's headers at build time, such as "5.2.1". giflib does not report its version at run time.
    public static let version = "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"
}

/// Limits on the resources that a file can use. By default, only the memory is limited: what playback costs in time is
/// limited by the delays of the frames.
public struct DecodeLimits: Equatable, Sendable {
    /// The maximum for the canvas and for each frame. By default, the colours of the canvas take at most 64 MiB.
    public var canvasPixels = 4096 * 4096
    /// The limit for all frames together; nil for none. Each byte of the file raises it by ``pixelsPerByte``.
    public var totalPixels: Int?
    /// Real GIFs have fewer than 100 pixels per byte. An LZW bomb, which is a small file of a huge picture, has 1500.
    public var pixelsPerByte = 128
    public var bytes = 1 << 30
    public var frames = Int.max
    /// Whether the blocks of the frames beyond ``totalPixels`` and ``frames`` are read, but not their pixels. The size of
    /// the canvas then counts for each smaller frame.
    public var skipsExcess = false

    public init() {}
}

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
