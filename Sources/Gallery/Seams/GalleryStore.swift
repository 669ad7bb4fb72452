import Catalog

/// Persistent storage of the gallery: previously seen listings and the marks that the user set on GIFs.
///
/// Times are in seconds since 1970. Each call returns only after its changes are stored on disk, so that they are not
/// lost if the process ends.
public protocol GalleryStore: Sendable {
    /// Returns the latest stored listing of a feed; nil if it was never stored. For the feeds `favourites` and
    /// `history`, returns their current content.
    func listing(_ feed: Feed) async throws(StoreError) -> StoredListing?

    /// Stores a page. The first page replaces the whole stored listing; any other page is appended to it.
    func storePage(_ page: ResultPage, of feed: Feed, isFirst: Bool, at seconds: Int) async throws(StoreError)

    /// Returns the marks of these GIFs. The result has no entry for a GIF without marks.
    func marks(of keys: [GIFKey]) async throws(StoreError) -> [GIFKey: Marks]

    func setFavourite(_ reference: GIFReference, _ isFavourite: Bool, at seconds: Int) async throws(StoreError)

    /// Records that the full view showed the GIF. This marks the GIF as viewed and makes it the first item of the
    /// history.
    func markViewed(_ reference: GIFReference, at seconds: Int) async throws(StoreError)

    /// Dismisses these GIFs, or restores them if `isDismissed` is false.
    func setDismissed(_ references: [GIFReference], _ isDismissed: Bool, at seconds: Int) async throws(StoreError)
}

/// The user's marks on a GIF.
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

/// A listing from the store.
public struct StoredListing: Equatable, Sendable {
    /// The GIFs of the listing, without dismissed ones.
    public var items: [GIFReference]
    public var next: PageToken?
    public var total: Int?
    /// The time at which the first page was stored, in seconds since 1970. For favourites and history, the time at
    /// which the newest item was marked as a favourite or viewed.
    public var seconds: Int

    public init(items: [GIFReference], next: PageToken? = nil, total: Int? = nil, seconds: Int) {
        self.items = items
        self.next = next
        self.total = total
        self.seconds = seconds
    }
}

/// An error of the store. `reason` is usually the message of the database.
public enum StoreError: Error, Hashable, Sendable {
    case cannotOpen(path: String, reason: String)
    case failed(reason: String)
    /// Another process held a lock on the file until the call timed out.
    case locked(path: String)
    /// A newer version of gifplay has written the file.
    case tooNew(path: String)
    /// The file is corrupt or is not a gifplay library. gifplay does not change the file.
    case damaged(path: String, reason: String)
}
