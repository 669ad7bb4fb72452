import Base

/// The metadata of a GIF at a source, available before any of the GIF's bytes are loaded.
///
/// No text contains control or format characters. Addresses are printable ASCII with http, https or `sample:`.
public struct GIFReference: Hashable, Sendable, Identifiable {
    /// The `GIFRepository.name` of the source.
    public var provider: String
    /// Unique within ``provider``.
    public var id: String
    /// Empty if the source does not report one.
    public var title: String
    /// The web page that shows the GIF and its terms of use.
    public var pageURL: String?
    public var author: String?
    /// The short name, such as `CC BY-SA 4.0`.
    public var licence: String?
    public var licenceURL: String?
    /// The source's terms of use require this line next to the GIF.
    public var attribution: String
    /// Nil for the credit that follows from the source, the author and the licence.
    public var ownCredit: String?
    /// The available files in the source's order of preference. This order is used if no sizes are known.
    ///
    /// A service returns at least one file. A reference from the library can have none, because the library does not
    /// store the renditions of ``CachePolicy/sessionOnly`` references.
    public var renditions: [Rendition]
    public var cachePolicy: CachePolicy
    /// The rating as the source writes it; nil if the source does not rate this GIF.
    public var rating: String?
    public var tags: [String]
    /// In seconds since 1970, if the source reports it.
    public var posted: Int?
    public var comments: Int?
    /// For example `r/gifs`, if the source has communities.
    public var community: String?
    public var origin = Origin.source
    /// Where ``UseReporter`` reports a use: a URL for GET, or a path for POST below the service's base URL and key.
    public var useReports: [GIFUse: String] = [:]

    public init(
        provider: String, id: String, title: String, pageURL: String? = nil, author: String? = nil,
        licence: String? = nil, licenceURL: String? = nil, attribution: String, renditions: [Rendition],
        cachePolicy: CachePolicy, rating: String? = nil, tags: [String] = [], posted: Int? = nil, comments: Int? = nil,
        community: String? = nil
    ) {
        (self.provider, self.id, self.title, self.pageURL, self.author) = (provider, id, title, pageURL, author)
        (self.licence, self.licenceURL, self.attribution) = (licence, licenceURL, attribution)
        (self.renditions, self.cachePolicy, self.rating, self.tags) = (renditions, cachePolicy, rating, tags)
        (self.posted, self.comments, self.community) = (posted, comments, community)
        if provider == SampleRepository.name, let sample = Sample.all.first(where: { $0.name == id }) {
            origin = .sample(sample)
        }
    }
}

/// Where and for how long gifplay is allowed to store the bytes of a GIF.
public enum CachePolicy: String, Sendable {
    /// The bytes are stored in the media cache on disk, until the cache removes them to stay within its size limit.
    case persistent
    /// The bytes are stored only in memory or in a temporary file of this run, as the service demands.
    case sessionOnly
    /// The bytes are not stored, because they are part of the binary or in a file of the user.
    case embedded
}

/// The unique identifier of a GIF across all sources.
public struct GIFKey: Hashable, Sendable, Codable {
    /// As in ``GIFReference/provider``.
    public var provider: String
    public var id: String

    public init(provider: String, id: String) {
        self.provider = provider
        self.id = id
    }
}

/// Where the bytes of a GIF come from.
public enum Origin: Hashable, Sendable {
    /// The renditions, from the servers of a source.
    case source
    /// The path as the user or another program wrote it. The gallery and the library have absolute ones.
    case file(String)
    case standardInput
    /// Indirect, because a listing has thousands of references, and few of samples.
    indirect case sample(Sample)
    /// An http or https URL that the user has typed. It can be that of a page.
    case address(String)
    /// The content of a `data:` URL that the user has typed.
    case data([UInt8])
}

extension GIFReference {
    public var key: GIFKey { GIFKey(provider: provider, id: id) }

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
            attribution: "built-in",
            renditions: [
                Rendition(
                    url: "sample:" + sample.name, width: sample.width, height: sample.height, bytes: sample.bytes.count)
            ],
            cachePolicy: .embedded, tags: sample.tags)
    }

    /// - Parameter url: as ``TypedAddress/web(_:)`` has it.
    public static func address(_ url: String) -> GIFReference {
        // Without user name, password and keys, because the link is displayed and shared.
        let shared = WebAddress.shareable(url)
        var reference = GIFReference(
            provider: addressProvider, id: shared, title: SafeText.line(WebAddress.title(url)), pageURL: shared,
            attribution: WebAddress.host(url), renditions: [Rendition(url: url)],
            cachePolicy: CachePolicy(ofFilesAt: url))
        reference.origin = .address(url)
        return reference
    }

    /// The reference of a typed URL with the address of the GIF that it leads to.
    public func leading(to file: String) -> GIFReference {
        var reference = self
        reference.renditions = [Rendition(url: file)]
        if CachePolicy(ofFilesAt: file) == .sessionOnly { reference.cachePolicy = .sessionOnly }
        return reference
    }

    /// - Parameter url: a `data:` URL with this content.
    public static func data(_ url: String, _ content: [UInt8]) -> GIFReference {
        var reference = GIFReference(
            provider: addressProvider, id: url, title: "data: URL", attribution: "", renditions: [],
            cachePolicy: .persistent)
        reference.origin = .data(content)
        return reference
    }

    /// The path of a file on this machine; nil for other GIFs.
    public var path: String? { if case .file(let path) = origin { path } else { nil } }

    /// Whether its bytes come from the network or from the media cache.
    public var needsDownload: Bool {
        switch origin {
        case .source, .address: true
        case .file, .standardInput, .sample, .data: false
        }
    }

    /// Whether it is a result of a source, such as the built-in samples.
    public var isResult: Bool {
        switch origin {
        case .source, .sample: true
        case .file, .standardInput, .address, .data: false
        }
    }

    /// The name in messages.
    public var name: String {
        switch origin {
        case .file(let path): path
        case .sample(let sample): sample.name
        case .address(let url): SafeText.line(WebAddress.displayText(url))
        case .standardInput, .data: title
        case .source: title.isEmpty ? "\(provider) \(id)" : title
        }
    }
}

extension CachePolicy {
    /// The domains of services that forbid copies that outlive the session, also of GIFs whose address the user has typed.
    private static let sessionOnlyDomains = ["giphy.com", "klipy.com", "redd.it", "reddit.com", "redditmedia.com"]

    public init(ofFilesAt url: String) {
        let host = WebAddress.host(url)
        self = Self.sessionOnlyDomains.contains { WebAddress.isHost(host, in: $0) } ? .sessionOnly : .persistent
    }
}

extension GIFReference {
    /// The part of the attribution that the terms of its source require, without title and page.
    public var credit: String {
        if let ownCredit { return ownCredit }
        if let licence { return Self.attributionLine(nil, author, licence, nil) }
        if let community {
            return [author.map { "u/\($0)" }, "on \(community)"].compactMap(\.self).joined(separator: " ")
        }
        return switch GIFSources.credits[provider] {
        case .mark(let words), .words(let words): words
        case .author(let site): Self.attributionLine(nil, author, site, nil)
        case nil: attribution
        }
    }

    /// The part of the attribution that must be prominent; nil if there is none.
    package var sourceMark: String? { if case .mark(let mark) = GIFSources.credits[provider] { mark } else { nil } }

    /// The line that a licence requires: `Title — Author (Licence) · address`. Omits unknown parts.
    static func attributionLine(
        _ title: String?, _ author: String?, _ licence: String?, _ address: String?
    ) -> String {
        let work = [title, author].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " — ")
        let named = [work, licence.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        return [named, address ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The `provider` of the GIFs that only the media cache knows.
    package static let cacheProvider = "cache"

    package var isLocal: Bool { cachePolicy == .embedded || provider == Self.cacheProvider }
}

/// Sanitizes references from a file or a database, so that they fulfil the guarantees of ``GIFReference``.
extension GIFReference {
    /// Nil if `provider` or `id` is invalid. Lists are truncated to a maximum that no service reaches. Renditions with
    /// an invalid address are removed.
    public func cleaned() -> GIFReference? {
        guard Self.isName(provider), Self.isName(id) else { return nil }
        var clean = self
        clean.title = Self.line(title) ?? ""
        clean.pageURL = pageURL.flatMap(Self.cleanedAddress)
        clean.author = author.flatMap(Self.line)
        clean.licence = licence.flatMap(Self.line)
        clean.licenceURL = licenceURL.flatMap(Self.cleanedAddress)
        clean.attribution = Self.line(attribution) ?? ""
        clean.rating = rating.flatMap(Self.line)
        clean.tags = tags.prefix(100).compactMap(Self.line)
        clean.posted = Int(outside: posted, in: 0...Int.latestTime)
        clean.comments = Int(outside: comments, in: 0...Int.outsideRange.upperBound)
        clean.community = community.flatMap(Self.line)
        clean.renditions = renditions.prefix(50).compactMap { $0.cleaned() }
        return clean
    }

    /// Whether a text is valid as a `provider` or an `id`. These texts are checked but not cleaned, because cleaning
    /// could make two different texts equal.
    private static func isName(_ text: String) -> Bool { !text.isEmpty && line(text) == text }

    private static func line(_ text: String) -> String? {
        let clean = SafeText.shortened(SafeText.line(text), to: LenientObject.textLimit)
        return clean.isEmpty ? nil : clean
    }

    fileprivate static func cleanedAddress(_ text: String) -> String? {
        guard text.utf8.count <= 4096 else { return nil }
        guard text.hasPrefix("sample:") else { return WebAddress.checked(text) }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let name = text.utf8.dropFirst("sample:".utf8.count)
        let isPlain = name.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") }
        return isPlain && !name.isEmpty ? text : nil
    }
}

extension Rendition {
    /// Nil if the file's own address is invalid.
    func cleaned() -> Rendition? {
        guard let url = GIFReference.cleanedAddress(url) else { return nil }
        let size: (Int) -> Int? = { Int(outside: $0, in: 1...Int.outsideRange.upperBound) }
        return Rendition(
            url: url, alternatives: alternatives.prefix(20).compactMap(GIFReference.cleanedAddress),
            width: width.flatMap(size), height: height.flatMap(size), bytes: bytes.flatMap(size),
            frames: frames.flatMap(size), mayBeStill: mayBeStill)
    }
}
