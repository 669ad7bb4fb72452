import CGif

/// giflib's view of a ``ByteSource``: buffered and counted.
final class GIFInput {
    private let source: any ByteSource
    private let limit: Int
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
    private var start = 0
    private var end = 0

    /// Bytes handed to giflib so far.
    private(set) var count = 0
    /// giflib asked for more than there was.
    private(set) var hitEnd = false
    private(set) var error: ByteSourceError?
    private(set) var isOverLimit = false
    /// The file's first bytes, which giflib reads once: screen and global palette.
    private var head: [UInt8] = []
    private var keepsHead = false

    init(_ source: any ByteSource, limit: Int) {
        self.source = source
        self.limit = limit
    }

    deinit { buffer.deallocate() }

    /// The source stands at its first byte again.
    func rewind() {
        start = 0
        end = 0
        count = 0
        hitEnd = false
        error = nil
        isOverLimit = false
    }

    /// From here on giflib reads the head.
    func beginHead() {
        head.removeAll()
        keepsHead = true
    }

    func endHead() { keepsHead = false }

    /// Passes over the head in giflib's place; false if it is another one than before.
    func repeatsHead() -> Bool {
        for byte in head {
            guard start < end || refill(), buffer[start] == byte else { return false }
            start += 1
            count += 1
        }
        return true
    }

    /// The file's first bytes, at least `count` of them where it has so many. Before anything is read.
    func peek(_ count: Int) -> UnsafeRawBufferPointer {
        while end < count, fill() {}
        return UnsafeRawBufferPointer(rebasing: buffer[start..<end])
    }

    /// The byte that giflib read last: the code size, when it has just refused an image for it.
    private(set) var lastByte: UInt8 = 0

    /// giflib read the empty sub-block at the end of the image's data.
    private(set) var hasImageDataEnded = false
    /// The next byte read is the length of a sub-block.
    private var isLengthNext = false

    /// From here on giflib reads sub-blocks: one byte of length, then that many bytes.
    func beginImageData() {
        hasImageDataEnded = false
        isLengthNext = true
    }

    /// Fills `target`, or as much of it as the source still has.
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
        if keepsHead { head.append(contentsOf: UnsafeBufferPointer(start: target, count: done)) }
        if done > 0 {
            lastByte = target[done - 1]
            if isLengthNext, lastByte == 0 { hasImageDataEnded = true }
            isLengthNext.toggle()
        }
        if done < wanted { hitEnd = true }
        return done
    }

    private func refill() -> Bool {
        start = 0
        end = 0
        return fill()
    }

    /// Reads more behind what is buffered. False at the end, on an error and at the limit.
    private func fill() -> Bool {
        guard error == nil, end < buffer.count else { return false }
        guard count + (end - start) < limit else {
            isOverLimit = true
            return false
        }
        do throws(ByteSourceError) {
            let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
            end += read
            return read > 0
        } catch {
            self.error = error
            return false
        }
    }

    /// What giflib calls. It takes a short count for the end of the file.
    static let readFunction: InputFunc = { file, target, count in
        guard let file, let target, let data = file.pointee.UserData else { return 0 }
        let input = Unmanaged<GIFInput>.fromOpaque(data).takeUnretainedValue()
        return Int32(input.read(into: target, Int(count)))
    }
}
