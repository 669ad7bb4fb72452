import Catalog
import Pixels

/// Provides the files of GIFs, which come from the media cache, a service or the built-in samples.
public protocol MediaSource: Sendable {
    /// Returns a complete file of a GIF. If `isOriginal` is true, this is the best file. Otherwise, it is the smallest
    /// file that fills `size`, which is in half-block pixels.
    ///
    /// Cancelling the task ends the download.
    /// - Parameter arrived: called from time to time during a slow download, with the bytes received so far.
    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(MediaError) -> [UInt8]
}

/// The reason why a file of a GIF is not available.
public enum MediaError: Error, Hashable, Sendable {
    /// The caller's task was cancelled.
    case cancelled
    case transport(HTTPError)
    /// The server answered with this HTTP status.
    case status(Int, host: String)
    case notGIF(host: String)
    /// The server sent nothing, only a part of the file, or parts of different files.
    case incomplete(host: String)
    /// All files of the GIF are larger than the limit.
    case tooLarge
    case cacheFailed
    /// The GIF comes from the store, and the store contains no address of a file.
    case noAddress
    /// The file is not cached, and gifplay is offline.
    case offline
    case notAnimated
}
