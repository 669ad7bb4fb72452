import Base
import Catalog
import Glibc
import Pixels
import Playback

public enum PlayItem: Equatable, Sendable {
    case file(String)
    case standardInput
    case sample(Sample)
    /// The URL of a GIF.
    case address(String)
    /// A result from a service.
    case reference(GIFReference)

    public init(_ reference: GIFReference) {
        if let path = reference.path {
            self = .file(path)
            return
        }
        guard reference.provider != GIFReference.followedProvider else {
            self = .address(reference.id)
            return
        }
        let sample = reference.cachePolicy == .embedded ? Sample.all.first { $0.name == reference.id } : nil
        self = sample.map { .sample($0) } ?? .reference(reference)
    }

    /// Nil if it is not the result of a service.
    var result: GIFReference? { if case .reference(let reference) = self { reference } else { nil } }

    public func label(in language: Language) -> PlaybackLabel {
        switch self {
        case .file(let path):
            let parent = FileSystem.parent(of: path)
            var folder = parent == "/" || !path.contains("/") ? "" : String(parent.drop { $0 == "/" })
            // "." and ".." do not name a folder.
            if !folder.isEmpty, [".", ".."].contains(FileSystem.lastName(of: parent)),
                let resolved = FileSystem.realPath(parent)
            {
                folder = FileSystem.lastName(of: resolved)
            }
            // Replace control characters, so that the name cannot look like the name of another file.
            return PlaybackLabel(
                title: SafeText.sentence(FileSystem.lastName(of: path)), detail: SafeText.sentence(folder))
        case .standardInput: return PlaybackLabel(title: language(en: "standard input", de: "Standardeingabe"))
        case .sample(let sample):
            return PlaybackLabel(title: sample.title, detail: language(en: "built-in", de: "eingebaut"))
        case .address(let url) where url.hasPrefix("data:"): return PlaybackLabel(title: name)
        case .address(let url): return PlaybackLabel(title: URLAuthority.title(url), detail: URLAuthority.host(url))
        case .reference(let reference):
            let line = reference.creditLine
            return PlaybackLabel(title: name, credit: line.credit, detail: line.link)
        }
    }

    /// The item's name in messages.
    public var name: String {
        switch self {
        case .file(let path): return path
        case .standardInput: return "standard input"
        case .sample(let sample): return sample.name
        case .address(let url) where url.hasPrefix("data:"): return "data: URL"
        case .address(let url): return SafeText.line(URLAuthority.displayText(url))
        case .reference(let reference):
            return reference.title.isEmpty ? "\(reference.provider) \(reference.id)" : reference.title
        }
    }

    /// The URL if the item is `address`; otherwise "".
    var address: String { if case .address(let url) = self { url } else { "" } }

    /// Nil if the item is no named file.
    public var path: String? { if case .file(let path) = self { path } else { nil } }

    /// Whether the user has typed the URL, whose GIF can change.
    var isTyped: Bool {
        switch self {
        case .address: true
        case .reference(let reference): reference.provider == GIFReference.addressProvider
        case .file, .standardInput, .sample: false
        }
    }

    /// Whether the item can be played without a download and without the media cache.
    public var isLocal: Bool {
        switch self {
        case .file, .standardInput, .sample: true
        case .address, .reference: false
        }
    }

    /// The file that is played; nil if it is no file on this machine.
    public var fileIdentity: FileIdentity? {
        switch self {
        case .file(let path): FileIdentity(path: path)
        case .standardInput: FileIdentity(descriptor: STDIN_FILENO)
        case .sample, .address, .reference: nil
        }
    }

    /// Opens a local item. Throws ``GIFError/empty`` for `address` and `reference`.
    public func localReader(limits: DecodeLimits) throws(GIFError) -> GIFReader {
        switch self {
        case .file(let path): return GIFReader(openSource(path, limits: limits), limits: limits)
        case .standardInput: return GIFReader(openSource("-", limits: limits), limits: limits)
        case .sample(let sample): return GIFReader(MemoryByteSource(borrowing: sample.bytes), limits: limits)
        case .address, .reference: throw .empty
        }
    }
}

/// The maximum length of standard input or of a named pipe, in bytes. All bytes stay in memory so that the GIF can be played again.
private let standardInputLimit = 128 << 20

/// Opens a file at the first read. The name `-` means standard input.
public func openSource(_ name: String, limits: DecodeLimits) -> any ByteSource {
    let pipeLimit = min(limits.bytes, standardInputLimit)
    guard name == "-" else { return FileByteSource(path: name, pipeLimit: pipeLimit) }
    return PipeByteSource(descriptor: 0, name: "standard input", limit: pipeLimit)
}

/// Loads the files of items. ``GIFLoader`` is the implementation; tests use a double.
public protocol ItemLoading: Sendable {
    var health: SourceHealth { get }
    /// The most recently started download, for progress reports.
    var latestDownload: Download? { get }

    /// Returns the files of a GIF in the order in which to try them, at most four.
    /// - Throws: an error if the list would be empty.
    func files(of reference: GIFReference) throws(CommandError) -> [MediaFile]

    /// Whether the file is stored on this machine and can be loaded without its host.
    func isStored(_ file: MediaFile) -> Bool

    /// Makes the next ``fetch(_:needsAllBytes:startRetries:begun:)`` of the item ask its server, even if it is stored.
    func reload(_ item: PlayItem)

    /// Fetches a file. If the file is from a service, returns once it is known to be animated. If it is from any other
    /// server, returns once its first bytes have arrived. Local items need no download.
    /// - Parameters:
    ///   - needsAllBytes: whether to wait for all bytes of the file.
    ///   - startRetries: the maximum number of retries at the start of the download, as in `Download.Request`.
    ///   - begun: called with the download, unless the file is stored or local.
    func fetch(
        _ file: MediaFile, needsAllBytes: Bool, startRetries: Int?, begun: @Sendable (Download) -> Void
    ) async throws(CommandError) -> FetchedItem
}

extension ItemLoading {
    public var latestDownload: Download? { nil }

    public func reload(_ item: PlayItem) {}
}

/// A file of an item. A result from a service can have several files; any other item has one file.
public struct MediaFile: Equatable, Sendable {
    public let item: PlayItem
    /// The address of the file; "" if the item is local.
    public let url: String
    /// Whether this file might be a still, even if another file of the item is animated.
    public let mayBeStill: Bool
    /// Whether it can be loaded without its host, although that cannot be used now.
    var isStored = false

    public init(_ item: PlayItem, url: String, mayBeStill: Bool = false) {
        self.item = item
        self.url = url
        self.mayBeStill = mayBeStill
    }
}
