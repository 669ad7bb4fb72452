import Base
import Catalog
import GIFDecode
import Gallery
import Pixels

/// A source of media whose answers the test gives, one by one.
final class ScriptedMedia: MediaSource {
    struct Asked: Equatable {
        var id: String
        var isOriginal: Bool
    }

    private struct Waiting {
        var asked: Asked
        var continuation: CheckedContinuation<Result<[UInt8], MediaError>, Never>
        var arrived: @Sendable ([UInt8]) -> Void
    }

    private struct State {
        var asked: [Asked] = []
        var waiting: [Waiting] = []
        var cancelled: [Asked] = []
        var isOver = false
    }

    private let state = Monitor(State())
    /// Says that something was asked for or given up: the test waits for it without holding a thread.
    private let changes = AsyncStream.makeStream(of: Void.self)

    /// Everything that was asked for, in order.
    var asked: [Asked] { state.withLock { $0.asked } }

    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(MediaError) -> [UInt8] {
        let asked = Asked(id: reference.id, isOriginal: isOriginal)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    state.asked.append(asked)
                    guard !state.isOver else { return true }
                    state.waiting.append(Waiting(asked: asked, continuation: continuation, arrived: arrived))
                    return false
                }
                if isOver { continuation.resume(returning: .failure(.cancelled)) }
                changes.continuation.yield()
            }
        } onCancel: {
            state.withLock { $0.cancelled.append(asked) }
            changes.continuation.yield()
        }
        return try result.get()
    }

    /// Waits until it is asked for, then answers.
    func answer(_ id: String, isOriginal: Bool = false, _ result: Result<[UInt8], MediaError>) async throws {
        try await take(id, isOriginal).continuation.resume(returning: result)
    }

    /// Waits until it is asked for, then gives a part of it.
    func arrive(_ id: String, _ bytes: [UInt8]) async throws {
        let waiting = try await take(id, false)
        state.withLock { $0.waiting.append(waiting) }
        waiting.arrived(bytes)
    }

    /// Waits until so many are being asked for at once.
    func wait(forWaiting count: Int) async throws {
        try await until { $0.waiting.count >= count ? () : nil }
    }

    func waitForCancelling(of id: String) async throws {
        try await until { state in state.cancelled.contains { $0.id == id } ? () : nil }
    }

    private func take(_ id: String, _ isOriginal: Bool) async throws -> Waiting {
        try await until { state in
            let asked = Asked(id: id, isOriginal: isOriginal)
            return state.waiting.firstIndex { $0.asked == asked }.map { state.waiting.remove(at: $0) }
        }
    }

    private func until<Found: Sendable>(_ look: @Sendable (inout State) -> Found?) async throws -> Found {
        var changes = changes.stream.makeAsyncIterator()
        while true {
            if let found = state.withLock({ look(&$0) }) { return found }
            // A test out of time is cancelled, and must not go round and round here.
            guard await changes.next() != nil else { throw CancellationError() }
        }
    }

    /// Ends what nobody will answer any more: whoever waits holds this, and this holds whoever waits.
    func giveUp() {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.isOver) = ([], true) }
            return state.waiting
        }
        for waiting in waiting { waiting.continuation.resume(returning: .failure(.cancelled)) }
    }
}
