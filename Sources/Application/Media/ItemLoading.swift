import Catalog
import Fetching

/// Loads the files of items. ``GIFLoader`` is the implementation; tests use a double.
public protocol ItemLoading: Sendable {
    var health: SourceHealth { get }
    /// The most recently started download, for progress reports.
    var latestDownload: Download? { get }

    /// Returns the files of an item in the order in which to try them, at most four. None of them has alternatives.
    /// - Throws: an error if the list would be empty.
    func files(of item: GIFReference) throws(CommandError) -> [Rendition]

    /// Whether the file is stored on this machine and can be loaded without its host.
    func isStored(_ file: Rendition, of item: GIFReference) -> Bool

    /// Makes the next fetch of the item ask its server, even if it is stored.
    func reload(_ item: GIFReference)

    /// Fetches a file. If the file is from a service, returns once it is known to be animated. If it is from any other
    /// server, returns once its first bytes have arrived.
    /// - Parameters:
    ///   - needsAllBytes: whether to wait for all bytes of the file.
    ///   - startRetries: the maximum number of retries at the start of the download, as in `Download.Request`.
    ///   - begun: called with the download, unless the file is stored.
    func fetch(
        _ file: Rendition, of item: GIFReference, needsAllBytes: Bool, startRetries: Int?,
        begun: @Sendable (Download) -> Void
    ) async throws(CommandError) -> FetchedItem
}

extension ItemLoading {
    public var latestDownload: Download? { nil }

    public func reload(_ item: GIFReference) {}
}
