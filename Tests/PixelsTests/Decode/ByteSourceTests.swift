import Glibc
import Pixels
import TestSupport
import Testing

@Suite("Byte sources")
struct ByteSourceTests {
    private let gif = GIFBuilder(width: 3, height: 2).loop(0)
        .control(delay: 5, transparent: 0).image(width: 3, height: 2, [1, 2, 3, 0, 1, 2])
        .control(delay: 6).image(x: 1, width: 2, height: 2, [3, 3, 2, 2], interlaced: true).comment("end").trailer()

    /// Reads a growing source to its end in a detached task.
    private func read(_ source: GrowingByteSource) async throws -> ([DecodedFrame], GIFReader.Summary) {
        try await Task.detached {
            let reader = GIFReader(source)
            return (try reader.allFrames(), reader.summary)
        }.value
    }

    private func feed(_ bytes: some Collection<UInt8>, to source: GrowingByteSource) {
        for byte in bytes { withUnsafeBytes(of: byte) { source.append($0) } }
    }

    @Test("A file that arrives byte by byte decodes to the same frames as a complete file")
    func growing() async throws {
        let source = GrowingByteSource()
        async let result = read(source)
        feed(gif.bytes, to: source)
        source.finish()
        let (frames, summary) = try await result
        #expect(try frames == gif.reader().allFrames())
        #expect(summary.damage.isEmpty)
    }

    @Test("A named pipe and a pipe of a shell are read once and play again from memory, up to their limit")
    func pipes() throws {
        let path = "/tmp/gifplay-pipe-\(UInt64.random(in: .min ... .max))"
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        // With a reader of its own, the writer does not wait.
        let pipe = open(path, O_RDWR)
        defer { close(pipe) }
        func write() { _ = gif.bytes.withUnsafeBytes { Glibc.write(pipe, $0.baseAddress, $0.count) } }
        write()
        let reader = GIFReader(FileByteSource(path: path))
        let first = try reader.allFrames()
        try reader.rewind()
        #expect(try reader.allFrames() == first && first == gif.reader().allFrames())
        write()
        #expect(throws: GIFError.tooManyBytes(name: path, limit: 10)) {
            _ = try GIFReader(FileByteSource(path: path, pipeLimit: 10)).allFrames()
        }
    }

    @Test("A frame is decoded before the bytes of the next frame arrive")
    func early() throws {
        let source = GrowingByteSource()
        let first = gif.dropping(last: 20).bytes
        feed(first, to: source)
        let reader = GIFReader(source)
        let frame = IndexedFrame()
        #expect(try reader.next(into: frame))
        let firstFrame = try gif.reader().allFrames().first
        #expect(DecodedFrame(frame) == firstFrame)
        #expect(source.isStalled)
        feed(gif.bytes.dropFirst(first.count), to: source)
        #expect(!source.isStalled)
        source.finish()
        #expect(try reader.next(into: frame))
        #expect(try !reader.next(into: frame))
        #expect(!source.isStalled)
    }

    @Test("If a source is interrupted, the received frames are decoded, and the interruption is reported")
    func failing() async throws {
        let source = GrowingByteSource()
        async let result = read(source)
        feed(gif.bytes.dropLast(12), to: source)
        source.fail()
        // Only the first call of `fail` or `finish` has an effect.
        source.finish()
        source.fail()
        let (frames, summary) = try await result
        let firstFrame = try gif.reader().allFrames().first
        #expect(frames.first == firstFrame)
        #expect(summary.damage.last?.kind == .unreadable(.interrupted))
    }

    @Test("If a source fails before its first byte, the reader throws an error")
    func failingAtOnce() {
        let source = GrowingByteSource()
        source.fail()
        #expect(throws: GIFError.interrupted) { try GIFReader(source).allFrames() }
    }

    @Test("A growing source can be rewound to its first byte")
    func growingRewinds() throws {
        let source = GrowingByteSource()
        feed(gif.bytes, to: source)
        source.finish()
        let reader = GIFReader(source)
        let first = try reader.allFrames()
        try reader.rewind()
        #expect(try reader.allFrames() == first)
    }

    // MARK: - Pipes

    /// Calls `body` with the read end of a pipe that contains `bytes` and whose write end is closed.
    private func withPipe(_ bytes: [UInt8], _ body: (Int32) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let written = write(ends[1], bytes, bytes.count)
        close(ends[1])
        try #require(written == bytes.count)
        try body(ends[0])
    }

    @Test("A pipe is read once and replayed from memory")
    func pipeRewinds() throws {
        try withPipe(gif.bytes) { descriptor in
            let reader = GIFReader(PipeByteSource(descriptor: descriptor, name: "stdin", limit: 1 << 20))
            let first = try reader.allFrames()
            #expect(try first == gif.reader().allFrames())
            try reader.rewind()
            #expect(try reader.next(into: IndexedFrame()))
            try reader.rewind()
            #expect(try reader.allFrames() == first)
        }
    }

    @Test("A pipe with more bytes than the limit is an error")
    func pipeLimit() throws {
        try withPipe(gif.bytes) { descriptor in
            let limit = gif.bytes.count - 1
            let reader = GIFReader(PipeByteSource(descriptor: descriptor, name: "stdin", limit: limit))
            let error = GIFError.tooManyBytes(name: "stdin", limit: limit)
            #expect(throws: error) { try reader.allFrames() }
        }
    }

    @Test("A file can be rewound and read again")
    func file() throws {
        var path = Array("/tmp/gifplay-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(name) }
        try #require(write(descriptor, gif.bytes, gif.bytes.count) == gif.bytes.count)
        let reader = GIFReader(FileByteSource(path: name))
        let frames = try reader.allFrames()
        #expect(try frames == gif.reader().allFrames())
        try reader.rewind()
        #expect(try reader.allFrames() == frames)
    }

    @Test("Bytes in borrowed memory decode to the same frames as copied bytes")
    func borrowed() throws {
        let whole = try gif.reader().allFrames()
        try gif.bytes.withUnsafeBytes { bytes throws in
            let frames = try GIFReader(MemoryByteSource(borrowing: bytes)).allFrames()
            #expect(frames == whole)
        }
    }
}
