import Base

/// Where the bytes of a GIF come from.
public enum Origin: Hashable, Sendable {
    /// The renditions, from the servers of a source.
    case source
    /// The path as the user or another program wrote it. The gallery and the library have absolute ones.
    case file(String)
    case standardInput
    case sample(Sample)
    /// A URL that the user has typed. It can be that of a page.
    case address(String)
}

extension GIFReference {
    /// The provider of the files on this machine.
    public static let fileProvider = "file"

    /// The provider of GIFs whose URL the user has typed. Like files, they belong to no source.
    public static let addressProvider = "url"

    public static func file(_ path: String) -> GIFReference {
        // `sentence` keeps control characters visible, so that the name cannot look like the name of another file.
        var reference = GIFReference(
            provider: fileProvider, id: path, title: SafeText.sentence(FileSystem.lastName(of: path)),
            attribution: SafeText.sentence(path), renditions: [], cachePolicy: .embedded)
        reference.origin = .file(path)
        return reference
    }

    public static let standardInput: GIFReference = {
        var reference = GIFReference(
            provider: "", id: "-", title: "standard input", attribution: "", renditions: [], cachePolicy: .embedded)
        reference.origin = .standardInput
        return reference
    }()

    public static func sample(_ sample: Sample) -> GIFReference {
        GIFReference(
            provider: SampleRepository.name, id: sample.name, title: sample.title, licence: "MIT",
            attribution: "built-in", renditions: [Rendition(url: "sample:" + sample.name, bytes: sample.bytes.count)],
            cachePolicy: .embedded, tags: sample.tags)
    }

    /// - Parameter file: the address of the GIF that the URL leads to; nil before it is known.
    public static func address(_ url: String, leadingTo file: String? = nil) -> GIFReference {
        let isWeb = !url.hasPrefix("data:")
        // Without user name, password and keys, because the link is displayed and shared.
        let shared = URLAuthority.shareable(url)
        let policies = [url, file ?? url].map { CachePolicy(ofFilesAt: $0) }
        var reference = GIFReference(
            provider: addressProvider, id: shared, title: isWeb ? SafeText.line(URLAuthority.title(url)) : "data: URL",
            pageURL: isWeb ? shared : nil, attribution: isWeb ? URLAuthority.host(url) : "",
            renditions: isWeb ? [Rendition(url: file ?? url)] : [],
            cachePolicy: policies.contains(.sessionOnly) ? .sessionOnly : .persistent)
        reference.origin = .address(url)
        return reference
    }

    /// The path of a file on this machine; nil for other GIFs.
    public var path: String? { if case .file(let path) = origin { path } else { nil } }

    /// Whether its bytes come from the network or from the media cache.
    public var needsDownload: Bool {
        switch origin {
        case .source, .address: true
        case .file, .standardInput, .sample: false
        }
    }

    /// Whether it is a result of a source, such as the built-in samples.
    public var isResult: Bool {
        switch origin {
        case .source, .sample: true
        case .file, .standardInput, .address: false
        }
    }

    /// The name in messages.
    public var name: String {
        switch origin {
        case .file(let path): path
        case .sample(let sample): sample.name
        case .address(let url) where !url.hasPrefix("data:"): SafeText.line(URLAuthority.displayText(url))
        case .standardInput, .address: title
        case .source: title.isEmpty ? "\(provider) \(id)" : title
        }
    }
}

extension CachePolicy {
    /// The domains of services that forbid copies that outlive the session, also of GIFs whose address the user has typed.
    private static let sessionOnlyDomains = ["giphy.com", "klipy.com", "redd.it", "reddit.com", "redditmedia.com"]

    public init(ofFilesAt url: String) {
        let host = URLAuthority.host(url)
        self = Self.sessionOnlyDomains.contains { URLAuthority.isHost(host, in: $0) } ? .sessionOnly : .persistent
    }
}
