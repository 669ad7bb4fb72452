import CGif

/// Passes the bytes of a ``ByteSource`` to giflib. Buffers and counts the bytes.
final class GIFInput {
    /// The reasons why giflib got fewer bytes than it requested.
    struct Ending {
        var hasReachedEnd = false
        var error: GIFError?
        var isOverLimit = false
    }

    private let source: any ByteSource
    private let limit: Int
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
    private var start = 0
    private var end = 0

    /// The number of bytes passed to giflib so far.
    private(set) var count = 0
    private(set) var ending = Ending()
    /// Header, logical screen descriptor and global palette, which giflib reads only when it opens the file. Each later
    /// pass compares the head of the file with these bytes and skips it.
    private var head: [UInt8] = []
    private var isRecordingHead = false

    init(_ source: any ByteSource, limit: Int) {
        self.source = source
        self.limit = limit
    }

    deinit { buffer.deallocate() }

    /// Must be called after the source was rewound.
    func rewind() {
        start = 0
        end = 0
        count = 0
        ending = Ending()
    }

    func beginRecordingHead() {
        head.removeAll()
        isRecordingHead = true
    }

    func endRecordingHead() { isRecordingHead = false }

    /// - Returns: false if the head differs from the recorded head.
    func skipHead() -> Bool {
        for byte in head {
            guard start < end || refill(), buffer[start] == byte else { return false }
            start += 1
            count += 1
        }
        return true
    }

    /// At least `count` bytes unless the file is shorter. Must be called before giflib reads any byte.
    func peek(_ count: Int) -> UnsafeRawBufferPointer {
        while end < count, fill() {}
        return UnsafeRawBufferPointer(rebasing: buffer[start..<end])
    }

    /// After an image header, this byte is the code size, even if giflib rejected the image.
    private(set) var lastByte: UInt8 = 0

    /// Whether giflib has read the empty sub-block at the end of the image's data.
    private(set) var hasImageDataEnded = false
    /// Whether the next byte is the length of a sub-block.
    private var isLengthNext = false

    /// The number of bytes of image data that giflib may still get, and whether it got their end too early for that reason.
    private var (imageDataLeft, isImageDataCut) = (Int.max, false)

    /// Must be called before giflib reads the image's sub-blocks, each a length byte with so many data bytes.
    /// - Parameter limit: the number of bytes after which giflib gets the end of the image's data, although more follow.
    func beginImageData(limit: Int) {
        hasImageDataEnded = false
        isLengthNext = true
        imageDataLeft = limit
    }

    /// Must be called before giflib reads anything else.
    /// - Returns: whether data of the image is left, which must be skipped, although giflib has got its end.
    func endImageDataLimit() -> Bool {
        defer { (imageDataLeft, isImageDataCut) = (.max, false) }
        return isImageDataCut
    }

    /// - Returns: the number of bytes read, less than `wanted` only if the source ends.
    func read(into target: UnsafeMutablePointer<UInt8>, _ wanted: Int) -> Int {
        if isLengthNext, imageDataLeft <= 0 {
            target[0] = 0
            isImageDataCut = true
            return 1
        }
        var done = 0
        while done < wanted {
            if start == end, !refill() { break }
            let part = min(wanted - done, end - start)
            (UnsafeMutableRawPointer(target) + done).copyMemory(
                from: buffer.baseAddress.unsafelyUnwrapped + start, byteCount: part)
            start += part
            count += part
            done += part
        }
        if isRecordingHead { head.append(contentsOf: UnsafeBufferPointer(start: target, count: done)) }
        if done > 0 {
            lastByte = target[done - 1]
            if isLengthNext {
                hasImageDataEnded = hasImageDataEnded || lastByte == 0
                if imageDataLeft < .max { imageDataLeft -= Int(lastByte) }
            }
            isLengthNext.toggle()
        }
        if done < wanted { ending.hasReachedEnd = true }
        return done
    }

    private func refill() -> Bool {
        start = 0
        end = 0
        return fill()
    }

    /// - Returns: false if no bytes were appended: at the end of the source, an error, the limit or a full buffer.
    private func fill() -> Bool {
        guard ending.error == nil, end < buffer.count else { return false }
        let allowed = limit - count - (end - start)
        guard allowed > 0 else {
            ending.isOverLimit = true
            return false
        }
        do throws(GIFError) {
            let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...].prefix(allowed)))
            end += read
            return read > 0
        } catch {
            ending.error = error
            return false
        }
    }

    /// giflib treats a short count as the end of the file.
    static let readFunction: InputFunc = { file, target, count in
        guard let file, let target, let data = file.pointee.UserData else { return 0 }
        let input = Unmanaged<GIFInput>.fromOpaque(data).takeUnretainedValue()
        return Int32(input.read(into: target, Int(count)))
    }
}
