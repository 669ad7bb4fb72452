import Base

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

    /// The reader first gets the bytes that have arrived, and then ``ByteSourceError/interrupted``.
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

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        let result: Result<Int, ByteSourceError> = state.wait { state in
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
