import Base
import Catalog
import Fetching

/// Loads the files of items. ``GIFLoader`` is the implementation; tests use a double.
public protocol ItemLoading: Sendable {
    var clock: any WaitClock { get }
    var health: SourceHealth { get }
    /// The most recently started download, for progress reports.
    var latestDownload: Download? { get }

    /// Returns the files of a GIF in the order in which to try them, at most four.
    /// - Throws: an error if the list would be empty.
    func files(of reference: GIFReference) throws(CommandError) -> [MediaFile]

    /// Whether the file is stored on this machine and can be loaded without its host.
    func isStored(_ file: MediaFile) -> Bool

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
