import CGif

/// Passes the bytes of a ``ByteSource`` to giflib. Buffers and counts the bytes.
final class GIFInput {
    /// The reasons why giflib got fewer bytes than it requested.
    struct Ending {
        var hasReachedEnd = false
        var error: ByteSourceError?
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
    /// The head of the file: header, logical screen descriptor and global palette. giflib reads the head only when it
    /// opens the file. Each later pass compares the head of the file with these recorded bytes and skips it.
    private var head: [UInt8] = []
    private var isRecordingHead = false

    init(_ source: any ByteSource, limit: Int) {
        self.source = source
        self.limit = limit
    }

    deinit { buffer.deallocate() }

    /// Discards the buffered bytes and sets the byte count to 0. Must be called after the source was rewound.
    func rewind() {
        start = 0
        end = 0
        count = 0
        ending = Ending()
    }

    /// Starts to record the bytes that giflib reads as the head of the file.
    func beginRecordingHead() {
        head.removeAll()
        isRecordingHead = true
    }

    func endRecordingHead() { isRecordingHead = false }

    /// Skips the head of the file, which giflib read in an earlier pass.
    /// - Returns: false if the head differs from the recorded head.
    func skipHead() -> Bool {
        for byte in head {
            guard start < end || refill(), buffer[start] == byte else { return false }
            start += 1
            count += 1
        }
        return true
    }

    /// Returns the first bytes of the file, at least `count` bytes unless the file is shorter. Must be called before
    /// giflib reads any byte.
    func peek(_ count: Int) -> UnsafeRawBufferPointer {
        while end < count, fill() {}
        return UnsafeRawBufferPointer(rebasing: buffer[start..<end])
    }

    /// The byte that giflib read last. After an image header, this byte is the code size, even if giflib rejected the
    /// image.
    private(set) var lastByte: UInt8 = 0

    /// Whether giflib has read the empty sub-block at the end of the image's data.
    private(set) var hasImageDataEnded = false
    /// Whether the next byte is the length of a sub-block.
    private var isLengthNext = false

    /// Prepares ``hasImageDataEnded`` for an image. Must be called before giflib reads the image's sub-blocks. Each
    /// sub-block is a length byte followed by that number of data bytes.
    func beginImageData() {
        hasImageDataEnded = false
        isLengthNext = true
    }

    /// Reads `wanted` bytes into `target`, or fewer if the source ends.
    /// - Returns: the number of bytes read.
    func read(into target: UnsafeMutablePointer<UInt8>, _ wanted: Int) -> Int {
        var done = 0
        while done < wanted {
            if start == end, !refill() { break }
            let part = min(wanted - done, end - start)
            (UnsafeMutableRawPointer(target) + done).copyMemory(
                from: buffer.baseAddress.unsafelyUnwrapped + start, byteCount: part)
            start += part
            done += part
        }
        count += done
        if isRecordingHead { head.append(contentsOf: UnsafeBufferPointer(start: target, count: done)) }
        if done > 0 {
            lastByte = target[done - 1]
            if isLengthNext, lastByte == 0 { hasImageDataEnded = true }
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

    /// Appends more bytes of the source to the buffer.
    /// - Returns: false if no bytes were appended, because of the end of the source, an error, the limit or a full
    ///   buffer.
    private func fill() -> Bool {
        guard ending.error == nil, end < buffer.count else { return false }
        guard count + (end - start) < limit else {
            ending.isOverLimit = true
            return false
        }
        do throws(ByteSourceError) {
            let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
            end += read
            return read > 0
        } catch {
            ending.error = error
            return false
        }
    }

    /// The read callback of giflib. giflib treats a short count as the end of the file.
    static let readFunction: InputFunc = { file, target, count in
        guard let file, let target, let data = file.pointee.UserData else { return 0 }
        let input = Unmanaged<GIFInput>.fromOpaque(data).takeUnretainedValue()
        return Int32(input.read(into: target, Int(count)))
    }
}
