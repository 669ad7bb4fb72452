import Catalog
import Pixels

/// Where the bytes of GIFs come from: the media cache, a service, the binary.
public protocol MediaSource: Sendable {
    /// All bytes of a GIF: of the smallest file that fills `size` half-block pixels, or of the best.
    ///
    /// Cancelling the task ends the download.
    /// - Parameter arrived: is given what is there of a file that is long in coming, now and then.
    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(MediaError) -> [UInt8]
}

public enum MediaError: Error, Equatable, Sendable {
    case cancelled
    /// In a sentence.
    case failed(String)
}
