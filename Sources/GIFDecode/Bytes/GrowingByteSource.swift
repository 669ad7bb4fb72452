import Base

/// Bytes that are still arriving, such as a download's: one thread appends, another decodes.
///
/// The reader waits inside ``read(into:)`` until bytes are there, the feeder has finished or failed,
/// or somebody cancels.
public final class GrowingByteSource: ByteSource, Sendable {
    private enum Ending {
        case open
        case finished
        case failed(String)
    }

    private struct State {
        var bytes: [UInt8] = []
        var position = 0
        var ending = Ending.open
    }

    private let state = Monitor(State())

    public init() {}

    // MARK: - The feeder's side

    public func append(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { $0.bytes.append(contentsOf: bytes) }
    }

    /// No more bytes will come.
    public func finish() {
        state.withLock { if case .open = $0.ending { $0.ending = .finished } }
    }

    /// No more bytes will come, for this reason. The reader gets what arrived, then the error.
    public func fail(_ reason: String) {
        state.withLock { if case .open = $0.ending { $0.ending = .failed(reason) } }
    }

    // MARK: - The reader's side

    /// Whether a read would have to wait now.
    public var isStalled: Bool {
        state.withLock { state in
            if case .open = state.ending { return state.position == state.bytes.count }
            return false
        }
    }

    /// Everything that has come; the reader's place stays where it is.
    public var arrived: [UInt8] { state.withLock { $0.bytes } }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        let result: Result<Int, ByteSourceError> = state.wait { state in
            var position = state.position
            let count = state.bytes.withUnsafeBytes { $0.copy(from: &position, into: buffer) }
            state.position = position
            if count > 0 { return .success(count) }
            switch state.ending {
            case .open: return nil
            case .finished: return .success(0)
            case .failed(let reason): return .failure(.interrupted(reason))
            }
        }
        return try result.get()
    }

    public func rewind() {
        state.withLock { $0.position = 0 }
    }
}
