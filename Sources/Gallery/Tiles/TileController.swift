import Base
import Catalog
import Pixels

/// Manages the requested tiles. Passes them to the fetcher and the decoding worker, and provides the pictures to draw.
///
/// The runtime's thread calls the methods. Results of downloads and the worker wake it; ``advance(to:)`` handles them.
final class TileController {
    private struct Tile {
        var request: TileRequest
        /// The number of the animation in the worker.
        var animation: Int?
        var fetch: Int
        var canvas: PixelSize?
        var failure: GIFError?
        var isDamaged = false
        var picture: TileFrame?
        /// The displayed file of a large picture.
        var file: [UInt8]?
        /// The time of the first ``TileController/advance(to:)`` after the request.
        var start: Instant?
        /// Whether its file has arrived in part.
        var isPartial = false
    }

    /// A download that takes less time is not reported.
    private static let slowDownload = Span.second

    private let fetcher: TileFetcher
    private let worker: TileWorker
    /// False if the decoding thread cannot be created.
    let canDecode: Bool
    private var tiles: [TileID: Tile] = [:]
    private var order: [TileID] = []
    private var numbers = 0
    private var backdrop: Backdrop
    /// The tiles whose slow downloads were reported.
    private var loading: Set<TileID> = []

    /// - Parameter wake: ends the runtime's wait for terminal events.
    init(media: any MediaSource, backdrop: Backdrop, wake: @escaping @Sendable () -> Void) {
        self.backdrop = backdrop
        worker = TileWorker(wake: wake)
        fetcher = TileFetcher(media: media, wake: wake)
        canDecode = worker.start()
    }

    deinit { worker.stop() }

    // MARK: - Requests

    func setRequests(_ requests: [TileRequest]) {
        order = requests.map(\.id)
        let wanted = Set(order)
        for (id, tile) in tiles where !wanted.contains(id) {
            release(tile)
            tiles[id] = nil
        }
        for request in requests { take(request) }
        fetcher.prioritize(order.compactMap { tiles[$0]?.fetch })
    }

    private func take(_ request: TileRequest) {
        let id = request.id
        guard var tile = tiles[id] else { return begin(request, keeping: nil) }
        let old = tile.request
        // A stored GIF can lack the addresses that the service's page has.
        let hasNewAddress = old.reference.renditions.isEmpty && !request.reference.renditions.isEmpty
        if hasNewAddress || old.target != request.target || old.mode != request.mode
            || (old.purpose == .prefetch) != (request.purpose == .prefetch)
        {
            let picture = old.target == request.target ? tile.picture : nil
            release(tile)
            return begin(request, keeping: picture)
        }
        if old.purpose != request.purpose, let animation = tile.animation {
            worker.setPurpose(animation, request.purpose)
        }
        tile.request = request
        tiles[id] = tile
    }

    private func begin(_ request: TileRequest, keeping picture: TileFrame?) {
        tiles[request.id] = Tile(request: request, fetch: fetcher.fetch(request), picture: picture)
    }

    private func release(_ tile: Tile) {
        fetcher.cancel(tile.fetch)
        if let animation = tile.animation { worker.remove(animation) }
    }

    /// Changes the background colour. Fetches and decodes all tiles again.
    func setBackdrop(_ new: Backdrop) {
        guard new != backdrop else { return }
        backdrop = new
        let requests = order.compactMap { tiles[$0]?.request }
        for tile in tiles.values { release(tile) }
        tiles = [:]
        setRequests(requests)
    }

    // MARK: - Results

    /// Handles the deliveries of the fetcher and advances every animation to `now`.
    /// - Returns: the updates for the state, whether a picture has changed, and when the next picture changes.
    func advance(to now: Instant) -> (updates: [(GIFKey, TileUpdate)], changed: Bool, next: Instant?) {
        var updates: [(GIFKey, TileUpdate)] = []
        for delivery in fetcher.deliveries() { accept(delivery, &updates) }
        let (reports, changed, next) = worker.advance(to: now)
        var isNew = changed
        let reportTime = reportSlowDownloads(at: now, &updates)
        for id in order {
            guard var tile = tiles[id] else { continue }
            if let number = tile.animation, let report = reports[number] {
                if tile.picture == nil, report.picture != nil { isNew = true }
                if let picture = report.picture { tile.picture = picture }
                record(report, &tile, id, &updates)
            }
            tiles[id] = tile
        }
        return (updates, isNew, .earliest(next, reportTime))
    }

    /// - Returns: the time of the next report; nil if there is none.
    private func reportSlowDownloads(at now: Instant, _ updates: inout [(GIFKey, TileUpdate)]) -> Instant? {
        var next: Instant?
        for id in order {
            guard let tile = tiles[id] else { continue }
            let due = (tile.start ?? now) + Self.slowDownload
            tiles[id]?.start = tile.start ?? now
            if tile.isPartial, due > now { next = .earliest(next, due) }
            guard tile.isPartial, due <= now, loading.insert(id).inserted else { continue }
            updates.append((id.key, .loading(true)))
        }
        return next
    }

    /// Continues the animation at this time in its loop, in nanoseconds.
    func seek(_ key: GIFKey, to time: Int64) {
        for (id, tile) in tiles where id.key == key { tile.animation.map { worker.seek($0, to: time) } }
    }

    func picture(of id: TileID) -> TileFrame? { tiles[id]?.picture }

    /// The tile of a GIF reports for its large picture, too.
    private func record(
        _ report: TileWorker.Report, _ tile: inout Tile, _ id: TileID, _ updates: inout [(GIFKey, TileUpdate)]
    ) {
        guard !id.isLarge else { return }
        if let canvas = report.canvas, canvas != tile.canvas {
            tile.canvas = canvas
            updates.append((id.key, .size(canvas)))
        }
        if let failure = report.failure, tile.failure == nil {
            tile.failure = failure
            if report.picture == nil { updates.append((id.key, .broken(failure))) }
        }
        if report.isDamaged, !tile.isDamaged {
            tile.isDamaged = true
            updates.append((id.key, .damaged))
        }
    }

    private func accept(_ delivery: TileFetcher.Delivery, _ updates: inout [(GIFKey, TileUpdate)]) {
        guard let (id, tile) = tiles.first(where: { $0.value.fetch == delivery.fetch }) else { return }
        if tile.request.purpose != .prefetch {
            tiles[id]?.isPartial = !delivery.isWhole
            if delivery.isWhole, loading.remove(id) != nil { updates.append((id.key, .loading(false))) }
        }
        switch delivery.content {
        case .success(nil): return
        case .success(let bytes?):
            guard tile.request.purpose != .prefetch, tile.file != bytes else { return }
            tiles[id] = startDecoding(tiles[id] ?? tile, bytes, delivery)
        case .failure(.cancelled): return
        case .failure(let error): if !id.isLarge { updates.append((id.key, .failed(error))) }
        }
    }

    private func startDecoding(_ tile: Tile, _ bytes: [UInt8], _ delivery: TileFetcher.Delivery) -> Tile {
        var tile = tile
        numbers += 1
        var start: Int64 = 0
        if tile.request.id.isLarge {
            // The large picture continues with the frame of the tile, and a better file with that of the first one.
            start = (tile.picture ?? picture(of: TileID(key: tile.request.reference.key)))?.start ?? 0
            tile.file = bytes
        }
        worker.add(
            numbers, bytes: bytes, tile.request, backdrop: backdrop,
            delivery.isWhole ? tile.request.purpose : .still, from: start)
        if let old = tile.animation { worker.remove(old) }
        tile.animation = numbers
        return tile
    }
}

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
