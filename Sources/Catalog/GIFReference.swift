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

/// One file of a GIF, at one size.
///
/// The numbers come from the service and might be wrong. Use them to choose a file, not to validate it.
public struct Rendition: Hashable, Sendable {
    public var url: String
    /// Other addresses of the same file, to try in order if `url` fails.
    public var alternatives: [String]
    public var width: Int?
    public var height: Int?
    public var bytes: Int?
    public var frames: Int?
    /// Whether the file might contain only the first frame. Such a file must be checked for animation.
    public var mayBeStill: Bool

    public init(
        url: String, alternatives: [String] = [], width: Int? = nil, height: Int? = nil, bytes: Int? = nil,
        frames: Int? = nil, mayBeStill: Bool = false
    ) {
        (self.url, self.alternatives, self.width, self.height, self.bytes) = (url, alternatives, width, height, bytes)
        (self.frames, self.mayBeStill) = (frames, mayBeStill)
    }

    /// Whether no other file of its GIF can be played either, because this one could not: a thumbnail can be a still although
    /// the original is animated, but not the other way round.
    package func showsThatOthersFail(_ error: Failure) -> Bool { error.kind == .notAnimated && !mayBeStill }
}

/// Chooses among the files of one GIF. Prefers the smallest file that fills the display area.
public struct RenditionChoice: Equatable, Sendable {
    /// The display area in pixels. With half blocks, a cell has two pixels, one above the other.
    public var width: Int
    public var height: Int
    /// In bytes. A file with a larger reported size is not tried.
    public var maximumBytes: Int
    /// A size limit in bytes. If the best file that is certainly animated exceeds this limit or ``lightBytes``, files
    /// that might be stills, such as Commons' thumbnails, are tried before it.
    private static let comfortableBytes = 3 << 20
    /// A size limit in bytes, set for gallery tiles. Files up to this size and files of unknown size are tried before
    /// larger files, even if they fill less of the display area. Nil means that there is no such limit.
    public var lightBytes: Int?

    public init(width: Int, height: Int, maximumBytes: Int = 64 << 20) {
        self.width = max(1, width)
        self.height = max(1, height)
        self.maximumBytes = maximumBytes
    }

    /// Returns the renditions in the order in which to try them. Omits files that are too large or have a single frame.
    public func ordered(_ renditions: [Rendition]) -> [Rendition] {
        let ranked = ranked(renditions)
        guard let lightBytes else { return ranked }
        let isLight: (Rendition) -> Bool = { ($0.bytes ?? 0) <= lightBytes }
        return ranked.filter(isLight) + ranked.filter { !isLight($0) }
    }

    private func ranked(_ renditions: [Rendition]) -> [Rendition] {
        let candidates = renditions.filter { ($0.bytes ?? 0) <= maximumBytes && $0.frames != 1 }
        let original = candidates.max { Self.area($0) < Self.area($1) }
        let sure = ranked(candidates.filter { !$0.mayBeStill }, original)
        let unsure = ranked(candidates.filter(\.mayBeStill), original)
        guard let first = sure.first, (first.bytes ?? 0) <= min(Self.comfortableBytes, lightBytes ?? .max) else {
            return unsure + sure
        }
        return sure + unsure
    }

    /// First come the renditions that fill the area, smallest file first. Then come the other ones, largest picture
    /// first, and then those of unknown dimensions, in the service's order.
    private func ranked(_ renditions: [Rendition], _ original: Rendition?) -> [Rendition] {
        guard let original, let whole = Self.extent(original) else { return renditions }
        let scale = min(Double(width) / Double(whole.width), Double(height) / Double(whole.height))
        var filling: [Rendition] = []
        var smaller: [Rendition] = []
        var unknown: [Rendition] = []
        for rendition in renditions {
            guard let extent = Self.extent(rendition) else {
                unknown.append(rendition)
                continue
            }
            // Services round the width and the height down: 480x270 scaled to a width of 100 is 56 high, not 56.25.
            let fills =
                Double(extent.width) + 1 > Double(whole.width) * scale
                && Double(extent.height) + 1 > Double(whole.height) * scale
            if fills { filling.append(rendition) } else { smaller.append(rendition) }
        }
        return filling.sorted(by: Self.isSmallerFile) + smaller.sorted(by: Self.isLargerPicture) + unknown
    }

    private static func isSmallerFile(_ one: Rendition, _ other: Rendition) -> Bool {
        (one.bytes ?? .max, area(one)) < (other.bytes ?? .max, area(other))
    }

    private static func isLargerPicture(_ one: Rendition, _ other: Rendition) -> Bool {
        (-area(one), one.bytes ?? .max) < (-area(other), other.bytes ?? .max)
    }

    private static func extent(_ rendition: Rendition) -> (width: Int, height: Int)? {
        guard let width = rendition.width, let height = rendition.height, width > 0, height > 0 else { return nil }
        return (width, height)
    }

    private static func area(_ rendition: Rendition) -> Int {
        guard let extent = extent(rendition) else { return 0 }
        let (area, overflow) = extent.width.multipliedReportingOverflow(by: extent.height)
        return overflow ? .max : area
    }
}
