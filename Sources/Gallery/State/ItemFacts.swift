import Catalog
import Pixels

/// Facts about individual GIFs. They do not depend on the listing that contains the GIF.
struct ItemFacts: Equatable, Sendable {
    var marks: [GIFKey: Marks] = [:] { didSet { revision += 1 } }
    /// Increases with every change of the marks. The layout depends on the marks, because dismissed GIFs are not shown.
    private(set) var revision = 0
    /// The sizes of decoded canvases, in pixels.
    var sizes: [GIFKey: PixelSize] = [:]
    /// The reasons why GIFs have no picture, as sentences for the user.
    var failures: [GIFKey: String] = [:]

    func marks(of key: GIFKey) -> Marks { marks[key] ?? Marks() }

    /// Returns the size of the decoded canvas if it is known, and otherwise the size that the service reports. If the
    /// service reports no valid size either, returns 4x3, because the aspect ratio of most GIFs is close to 4:3.
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

/// The GIFs that one key press dismissed, and the feed and the selection before the key press.
struct Dismissal: Equatable, Sendable {
    var references: [GIFReference]
    var feed: Feed
    var selection: Listing.Selection?

    static let maxCount = 100
}
