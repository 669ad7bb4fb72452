import Catalog

/// What the gallery remembers: listings as they were seen, and what the user did with each GIF.
///
/// Times are seconds since 1970. A call returns when what it wrote would survive the process.
public protocol GalleryStore: Sendable {
    /// A listing as it was kept last, or what favourites and history hold; nil where it never was.
    func listing(_ feed: Feed) async throws(StoreError) -> KeptListing?

    /// Keeps a page: the first one in place of all that was kept, another behind what is there.
    func keep(_ page: ResultPage, of feed: Feed, isFirst: Bool, at seconds: Int) async throws(StoreError)

    /// What is known of these; a GIF of which nothing is known is missing.
    func marks(of keys: [GIFKey]) async throws(StoreError) -> [GIFKey: Marks]

    func setFavourite(_ reference: GIFReference, _ isFavourite: Bool, at seconds: Int) async throws(StoreError)

    /// The full view showed it: it is read, and first in the history.
    func noteViewed(_ reference: GIFReference, at seconds: Int) async throws(StoreError)

    /// Dismisses these, or takes that back.
    func setDismissed(_ references: [GIFReference], _ isDismissed: Bool, at seconds: Int) async throws(StoreError)
}

/// What the user did with a GIF.
public struct Marks: Hashable, Sendable {
    public var isFavourite: Bool
    public var isViewed: Bool
    public var isDismissed: Bool

    public init(isFavourite: Bool = false, isViewed: Bool = false, isDismissed: Bool = false) {
        self.isFavourite = isFavourite
        self.isViewed = isViewed
        self.isDismissed = isDismissed
    }
}

/// A listing out of the store.
public struct KeptListing: Equatable, Sendable {
    /// Those dismissed are left out.
    public var items: [GIFReference]
    public var next: PageToken?
    public var total: Int?
    /// When its first page was kept.
    public var seconds: Int

    public init(items: [GIFReference], next: PageToken? = nil, total: Int? = nil, seconds: Int) {
        self.items = items
        self.next = next
        self.total = total
        self.seconds = seconds
    }
}

/// Why the store could not do it; the evidence is the database's own words.
public enum StoreError: Error, Equatable, Sendable {
    case cannotOpen(path: String, reason: String)
    case failed(reason: String)
    /// Written by a newer gifplay than this.
    case tooNew(path: String)
    /// The file is no library, or no longer one; nothing of it is touched.
    case damaged(path: String, reason: String)
}
