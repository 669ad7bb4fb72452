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
