import Base
import Catalog
import Glibc
import Pixels
import Playback

/// An item whose bytes are available or are being downloaded.
public struct FetchedItem: Sendable {
    public var item: GIFReference
    /// All bytes, if they are in memory. Without them and without a download, the item itself is read.
    public var content: [UInt8]?
    /// Running or ended.
    public var download: Download?
    /// Why a built-in sample is played instead of a result from a service; nil for any other item.
    public var replaced: (sources: [Failure], first: Failure?)?
    /// Why a stored GIF is played that could have changed since; nil for any other item.
    public var staleness: Staleness?

    public init(
        _ item: GIFReference, content: [UInt8]? = nil, download: Download? = nil, staleness: Staleness? = nil
    ) {
        (self.item, self.content, self.download, self.staleness) = (item, content, download, staleness)
    }

    public struct Staleness: Sendable {
        /// The time in seconds since the server has sent or confirmed the GIF; nil if it is not known.
        public var seconds: Int?
        /// Why the server's answer is of no use; nil if gifplay is offline.
        public var reason: Failure?
    }

    /// The item's label, with the reason for a replacement.
    public func label(in language: Language) -> PlaybackLabel {
        var label = item.label(in: language)
        let reason = replaced.flatMap { ErrorMessages.statusReason($0.sources) ?? $0.first?.message }
        if let reason { label.detail += "; " + language(en: reason, de: "Quellen nicht verfügbar") }
        return label
    }

    public func reader(limits: DecodeLimits) throws(GIFError) -> GIFReader {
        GIFReader(try source(limits), limits: limits)
    }

    /// The maximum length of standard input or of a named pipe, in bytes. All bytes stay in memory so that the GIF can be
    /// played again.
    private static let pipeLimit = 128 << 20

    private func source(_ limits: DecodeLimits) throws(GIFError) -> any ByteSource {
        if let content { return MemoryByteSource(content) }
        if let download { return download.source }
        let pipeLimit = min(limits.bytes, Self.pipeLimit)
        switch item.origin {
        case .file(let path): return FileByteSource(path: path, pipeLimit: pipeLimit)
        case .standardInput: return PipeByteSource(descriptor: 0, name: "standard input", limit: pipeLimit)
        case .sample(let sample): return MemoryByteSource(borrowing: sample.bytes)
        case .data(let bytes): return MemoryByteSource(bytes)
        case .address, .source: throw .empty
        }
    }

    /// The bytes of the GIF that have arrived; nil if they can be read only once.
    /// - Parameter limit: reading of a larger file ends soon after this many bytes.
    public func bytes(limit: Int) -> [UInt8]? {
        if let bytes = content ?? download?.source.receivedBytes { return bytes }
        switch item.origin {
        case .sample(let sample): return Array(sample.bytes)
        case .data(let bytes): return bytes
        case .file(let path) where FileIdentity(path: path)?.isRegular == true:
            return try? FileSystem.read(path, limit: limit, waits: false)
        default: return nil
        }
    }

    /// The reason why the download failed; nil if it did not fail, or if it was cancelled.
    public var downloadFailure: Failure? {
        guard case .failed(let error) = download?.progress.state, error.kind != .cancelled else { return nil }
        return error
    }

    /// Nil unless a part is missing that does not arrive at the moment.
    var stall: Failure? {
        guard let download, !download.hasAllBytes, case let progress = download.progress, progress.state == .running,
            progress.isStalled
        else { return nil }
        return Failure(.transfer, "the download stalled after \(Language.english.amount(progress))")
    }

    /// Why it cannot be played: the failure of its download, or else the error of the decoder.
    func failure(for error: GIFError, of name: String? = nil) -> Failure {
        (downloadFailure ?? Failure(error)).of(name ?? item.name)
    }
}

extension GIFReference {
    public func label(in language: Language) -> PlaybackLabel {
        switch origin {
        case .file(let path):
            let parent = FileSystem.parent(of: path)
            var folder = path.contains("/") ? parent : ""
            // "." and ".." do not name a folder.
            if !folder.isEmpty, [".", ".."].contains(FileSystem.lastName(of: parent)),
                let resolved = FileSystem.realPath(parent)
            {
                folder = FileSystem.lastName(of: resolved)
            }
            // Replace control characters, so that the name cannot look like the name of another file.
            return PlaybackLabel(title: title, detail: SafeText.sentence(folder))
        case .standardInput: return PlaybackLabel(title: language(en: "standard input", de: "Standardeingabe"))
        case .sample: return PlaybackLabel(title: title, detail: language(en: "built-in", de: "eingebaut"))
        case .address, .data: return PlaybackLabel(title: title, detail: attribution)
        // The page of an address is the address itself.
        case .source where provider == Self.addressProvider: return PlaybackLabel(title: name, credit: credit)
        case .source: return PlaybackLabel(title: name, credit: credit, detail: pageURL ?? "")
        }
    }

    /// The file that is played; nil if it is no file on this machine.
    public var fileIdentity: FileIdentity? {
        switch origin {
        case .file(let path): FileIdentity(path: path)
        case .standardInput: FileIdentity(descriptor: STDIN_FILENO)
        case .sample, .address, .data, .source: nil
        }
    }

    /// Whether it is standard input, a named pipe or a pipe of the shell.
    var isPipe: Bool { origin == .standardInput || fileIdentity?.isRegular == false }
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
        let text = wait.reason.withoutWait.text
        return language(
            en: "\(text.short); next attempt in \(wait.seconds) s",
            de: "\(text.german); neuer Versuch in \(wait.seconds) Sek.")
    }

    private static func text(_ progress: Download.Progress, _ host: String, _ language: Language) -> String {
        guard !progress.isStalled || progress.received > 0 || host.isEmpty else {
            return language(en: "waiting for \(host)…", de: "wartet auf \(host) …")
        }
        let amount = language.amount(progress)
        if progress.isStalled { return language(en: "waiting for data… \(amount)", de: "wartet auf Daten … \(amount)") }
        return "\(amount), \(language.bytes(progress.bytesPerSecond))/s"
    }
}
