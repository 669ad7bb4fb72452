import Catalog
import Fetching
import GIFDecode
import Playback

/// An item whose bytes are here or on their way.
public struct Fetched: Sendable {
    /// Where the bytes are.
    public enum Content: Sendable {
        /// On this machine, where the item says.
        case local
        case bytes([UInt8])
        case download(Download)
    }

    public var item: PlayItem
    public var content: Content
    /// Why it stands in for what a service should have given.
    public var reason: String?

    public init(item: PlayItem, content: Content) {
        self.item = item
        self.content = content
    }

    /// The item's label, with the reason where there is one.
    public var label: PlaybackLabel {
        var label = item.label
        if let reason { label = PlaybackLabel(title: label.title, detail: "\(label.detail); \(reason)") }
        return label
    }

    /// What is still on its way, or was.
    public var download: Download? {
        if case .download(let download) = content { return download }
        return nil
    }

    public func reader(limits: DecodeLimits) throws(GIFError) -> GIFReader {
        switch content {
        case .local: return try item.localReader(limits: limits)
        case .bytes(let bytes): return GIFReader(MemoryByteSource(bytes), limits: limits)
        case .download(let download): return GIFReader(download.source, limits: limits)
        }
    }

    /// What went wrong on the way, for the end; nil for what was called off here.
    public var breakage: FetchError? {
        guard case .failed(let error) = download?.progress.state, error != .transport(.cancelled) else { return nil }
        return error
    }
}

/// A download as a few words for the status line.
public enum DownloadNote {
    /// Nil once it has ended; "" while there is nothing to tell.
    public static func text(_ download: Download?) -> String? {
        guard let progress = download?.progress else { return nil }
        switch progress.state {
        case .finished: return nil
        case .failed: return "the download broke off"
        case .running: return text(progress)
        }
    }

    private static func text(_ progress: Download.Progress) -> String {
        let received = ByteSize.file(progress.received)
        let amount = progress.expected.map { "\(received) of \(ByteSize.file($0))" } ?? received
        if progress.isStalled { return "waiting for bytes… \(amount)" }
        return "\(amount), \(ByteSize.file(progress.bytesPerSecond))/s"
    }
}
