import Application
import Catalog
import Gallery
import Pixels

/// Loads the bytes of GIFs from the media cache or the services.
struct ServiceMedia: MediaSource {
    /// The preferred maximum size of a file for a tile of the grid: 24 originals from Wikimedia Commons were 68 MB.
    private static let tileBytes = 500_000

    let online: Online

    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(MediaError) -> [UInt8] {
        var choice = online.settings.renditions
        // A target size that no file fills makes the best rendition the first choice.
        choice.width = isOriginal ? .max >> 32 : max(1, size.width)
        choice.height = isOriginal ? .max >> 32 : max(1, size.height)
        choice.lightBytes = isOriginal ? nil : Self.tileBytes
        do throws(Complaint) {
            return try await online.bytes(of: reference, choice: choice, arrived: arrived)
        } catch {
            throw Task.isCancelled ? .cancelled : .failed(error.sentence)
        }
    }
}
