import Base
import Glibc

/// A source of a GIF's bytes: a file, memory, a pipe, or a download in progress.
///
/// Only one thread at a time can read a source. giflib treats a short read as the end of the file, so ``read(into:)``
/// blocks until bytes arrive if the source is still growing.
public protocol ByteSource: AnyObject {
    /// Blocks until at least one byte is available or the source ends.
    /// - Returns: the number of bytes; 0 only at the end of the source.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int

    func rewind() throws(GIFError)
}

extension UnsafeRawBufferPointer {
    /// Copies as many bytes as fit into `buffer`. Advances `position` by the number of bytes, and returns it.
    func copy(from position: inout Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = UnsafeRawBufferPointer(rebasing: self[position...].prefix(buffer.count))
        buffer.copyMemory(from: part)
        position += part.count
        return part.count
    }
}

public final class MemoryByteSource: ByteSource {
    private let bytes: UnsafeRawBufferPointer
    private let isOwner: Bool
    private var position = 0

    /// Does not copy the bytes.
    /// - Parameter bytes: must stay valid and unchanged during the lifetime of the source, as the built-in samples do.
    public init(borrowing bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        isOwner = false
    }

    public init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        self.bytes = UnsafeRawBufferPointer(copy)
        isOwner = true
    }

    deinit { if isOwner { bytes.deallocate() } }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int {
        bytes.copy(from: &position, into: buffer)
    }

    public func rewind() { position = 0 }
}

/// Reads a file on disk part by part. A pipe, which can be read only once, stays in memory.
///
/// The first read opens the file, because opening can block, for example if the file is a FIFO without a writer or is
/// on a network that does not respond. Thus only the thread that reads is blocked.
public final class FileByteSource: ByteSource {
    private let path: String
    private let pipeLimit: Int
    private var descriptor: Int32 = -1
    private var pipe: PipeByteSource?

    /// - Parameter pipeLimit: the maximum number of bytes if the file is a pipe.
    public init(path: String, pipeLimit: Int = .max) { (self.path, self.pipeLimit) = (path, pipeLimit) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Rejects a terminal, because reading it would consume key presses.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int {
        if descriptor < 0 {
            descriptor = open(path.systemPath, O_RDONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { throw .system(call: "open", errno: errno) }
            try refuseOutput(descriptor)
            if lseek(descriptor, 0, SEEK_CUR) < 0, errno == ESPIPE {
                pipe = PipeByteSource(descriptor: descriptor, name: path, limit: pipeLimit)
            }
        }
        guard !isTerminal else { throw .terminal }
        if let pipe { return try pipe.read(into: buffer) }
        return try readOnce(descriptor, into: buffer)
    }

    private lazy var isTerminal = isatty(descriptor) == 1

    public func rewind() throws(GIFError) {
        guard descriptor >= 0, pipe == nil else { return pipe?.rewind() ?? () }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .system(call: "lseek", errno: errno) }
    }
}

private func refuseOutput(_ descriptor: Int32) throws(GIFError) {
    guard let input = FileIdentity(descriptor: descriptor), input.isRegular else { return }
    if input == FileIdentity(descriptor: STDOUT_FILENO) { throw .output }
}

/// Repeats the call only if a signal interrupts it.
func readOnce(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int {
    while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        guard errno == EINTR else { throw .system(call: "read", errno: errno) }
    }
}

/// Reads a descriptor whose bytes can be read only once, such as standard input.
///
/// Buffers all bytes, up to a limit, because each pass reads them again.
public final class PipeByteSource: ByteSource {
    private let descriptor: Int32
    private let name: String
    private let limit: Int
    private var buffered: [UInt8] = []
    private var position = 0

    /// - Parameters:
    ///   - descriptor: the caller must close it.
    ///   - name: the name of the source in error messages.
    ///   - limit: the maximum number of bytes. If the pipe delivers more bytes, reading fails.
    public init(descriptor: Int32, name: String, limit: Int) {
        (self.descriptor, self.name, self.limit) = (descriptor, name, limit)
    }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int {
        if position == buffered.count {
            if buffered.isEmpty { try refuseOutput(descriptor) }
            let count = try readOnce(descriptor, into: buffer)
            guard buffered.count + count <= limit else { throw .tooManyBytes(name: name, limit: limit) }
            buffered.append(contentsOf: buffer.prefix(count))
            position = buffered.count
            return count
        }
        return buffered.withUnsafeBytes { $0.copy(from: &position, into: buffer) }
    }

    public func rewind() { position = 0 }
}

/// A source whose bytes are still arriving, such as from a download. One thread appends, another one reads them.
///
/// ``read(into:)`` blocks until bytes arrive, or until the producer finishes or fails.
public final class GrowingByteSource: ByteSource, Sendable {
    private enum Ending {
        case open
        case finished
        case failed
    }

    private struct State {
        var bytes: [UInt8] = []
        var position = 0
        var ending = Ending.open
    }

    private let state = Monitor(State())

    public init() {}

    // MARK: - Called by the producer

    public func append(_ bytes: UnsafeRawBufferPointer) { state.withLock { $0.bytes.append(contentsOf: bytes) } }

    public func finish() {
        state.withLock { if case .open = $0.ending { $0.ending = .finished } }
    }

    /// The reader first gets the bytes that have arrived, and then ``GIFError/interrupted``.
    public func fail() {
        state.withLock { if case .open = $0.ending { $0.ending = .failed } }
    }

    // MARK: - Called by the reader

    /// Whether a read would block now.
    public var isStalled: Bool {
        state.withLock { state in
            if case .open = state.ending { return state.position == state.bytes.count }
            return false
        }
    }

    /// Does not change the reader's position. While the result is alive, the next ``append(_:)`` copies all bytes.
    public var receivedBytes: [UInt8] { state.withLock { $0.bytes } }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int {
        let result: Result<Int, GIFError> = state.wait { state in
            var position = state.position
            let count = state.bytes.withUnsafeBytes { $0.copy(from: &position, into: buffer) }
            state.position = position
            if count > 0 { return .success(count) }
            switch state.ending {
            case .open: return nil
            case .finished: return .success(0)
            case .failed: return .failure(.interrupted)
            }
        }
        return try result.get()
    }

    public func rewind() { state.withLock { $0.position = 0 } }
}
