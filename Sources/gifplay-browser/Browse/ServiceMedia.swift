import Application
import Catalog
import Gallery
import Pixels

/// GIFs' bytes from the media cache and the services.
struct ServiceMedia: MediaSource {
    /// Tiles take smaller files where there are any: 24 of Commons' originals came to 68 MB.
    private static let tileBytes = 500_000

    let online: Online

    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(MediaError) -> [UInt8] {
        var choice = online.settings.renditions
        // The best file is the one that fills a place of any size.
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
