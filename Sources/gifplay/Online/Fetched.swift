import Catalog
import Fetching
import GIFDecode

/// An item whose bytes are here or on their way.
struct Fetched: Sendable {
    /// Where the bytes are.
    enum Content: Sendable {
        /// On this machine, where the item says.
        case local
        case bytes([UInt8])
        case download(Download)
    }

    var item: PlayItem
    var content: Content

    /// What is still on its way, or was.
    var download: Download? {
        if case .download(let download) = content { return download }
        return nil
    }

    func reader(limits: DecodeLimits) throws(GIFError) -> GIFReader {
        switch content {
        case .local: return try item.localReader(limits: limits)
        case .bytes(let bytes): return GIFReader(MemoryByteSource(bytes), limits: limits)
        case .download(let download): return GIFReader(download.source, limits: limits)
        }
    }

    /// What went wrong on the way, for the end; nil for what was called off here.
    var breakage: FetchError? {
        guard case .failed(let error) = download?.progress.state, error != .transport(.cancelled) else { return nil }
        return error
    }
}

/// A download as a few words for the status line.
enum DownloadNote {
    /// Nil once it has ended; "" while there is nothing to tell.
    static func text(_ download: Download?) -> String? {
        guard let progress = download?.progress else { return nil }
        switch progress.state {
        case .finished: return nil
        case .failed: return "the download broke off"
        case .running: return text(progress)
        }
    }

    private static func text(_ progress: Download.Progress) -> String {
        let amount = progress.expected.map { "\(size(progress.received)) of \(size($0))" } ?? size(progress.received)
        if progress.isStalled { return "waiting for bytes… \(amount)" }
        return "\(amount), \(size(progress.bytesPerSecond))/s"
    }

    /// `512 B`, `23 kB`, `1.4 MB`: thousands, as transfers are counted.
    static func size(_ bytes: Int) -> String {
        if bytes < 1_000 { return "\(bytes) B" }
        if bytes < 1_000_000 { return "\((bytes + 500) / 1_000) kB" }
        let tenths = (bytes + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }
}
