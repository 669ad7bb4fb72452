import Base
import Catalog
import Pixels
import Playback

/// An item whose bytes are available or are being downloaded.
public struct FetchedItem: Sendable {
    public enum Content: Sendable {
        /// A file, standard input or a built-in sample, as ``PlayItem`` specifies.
        case local
        case bytes([UInt8])
        case download(Download)
    }

    public var item: PlayItem
    public var content: Content
    /// The reason why a built-in sample is played instead of a result from a service; nil for any other item.
    public var reason: String?
    /// The GIF that a link has led to; nil for any other item, and for the URL of a GIF itself.
    public var link: LinkedGIF?

    /// Why a stored GIF is played that could have changed since; nil for any other item.
    public var staleness: Staleness?

    public init(item: PlayItem, content: Content, staleness: Staleness? = nil) {
        self.item = item
        self.content = content
        self.staleness = staleness
    }

    public struct Staleness: Sendable {
        /// The time in seconds since the server has sent or confirmed the GIF; nil if it is not known.
        public var seconds: Int?
        /// Why the server's answer is of no use; nil if gifplay is offline.
        public var reason: FetchError?
    }

    /// The item's label, with `reason` appended if it is set.
    public func label(in language: Language) -> PlaybackLabel {
        var label = item.label(in: language)
        if case .address = item, let title = link?.title ?? download?.fileName { label.title = SafeText.line(title) }
        if let reason {
            let reason = language(en: reason, de: "Quellen nicht verfügbar")
            label = PlaybackLabel(title: label.title, detail: "\(label.detail); \(reason)")
        }
        return label
    }

    /// The item as the library and the actions know it; nil for standard input.
    public var reference: GIFReference? {
        switch item {
        case .standardInput: return nil
        case .file(let path): return GIFReference(path: FileSystem.realPath(path) ?? path)
        case .sample(let sample): return SampleRepository.allReferences.first { $0.id == sample.name }
        case .reference(let reference): return reference
        case .address(let url):
            let (file, label) = (link?.url ?? url, label(in: .english))
            let isWeb = !url.hasPrefix("data:")
            // Without user name, password and keys, because the link is displayed and shared.
            let shared = URLAuthority.shareable(url)
            return GIFReference(
                provider: GIFReference.addressProvider, id: shared, title: SafeText.line(label.title),
                pageURL: isWeb ? shared : nil, attribution: label.detail,
                renditions: isWeb ? [Rendition(url: file)] : [],
                cachePolicy: StorageRule.allowsDisk(from: url) && StorageRule.allowsDisk(from: file)
                    ? .persistent : .sessionOnly)
        }
    }

    /// The download of the item, running or ended; nil if ``content`` is not a download.
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

    /// The bytes of the GIF that have arrived; nil if they can be read only once.
    /// - Parameter limit: reading of a larger file ends soon after this many bytes.
    public func bytes(limit: Int) -> [UInt8]? {
        switch (content, item) {
        case (.bytes(let bytes), _): return bytes
        case (.download(let download), _): return download.source.receivedBytes
        case (.local, .sample(let sample)): return Array(sample.bytes)
        case (.local, .file(let path)) where FileIdentity(path: path)?.isRegular == true:
            return try? FileSystem.read(path, limit: limit, waits: false)
        case (.local, _): return nil
        }
    }

    /// The reason why the download failed; nil if it did not fail, or if it was cancelled.
    public var downloadFailure: FetchError? {
        guard case .failed(let error) = download?.progress.state, error != .transport(.cancelled) else { return nil }
        return error
    }
}

/// The status-line text that describes the progress of a download.
public enum DownloadNote {
    /// Returns nil if there is no download, or if the download has finished.
    public static func text(_ download: Download?, in language: Language) -> String? {
        guard let progress = download?.progress else { return nil }
        switch progress.state {
        case .finished: return nil
        case .running where progress.wait != nil: return progress.wait.map { waiting($0, language) }
        case .failed: return language(en: "the download failed", de: "Download fehlgeschlagen")
        case .running: return text(progress, download?.host ?? "", language)
        }
    }

    /// The reason why nothing arrives; nil if the download does not wait.
    public static func waiting(_ download: Download?, in language: Language) -> String? {
        guard let progress = download?.progress, progress.wait != nil || progress.isStalled else { return nil }
        return text(download, in: language)
    }

    private static func waiting(_ wait: Download.Wait, _ language: Language) -> String {
        let text =
            switch wait.reason {
            case .transport(let error): error.text
            case .status(let status, _, _): ErrorText(status: status)
            default: ErrorText("incomplete file", de: "Datei unvollständig")
            }
        return language(
            en: "\(text.short); next attempt in \(wait.seconds) s",
            de: "\(text.german); neuer Versuch in \(wait.seconds) Sek.")
    }

    private static func text(_ progress: Download.Progress, _ host: String, _ language: Language) -> String {
        guard !progress.isStalled || progress.received > 0 || host.isEmpty else {
            return language(en: "waiting for \(host)…", de: "wartet auf \(host) …")
        }
        let amount = language.amount(LoadProgress(received: progress.received, expected: progress.expected))
        if progress.isStalled { return language(en: "waiting for data… \(amount)", de: "wartet auf Daten … \(amount)") }
        return "\(amount), \(language.bytes(progress.bytesPerSecond))/s"
    }
}
