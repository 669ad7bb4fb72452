import Catalog
import Pixels

/// Provides the files of GIFs: from the media cache, a service or the built-in samples.
public protocol MediaSource: Sendable {
    /// Returns a complete file of a GIF: the smallest one that fills `size` (in half-block pixels), or the best one
    /// if `isOriginal` is true.
    ///
    /// Cancelling the task ends the download.
    /// - Parameter arrived: called from time to time during a slow download, with the bytes received so far.
    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(MediaError) -> [UInt8]
}

public enum MediaError: Error, Equatable, Sendable {
    case cancelled
    /// The value is the reason, as a sentence.
    case failed(String)
}
