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
        var picture: TileFrame?
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
    private var tiles: [GIFKey: Tile] = [:]
    private var order: [GIFKey] = []
    private var numbers = 0
    private var backdrop: Backdrop
    /// The tiles whose slow downloads were reported.
    private var loading: Set<GIFKey> = []

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
        let wanted = Set(requests.map(\.reference.key))
        for (key, tile) in tiles where !wanted.contains(key) {
            release(tile)
            tiles[key] = nil
        }
        order = requests.map(\.reference.key)
        for request in requests { take(request) }
        fetcher.prioritize(requests.compactMap { tiles[$0.reference.key]?.fetch })
    }

    private func take(_ request: TileRequest) {
        let key = request.reference.key
        guard var tile = tiles[key] else { return begin(request, keeping: nil) }
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
        tiles[key] = tile
    }

    private func begin(_ request: TileRequest, keeping picture: TileFrame?) {
        tiles[request.reference.key] = Tile(request: request, fetch: fetcher.fetch(request), picture: picture)
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
        for key in order {
            guard var tile = tiles[key] else { continue }
            if let number = tile.animation, let report = reports[number] {
                if tile.picture == nil, report.picture != nil { isNew = true }
                if let picture = report.picture { tile.picture = picture }
                record(report, &tile, key, &updates)
            }
            tiles[key] = tile
        }
        return (updates, isNew, .earliest(next, reportTime))
    }

    /// - Returns: the time of the next report; nil if there is none.
    private func reportSlowDownloads(at now: Instant, _ updates: inout [(GIFKey, TileUpdate)]) -> Instant? {
        var next: Instant?
        for key in order {
            guard let tile = tiles[key] else { continue }
            let due = (tile.start ?? now) + Self.slowDownload
            tiles[key]?.start = tile.start ?? now
            if tile.isPartial, due > now { next = .earliest(next, due) }
            guard tile.isPartial, due <= now, loading.insert(key).inserted else { continue }
            updates.append((key, .loading(true)))
        }
        return next
    }

    /// Continues the animation at this time in its loop, in nanoseconds.
    func seek(_ key: GIFKey, to time: Int64) { if let number = tiles[key]?.animation { worker.seek(number, to: time) } }

    func picture(of key: GIFKey) -> TileFrame? { tiles[key]?.picture }

    private func record(
        _ report: TileWorker.Report, _ tile: inout Tile, _ key: GIFKey, _ updates: inout [(GIFKey, TileUpdate)]
    ) {
        if let canvas = report.canvas, canvas != tile.canvas {
            tile.canvas = canvas
            updates.append((key, .size(canvas)))
        }
        if let failure = report.failure, tile.failure == nil {
            tile.failure = failure
            if report.picture == nil { updates.append((key, .broken)) }
        }
    }

    private func accept(_ delivery: TileFetcher.Delivery, _ updates: inout [(GIFKey, TileUpdate)]) {
        guard let (key, tile) = tiles.first(where: { $0.value.fetch == delivery.fetch }) else { return }
        if tile.request.purpose != .prefetch {
            tiles[key]?.isPartial = !delivery.isWhole
            if delivery.isWhole, loading.remove(key) != nil { updates.append((key, .loading(false))) }
        }
        switch delivery.content {
        case .success(nil): return
        case .success(let bytes?):
            guard tile.request.purpose != .prefetch else { return }
            tiles[key] = startDecoding(tiles[key] ?? tile, bytes, delivery)
        case .failure(.cancelled): return
        case .failure(let error): updates.append((key, .failed(error)))
        }
    }

    private func startDecoding(_ tile: Tile, _ bytes: [UInt8], _ delivery: TileFetcher.Delivery) -> Tile {
        var tile = tile
        numbers += 1
        worker.add(
            numbers, bytes: bytes, tile.request, backdrop: backdrop,
            delivery.isWhole ? tile.request.purpose : .still)
        if let old = tile.animation { worker.remove(old) }
        tile.animation = numbers
        return tile
    }
}
