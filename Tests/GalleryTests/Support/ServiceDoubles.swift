import Base
import Catalog
import Library
import Pixels

@testable import Gallery

extension GalleryServices {
    /// Services that answer at once.
    static func doubles(
        listings: any ListingSource = EmptyListings(), media: any MediaSource = ReadyMedia(),
        desktop: any DesktopActions = DesktopDouble(), store: (any GalleryStore)? = nil
    ) -> GalleryServices {
        GalleryServices(listings: listings, media: media, desktop: desktop, store: store, seconds: { 0 })
    }
}

struct EmptyListings: ListingSource {
    func page(of feed: Feed, after page: PageToken?) throws(Failure) -> ResultPage { ResultPage(items: []) }
    func endCooldowns() {}
    func suggestions(for prefix: String) -> [String] { [] }
}

/// A media source that has every file but those of the GIFs in `failing`.
struct ReadyMedia: MediaSource {
    var failing: Set<String> = []

    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable (PartialFile) -> Void
    ) throws(Failure) -> [UInt8] {
        if failing.contains(reference.id) { throw .noAddress }
        return Array("GIF89a".utf8)
    }
}

/// A desktop that saves each GIF in `folder` under its identifier.
struct DesktopDouble: DesktopActions {
    var folder = "/a"
    /// The programs for the clipboard that have failed.
    var failed: [String] = []
    var fileOutcome = Clipboard.FileOutcome.copied

    func save(_ bytes: [UInt8], of reference: GIFReference) -> SavedFile.Outcome {
        SavedFile.Outcome(path: "\(folder)/\(reference.id).gif", isNew: true)
    }
    func copy(_ text: String) -> (sequence: String, failed: [String])? { (text, failed) }
    func copyFiles(_ paths: [String]) -> Clipboard.FileOutcome { fileOutcome }
    func open(_ address: String, isFolder: Bool) {}
}
