import Catalog
import Pixels

/// Facts about single GIFs, independent of the listing they are in.
struct ItemFacts: Equatable, Sendable {
    var marks: [GIFKey: Marks] = [:] { didSet { revision += 1 } }
    /// Increases with every change of the marks, because a mark can remove a GIF from the listing.
    private(set) var revision = 0
    /// The sizes of decoded canvases, in pixels.
    var sizes: [GIFKey: PixelSize] = [:]
    /// Why a GIF has no picture, as a sentence.
    var failures: [GIFKey: String] = [:]

    func marks(of key: GIFKey) -> Marks { marks[key] ?? Marks() }

    /// The size of the decoded canvas. If it is not known yet, the size that the service reports. If that is not known
    /// either, 4x3, because the aspect ratio of most GIFs is close to it.
    func canvas(of reference: GIFReference) -> PixelSize {
        if let size = sizes[reference.key], size.width > 0, size.height > 0 { return size }
        for rendition in reference.renditions {
            guard let width = rendition.width, let height = rendition.height else { continue }
            // A service can report any number, but a GIF has at most 65,535 pixels per side.
            if (1...65535).contains(width), (1...65535).contains(height) {
                return PixelSize(width: width, height: height)
            }
        }
        return PixelSize(width: 4, height: 3)
    }
}

/// The GIFs that one key press dismissed, with the feed and the selection at that time.
struct Dismissal: Equatable, Sendable {
    var references: [GIFReference]
    var feed: Feed
    var selection: Listing.Selection?

    static let maxCount = 100
}
