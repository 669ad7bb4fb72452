import Base
import Catalog
import Library
import Pixels

/// The external services that the gallery uses, except for the terminal.
public struct GalleryServices: Sendable {
    public var listings: any ListingSource
    public var media: any MediaSource
    public var desktop: any DesktopActions
    /// The persistent storage; if nil, nothing is stored.
    public var store: (any GalleryStore)?
    public var running = RunningActions()
    /// Returns the current time in seconds since 1970.
    public var seconds: @Sendable () -> Int
    /// Reports to the service that its GIF was displayed or shared. Must not block.
    public var reportUse: @Sendable (GIFUse, GIFReference) -> Void = { _, _ in }
    /// Stores ``GalleryOptions/showsSide``.
    public var storeSide: @Sendable (Bool) async throws(Failure) -> Void = { _ in }

    public init(
        listings: any ListingSource, media: any MediaSource, desktop: any DesktopActions, store: (any GalleryStore)?,
        seconds: @escaping @Sendable () -> Int
    ) {
        (self.listings, self.media, self.desktop) = (listings, media, desktop)
        (self.store, self.seconds) = (store, seconds)
    }
}

/// Provides the listings of all services.
public protocol ListingSource: Sendable {
    /// Returns the page at `page`, or the first one if `page` is nil. Cancelling the task cancels the request.
    func page(of feed: Feed, after page: PageToken?) async throws(Failure) -> ResultPage

    /// Ends the cool-downs of the services that failed, so that the next request queries them again. For files, lets
    /// the next request read the folders again.
    func endCooldowns() async

    /// Returns queries that begin with `prefix`, from a service that offers them; nothing after a failure.
    func suggestions(for prefix: String) async -> [String]

    /// Changes the order of files.
    func sort(by order: FileOrder)

    /// Returns the built-in GIFs that fit the query.
    func builtIn(for query: String) -> [GIFReference]

    /// Returns the hits in the indices of services that are stored on this machine. Sends no request.
    func indexed(for query: String) async -> [GIFReference]
}

extension ListingSource {
    public func sort(by order: FileOrder) {}

    public func builtIn(for query: String) -> [GIFReference] { [] }

    public func indexed(for query: String) async -> [GIFReference] { [] }
}

/// Provides the files of GIFs, which come from the media cache, a service, the built-in samples or a folder.
public protocol MediaSource: Sendable {
    /// Returns a complete file of a GIF. If `isOriginal` is true, this is the best file. Otherwise, it is the smallest
    /// file that fills `size`, which is in pixels of the tile's mode.
    ///
    /// Cancelling the task ends the download.
    /// - Parameter arrived: called from time to time during a slow download.
    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8]
}

/// Persistent storage of the gallery: previously seen listings and the marks that the user set on GIFs.
///
/// Times are in seconds since 1970. Each call returns only after its changes are stored on disk.
public protocol GalleryStore: Sendable {
    /// Returns the latest stored listing of a feed; nil if it was never stored. For the feeds `favourites` and
    /// `history`, returns their current content.
    func listing(_ feed: Feed) async throws(Failure) -> StoredListing?

    /// Stores a page. The first page replaces the whole stored listing; any other page is appended to it.
    func storePage(_ page: ResultPage, of feed: Feed, isFirst: Bool, at seconds: Int) async throws(Failure)

    /// Returns the stored searches whose query begins with `prefix` in lower or upper case, the latest one first.
    func recentQueries(matching prefix: String, limit: Int) async throws(Failure) -> [String]

    /// Returns the marks of these GIFs. The result has no entry for a GIF without marks.
    func marks(of keys: [GIFKey]) async throws(Failure) -> [GIFKey: Marks]

    func setFavourite(_ reference: GIFReference, _ isFavourite: Bool, at seconds: Int) async throws(Failure)

    /// Records that the large view showed the GIF, which makes it the first item of the history.
    func markViewed(_ reference: GIFReference, at seconds: Int) async throws(Failure)

    /// Dismisses these GIFs, or restores them if `isDismissed` is false.
    func setDismissed(_ references: [GIFReference], _ isDismissed: Bool, at seconds: Int) async throws(Failure)
}

/// The actions of the gallery outside the terminal: saving files, copying texts and opening links.
public protocol DesktopActions: Sendable {
    /// Writes the GIF to a new file in the download directory, unless a file there already contains it.
    func save(_ bytes: [UInt8], of reference: GIFReference) async throws(Failure) -> SavedFile.Outcome

    /// Copies a text to the clipboards of the desktop, if there is a desktop.
    /// - Returns: the escape sequence that copies the text to the terminal's clipboard, and the programs that failed; nil
    ///   if the text is too long.
    func copy(_ text: String) async -> (sequence: String, failed: [String])?

    /// Copies a file to the clipboard of the desktop.
    func copyFiles(_ paths: [String]) async -> Clipboard.FileOutcome

    /// Opens an address in the user's web browser. Returns when the web browser has opened the address. If the web
    /// browser runs in the foreground, returns when the user has closed it.
    /// - Parameter isFolder: whether `address` is the absolute path of a folder, for the user's file manager.
    func open(_ address: String, isFolder: Bool) async throws(Failure)
}
