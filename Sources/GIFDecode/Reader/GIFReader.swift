import CGif
import Pixels

/// Decodes bytes to indexed frames, one at a time, with giflib and within limits.
///
/// A damaged frame keeps the part that was decoded, and the reader continues with the next frame. In all other doubtful
/// cases the reader does what browsers do. Use a reader from one thread at a time.
public final class GIFReader {
    /// Facts about the file. They are complete after the last frame was read.
    public struct Summary: Equatable, Sendable {
        public var frames = 0
        /// nil: no loop extension, play once. 0: loop forever. n: repeat n times after the first play.
        public var loopCount: Int?
        public var damage: [Damage] = []
        /// Bytes read from the source.
        public var bytes = 0
        /// The first six bytes of the file, usually "GIF89a".
        public var version = ""

        public init() {}
    }

    public private(set) var summary = Summary()
    public let limits: DecodeLimits

    private let source: any ByteSource
    /// Stays open across loop iterations: between two images giflib has no state but its palette.
    private var file: UnsafeMutablePointer<GifFileType>?
    private var position = Position.start
    let input: GIFInput
    var pixelsLeft = 0
    private var canvas: PixelSize?
    /// The canvas area for which memory was checked. Later loop iterations skip the check: the memory is then in use.
    private var checkedArea = 0
    private var control = GraphicControl()

    private enum Position {
        case start
        case middle
        case end
    }

    /// - Parameter source: must be at its first byte. Nothing is read before ``next(into:)``.
    public init(_ source: any ByteSource, limits: DecodeLimits = DecodeLimits()) {
        self.source = source
        self.limits = limits
        input = GIFInput(source, limit: limits.bytes)
    }

    deinit { close() }

    /// Reads the next frame.
    /// - Returns: false after the last frame; the contents of `frame` are then undefined.
    /// - Throws: if the file has nothing to draw, or if there is not enough memory.
    public func next(into frame: IndexedFrame) throws(GIFError) -> Bool {
        guard position != .end else { return false }
        let file = try open()
        let found = try readFrame(file, into: frame)
        summary.bytes = input.count
        guard !found else { return true }
        position = .end
        if summary.frames == 0 {
            if let error = input.error { throw .unreadable(error) }
            throw .noImage(summary.damage)
        }
        return false
    }

    /// Goes back to the first frame.
    public func rewind() throws(GIFError) {
        do throws(ByteSourceError) { try source.rewind() } catch { throw .unreadable(error) }
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
        pixelsLeft = limits.totalPixels
        if let file {
            if input.skipHead() {
                summary.version = version
                position = .middle
                return file
            }
            // The file was overwritten with another one.
            close()
            try rewind()
        }
        let file = try openFile()
        position = .middle
        return file
    }

    private func openFile() throws(GIFError) -> UnsafeMutablePointer<GifFileType> {
        let start = input.peek(16)
        if let error = input.error { throw .unreadable(error) }
        guard !start.isEmpty else { throw .empty }
        guard start.starts(with: "GIF".utf8) else {
            // Peeks at as many bytes as detection needs: the result must not depend on how many arrived at once.
            throw .notGIF(FileKind(start: input.peek(FileKind.length)))
        }
        summary.version = String(decoding: start.prefix(6).map { $0 & 0x7F }, as: UTF8.self)
        var code: Int32 = 0
        input.beginRecordingHead()
        defer { input.endRecordingHead() }
        // Unretained: `input` outlives the file, which `close` frees first.
        let userData = Unmanaged.passUnretained(input).toOpaque()
        guard let file = DGifOpen(userData, GIFInput.readFunction, &code) else {
            throw code == D_GIF_ERR_NOT_ENOUGH_MEM ? .outOfMemory : .headerCut
        }
        self.file = file
        return file
    }

    private func close() {
        guard let file else { return }
        var code: Int32 = 0
        _ = DGifCloseFile(file, &code)
        self.file = nil
    }

    // MARK: - Blocks

    /// Reads all blocks up to and including the next image.
    /// - Returns: false if there is no further image that can be read.
    private func readFrame(
        _ file: UnsafeMutablePointer<GifFileType>, into frame: IndexedFrame
    ) throws(GIFError) -> Bool {
        while true {
            var type = UNDEFINED_RECORD_TYPE
            guard DGifGetRecordType(file, &type) == GIF_OK else {
                recordEnd(unknownBlock: !input.hasReachedEnd)
                return false
            }
            switch type {
            case TERMINATE_RECORD_TYPE:
                return false
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

    private func recordEnd(unknownBlock: Bool) {
        if let error = input.error { return recordDamage(.unreadable(error)) }
        if input.isOverLimit { return recordDamage(.overLimit(.bytes(limits.bytes))) }
        recordDamage(unknownBlock ? .unknownBlock : .fileCut)
    }

    func recordDamage(_ kind: Damage.Kind) {
        // A hostile file can have a million damaged frames; the first ones are enough for a report.
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
        guard summary.frames < limits.frames else {
            recordDamage(.overLimit(.frames(limits.frames)))
            return false
        }
        let headerRead = DGifGetImageHeader(file) == GIF_OK
        guard headerRead || !input.hasReachedEnd else {
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

    /// The size of the logical screen. A width or height of 0 is replaced by the first frame's right or bottom edge.
    private func canvasSize(_ file: GifFileType, firstFrame: PixelRect) throws(GIFError) -> PixelSize {
        if let canvas { return canvas }
        let width = Int(file.SWidth)
        let height = Int(file.SHeight)
        let isEmpty = width == 0 || height == 0
        let size = PixelSize(
            width: isEmpty && width == 0 ? firstFrame.maxX : width,
            height: isEmpty && height == 0 ? firstFrame.maxY : height)
        guard size.area <= limits.canvasPixels else { throw .canvasTooLarge(size, limit: limits.canvasPixels) }
        guard size.area > 0 else { throw .noImage(summary.damage) }
        // Four bytes per pixel each for the canvas, for frames that are decoded ahead, and for the pixels that a frame
        // covers. Checked as one sum: two threads allocate it, and neither knows what the other will allocate.
        guard size.area <= checkedArea || MemoryProbe.canAllocate(size.area * 12) else { throw .outOfMemory }
        checkedArea = size.area
        canvas = size
        return size
    }
}
