import Base
import Catalog
import GIFDecode
import Pixels

/// The tiles that are wanted: fetches their bytes, has them decoded, tells what to draw.
///
/// Used from the runtime's thread; downloads and the worker answer through a mailbox and a wake.
final class TileStage {
    /// A GIF at a size, from the wish for it on.
    private struct Tile {
        var request: TileRequest
        /// The numbers of its films: the one that is shown, and the original that is to follow it.
        var film: Int?
        var original: Int?
        /// Otherwise only the beginning of its file is there.
        var isOriginalWhole = false
        /// Then a small one that comes late does not take its place.
        var showsOriginal = false
        var fetches: [Int] = []
        var canvas: PixelSize?
        var failure: GIFError?
        var picture: TileFrame?
    }

    private let fetcher: TileFetcher
    private let worker: TileWorker
    private let canDecode: Bool
    private var tiles: [GIFKey: Tile] = [:]
    private var order: [GIFKey] = []
    private var numbers = 0
    private var backdrop: Backdrop

    /// - Parameter wake: of the terminal.
    init(media: any MediaSource, backdrop: Backdrop, wake: @escaping @Sendable () -> Void) {
        self.backdrop = backdrop
        worker = TileWorker(wake: wake)
        fetcher = TileFetcher(media: media, wake: wake)
        canDecode = worker.start()
    }

    deinit {
        worker.stop()
    }

    // MARK: - Wishes

    /// Takes these in place of what was wanted before.
    func want(_ requests: [TileRequest]) {
        let wanted = Set(requests.map(\.reference.key))
        for (key, tile) in tiles where !wanted.contains(key) {
            release(tile)
            tiles[key] = nil
        }
        order = requests.map(\.reference.key)
        for request in requests { take(request) }
        fetcher.order(requests.compactMap { tiles[$0.reference.key]?.fetches }.flatMap(\.self))
    }

    private func take(_ request: TileRequest) {
        let key = request.reference.key
        guard var tile = tiles[key] else { return begin(request, keeping: nil) }
        let old = tile.request
        if old.target != request.target || (old.wish == .near) != (request.wish == .near)
            || old.wantsOriginal != request.wantsOriginal
        {
            let picture = old.target == request.target ? tile.picture : nil
            release(tile)
            return begin(request, keeping: picture)
        }
        if old.wish != request.wish, let film = tile.film { worker.setStill(film, request.wish == .still) }
        tile.request = request
        tiles[key] = tile
    }

    private func begin(_ request: TileRequest, keeping picture: TileFrame?) {
        var tile = Tile(request: request)
        tile.picture = picture
        tile.fetches.append(fetcher.fetch(request, isOriginal: false))
        if request.wantsOriginal { tile.fetches.append(fetcher.fetch(request, isOriginal: true)) }
        tiles[request.reference.key] = tile
    }

    private func release(_ tile: Tile) {
        for fetch in tile.fetches { fetcher.cancel(fetch) }
        for film in [tile.film, tile.original] { if let film { worker.remove(film) } }
    }

    /// All films anew on another background.
    func setBackdrop(_ new: Backdrop) {
        guard new != backdrop else { return }
        backdrop = new
        let requests = order.compactMap { tiles[$0]?.request }
        for tile in tiles.values { release(tile) }
        tiles = [:]
        want(requests)
    }

    // MARK: - What became of them

    /// Takes in what has arrived, and moves every film on to `now`.
    /// - Returns: the news for the state, whether any picture changed, and when the next one will.
    func advance(to now: Instant) -> (news: [(GIFKey, TileNews)], changed: Bool, next: Instant?) {
        var news: [(GIFKey, TileNews)] = []
        for delivery in fetcher.deliveries() { accept(delivery, &news) }
        let (reports, changed, next) = worker.advance(to: now)
        var isNew = changed
        for key in order {
            guard var tile = tiles[key] else { continue }
            if let number = tile.original, let report = reports[number] { takeOriginal(report, &tile, key, &news) }
            if let number = tile.film, let report = reports[number] {
                if tile.picture == nil, report.picture != nil { isNew = true }
                if let picture = report.picture { tile.picture = picture }
                note(report, &tile, key, &news)
            }
            tiles[key] = tile
        }
        return (news, isNew, next)
    }

    /// What the tile shows now.
    func picture(of key: GIFKey) -> TileFrame? { tiles[key]?.picture }

    private func note(
        _ report: TileWorker.Report, _ tile: inout Tile, _ key: GIFKey, _ news: inout [(GIFKey, TileNews)]
    ) {
        if let canvas = report.canvas, canvas != tile.canvas {
            tile.canvas = canvas
            news.append((key, .size(canvas)))
        }
        if let failure = report.failure, tile.failure == nil {
            tile.failure = failure
            if report.picture == nil { news.append((key, .broken)) }
        }
    }

    /// The small film gives way once the original has a picture, and stays where that has none.
    private func takeOriginal(
        _ report: TileWorker.Report, _ tile: inout Tile, _ key: GIFKey, _ news: inout [(GIFKey, TileNews)]
    ) {
        guard report.picture != nil else {
            guard report.failure != nil, tile.isOriginalWhole else { return }
            worker.remove(report.number)
            tile.original = nil
            return news.append((key, .noOriginal))
        }
        if let small = tile.film { worker.remove(small) }
        tile.film = tile.original
        tile.original = nil
        tile.showsOriginal = true
        news.append((key, .original))
    }

    private func accept(_ delivery: TileFetcher.Delivery, _ news: inout [(GIFKey, TileNews)]) {
        guard let (key, tile) = tiles.first(where: { $0.value.fetches.contains(delivery.fetch) }) else { return }
        switch delivery.content {
        case .success(let bytes):
            guard tile.request.wish != .near, delivery.isOriginal || !tile.showsOriginal else { return }
            guard canDecode else { return news.append((key, .broken)) }
            tiles[key] = screened(tile, bytes, delivery)
        case .failure(.cancelled): return
        case .failure(.failed(let reason)):
            news.append((key, delivery.isOriginal ? .noOriginal : .failed(reason)))
        }
    }

    private func screened(_ tile: Tile, _ bytes: [UInt8], _ delivery: TileFetcher.Delivery) -> Tile {
        var tile = tile
        numbers += 1
        let isStill = tile.request.wish == .still || !delivery.isWhole
        worker.add(
            numbers, bytes: bytes, target: tile.request.target, backdrop: backdrop, isStill: isStill)
        if delivery.isOriginal {
            if let old = tile.original { worker.remove(old) }
            tile.original = numbers
            tile.isOriginalWhole = delivery.isWhole
        } else {
            if let old = tile.film { worker.remove(old) }
            tile.film = numbers
        }
        return tile
    }
}
