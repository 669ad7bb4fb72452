import Base
import Catalog
import Fetching

/// Loads the files of items. ``GIFLoader`` is the implementation; tests use a double.
public protocol ItemLoading: Sendable {
    /// The clock for all timed waits.
    var clock: any WaitClock { get }
    /// The media hosts that failed recently.
    var mediaHosts: MediaHosts { get }

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
