import Base
import Catalog
import Pixels

/// Fetches the files of tiles, a few at a time, in descending order of priority.
///
/// The runtime's thread calls the methods. Tasks fetch the files and add the results as deliveries.
final class TileFetcher: Sendable {
    struct Delivery: Sendable {
        var fetch: Int
        /// If false, `content` is only the beginning of the file, which is enough for a still picture, or nil if that has
        /// hardly grown.
        var isWhole: Bool
        var content: Result<[UInt8]?, Failure>
        /// Whether a better file follows.
        var isFirst = false
    }

    private struct State {
        var numbers = 0
        var waiting: [Int: TileRequest] = [:]
        /// The numbers of waiting fetches, in descending order of priority.
        var queue: [Int] = []
        var running: [Int: Task<Void, Never>] = [:]
        var deliveries: [Delivery] = []
    }

    /// The maximum number of parallel downloads: enough to use the bandwidth, few enough that the first ones end early.
    private static let parallelFetchLimit = 6

    private let media: any MediaSource
    private let wake: @Sendable () -> Void
    private let state = Monitor(State())

    init(media: any MediaSource, wake: @escaping @Sendable () -> Void) {
        self.media = media
        self.wake = wake
    }

    deinit {
        state.withLock { for task in $0.running.values { task.cancel() } }
    }

    /// Registers a fetch. The fetch can start only after the next call of ``prioritize(_:)``.
    /// - Returns: the number of the fetch.
    func fetch(_ request: TileRequest) -> Int {
        state.withLock { state in
            state.numbers += 1
            state.waiting[state.numbers] = request
            return state.numbers
        }
    }

    /// Sets the order of the waiting fetches, highest priority first, and starts as many as the limit allows.
    func prioritize(_ numbers: [Int]) {
        state.withLock { state in
            state.queue = numbers.filter { state.waiting[$0] != nil }
            begin(&state)
        }
    }

    func cancel(_ number: Int) {
        state.withLock { state in
            state.waiting[number] = nil
            state.running.removeValue(forKey: number)?.cancel()
            state.deliveries.removeAll { $0.fetch == number }
        }
    }

    /// Returns the deliveries since the last call.
    func deliveries() -> [Delivery] {
        state.withLock { state in
            defer { state.deliveries = [] }
            return state.deliveries
        }
    }

    private func begin(_ state: inout State) {
        while state.running.count < Self.parallelFetchLimit, !state.queue.isEmpty {
            let number = state.queue.removeFirst()
            guard let request = state.waiting.removeValue(forKey: number) else { continue }
            state.running[number] = Task.detached { [weak self, media] in
                func fetch(_ size: PixelSize, arrived: @escaping @Sendable (PartialFile) -> Void) async
                    -> Result<[UInt8]?, Failure>
                {
                    await Result(of: { () async throws(Failure) -> [UInt8]? in
                        try await media.bytes(
                            of: request.reference, filling: size, isOriginal: false, arrived: arrived)
                    })
                }
                if let size = request.tileSize {
                    let tile = await fetch(size) { _ in }
                    self?.deliver(Delivery(fetch: number, isWhole: true, content: tile, isFirst: true))
                }
                let content = await fetch(request.pixels) { [weak self] part in
                    guard request.tileSize == nil else { return }
                    self?.deliver(Delivery(fetch: number, isWhole: false, content: .success(part.bytes)))
                }
                self?.deliver(Delivery(fetch: number, isWhole: true, content: content))
            }
        }
    }

    private func deliver(_ delivery: Delivery) {
        let isWanted = state.withLock { state in
            // Ignore a fetch that was cancelled.
            guard state.running[delivery.fetch] != nil else { return false }
            if delivery.isWhole, !delivery.isFirst {
                state.running[delivery.fetch] = nil
                begin(&state)
            }
            state.deliveries.append(delivery)
            return true
        }
        if isWanted { wake() }
    }
}
