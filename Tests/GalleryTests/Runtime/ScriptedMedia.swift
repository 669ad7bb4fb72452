import Base
import Catalog
import Pixels

@testable import Gallery

/// A media source whose requests the test answers one by one.
final class ScriptedMedia: MediaSource {
    struct Request: Equatable {
        var id: String
        var isOriginal: Bool
    }

    private struct PendingRequest {
        var request: Request
        var continuation: CheckedContinuation<Result<[UInt8], Failure>, Never>
        var arrived: @Sendable (PartialFile) -> Void
    }

    private struct State {
        var requests: [Request] = []
        var waiting: [PendingRequest] = []
        var cancelled: [Request] = []
        var isOver = false
    }

    private let state = Monitor(State())
    /// Yields an element after each request and each cancellation, so that a test can wait without blocking a thread.
    private let changes = AsyncStream.makeStream(of: Void.self)

    /// All requests that were received, in order of arrival.
    var requests: [Request] { state.withLock { $0.requests } }

    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8] {
        let request = Request(id: reference.id, isOriginal: isOriginal)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    state.requests.append(request)
                    guard !state.isOver else { return true }
                    state.waiting.append(PendingRequest(request: request, continuation: continuation, arrived: arrived))
                    return false
                }
                if isOver { continuation.resume(returning: .failure(.cancelled)) }
                changes.continuation.yield()
            }
        } onCancel: {
            state.withLock { $0.cancelled.append(request) }
            changes.continuation.yield()
        }
        return try result.get()
    }

    /// Waits for a request for this GIF and answers it.
    func answer(_ id: String, isOriginal: Bool = false, _ result: Result<[UInt8], Failure>) async throws {
        try await take(id, isOriginal).continuation.resume(returning: result)
    }

    /// Waits for a request for this GIF and delivers `bytes` as the beginning of the GIF. The request stays open.
    func arrive(_ id: String, _ bytes: [UInt8]) async throws {
        try await arrive(id, PartialFile(.init(received: bytes.count), bytes: bytes))
    }

    func arrive(_ id: String, isOriginal: Bool = false, _ part: PartialFile) async throws {
        let waiting = try await take(id, isOriginal)
        state.withLock { $0.waiting.append(waiting) }
        waiting.arrived(part)
    }

    /// Waits until at least `count` requests are open at the same time.
    func wait(forPending count: Int) async throws { try await until { $0.waiting.count >= count ? () : nil } }

    func waitForCancelling(of id: String) async throws {
        try await until { state in state.cancelled.contains { $0.id == id } ? () : nil }
    }

    private func take(_ id: String, _ isOriginal: Bool) async throws -> PendingRequest {
        try await until { state in
            let request = Request(id: id, isOriginal: isOriginal)
            return state.waiting.firstIndex { $0.request == request }.map { state.waiting.remove(at: $0) }
        }
    }

    private func until<Found: Sendable>(_ look: @Sendable (inout State) -> Found?) async throws -> Found {
        var changes = changes.stream.makeAsyncIterator()
        while true {
            if let found = state.withLock({ look(&$0) }) { return found }
            // The stream ends if the test is cancelled, for example by its time limit. Throw to end the loop.
            guard await changes.next() != nil else { throw CancellationError() }
        }
    }

    /// Cancels the open requests, which no test will answer, and all later requests. Otherwise the requests would leak,
    /// because their tasks retain this object, and this object retains their continuations.
    func cancelAll() {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.isOver) = ([], true) }
            return state.waiting
        }
        for waiting in waiting { waiting.continuation.resume(returning: .failure(.cancelled)) }
    }
}
