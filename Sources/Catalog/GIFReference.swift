/// A GIF that a source knows, before any of its bytes are here.
///
/// Every text is free of control and format characters, every address is http or https (or
/// `sample:` for what the binary carries) and printable ASCII.
public struct GIFReference: Hashable, Sendable, Identifiable {
    /// The `GIFRepository.name` of the source.
    public var provider: String
    /// Unique within its provider.
    public var id: String
    /// Empty where the source gives none.
    public var title: String
    /// Where a person can see it with its terms.
    public var pageURL: String?
    public var author: String?
    /// In short: `CC BY-SA 4.0`.
    public var licence: String?
    public var licenceURL: String?
    /// The line that the source's terms ask to be shown beside the picture.
    public var attribution: String
    /// At least one; best first as the source sees it, for when no sizes are known.
    public var renditions: [Rendition]
    public var cachePolicy: CachePolicy
    /// In the source's own word; nil where it rates nothing.
    public var rating: String?
    public var tags: [String]
    /// In seconds since 1970, where the source says it.
    public var posted: Int?
    /// How many there are below it, where the source has such.
    public var comments: Int?
    /// Where among the source's places it was posted: `r/gifs`.
    public var community: String?

    public init(
        provider: String, id: String, title: String, pageURL: String? = nil, author: String? = nil,
        licence: String? = nil, licenceURL: String? = nil, attribution: String, renditions: [Rendition],
        cachePolicy: CachePolicy, rating: String? = nil, tags: [String] = [], posted: Int? = nil, comments: Int? = nil,
        community: String? = nil
    ) {
        self.provider = provider
        self.id = id
        self.title = title
        self.pageURL = pageURL
        self.author = author
        self.licence = licence
        self.licenceURL = licenceURL
        self.attribution = attribution
        self.renditions = renditions
        self.cachePolicy = cachePolicy
        self.rating = rating
        self.tags = tags
        self.posted = posted
        self.comments = comments
        self.community = community
    }
}

/// One file that shows a GIF, at one size.
///
/// The numbers are the service's word and may be wrong: they choose, they never check.
public struct Rendition: Hashable, Sendable {
    public var url: String
    /// Other places of the same picture, to be tried in order when `url` fails.
    public var alternatives: [String]
    public var width: Int?
    public var height: Int?
    public var bytes: Int?
    public var frames: Int?
    /// Whether the service may have kept only the first frame, so that it must be looked at.
    public var mayBeStill: Bool

    public init(
        url: String, alternatives: [String] = [], width: Int? = nil, height: Int? = nil, bytes: Int? = nil,
        frames: Int? = nil, mayBeStill: Bool = false
    ) {
        self.url = url
        self.alternatives = alternatives
        self.width = width
        self.height = height
        self.bytes = bytes
        self.frames = frames
        self.mayBeStill = mayBeStill
    }
}

/// How long the bytes of a GIF may stay.
public enum CachePolicy: String, Sendable {
    /// On disk, as long as there is room.
    case persistent
    /// In memory or a temporary file of this run: the service forbids more.
    case sessionOnly
    /// Nowhere: they are in the binary.
    case embedded
}

/// The two names that tell a GIF from all others.
public struct GIFKey: Hashable, Sendable, Codable {
    /// ``GIFReference/provider``.
    public var provider: String
    public var id: String

    public init(provider: String, id: String) {
        self.provider = provider
        self.id = id
    }
}

extension GIFReference {
    public var key: GIFKey { GIFKey(provider: provider, id: id) }
}
