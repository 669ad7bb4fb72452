import Application
import Catalog
import Gallery
import Pixels

/// Loads the bytes of GIFs from the media cache or the services.
struct ServiceMedia: MediaSource {
    /// The preferred maximum size of a file for a gallery tile, in bytes. Originals can be much larger: 24 originals
    /// from Wikimedia Commons had a total size of 68 MB.
    private static let tileBytes = 500_000

    let loader: GIFLoader

    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(MediaError) -> [UInt8] {
        var choice = loader.session.settings.renditions
        // To get the original, request a size larger than any file. The largest rendition is then the first choice.
        choice.width = isOriginal ? .max >> 32 : max(1, size.width)
        choice.height = isOriginal ? .max >> 32 : max(1, size.height)
        choice.lightBytes = isOriginal ? nil : Self.tileBytes
        do throws(CommandError) {
            return try await loader.bytes(of: reference, choice: choice, arrived: arrived)
        } catch {
            // Without a reason, the fetch was cancelled, but not because this task was cancelled.
            throw Task.isCancelled ? .cancelled : error.mediaFailure ?? .transport(.cancelled)
        }
    }
}
