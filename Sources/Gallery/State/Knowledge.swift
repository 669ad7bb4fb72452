import Catalog
import Pixels

/// What is known of single GIFs, whatever listing they are in.
struct Knowledge: Equatable, Sendable {
    var marks: [GIFKey: Marks] = [:] { didSet { revision += 1 } }
    /// Goes up with every change of the marks, some of which take GIFs out of the listing.
    private(set) var revision = 0
    /// Of canvases that were seen.
    var sizes: [GIFKey: PixelSize] = [:]
    /// Why there is no picture.
    var failures: [GIFKey: String] = [:]

    func marks(of key: GIFKey) -> Marks { marks[key] ?? Marks() }

    /// The canvas, or what the service says of it, or a shape that most GIFs are near.
    func canvas(of reference: GIFReference) -> PixelSize {
        if let size = sizes[reference.key], size.width > 0, size.height > 0 { return size }
        for rendition in reference.renditions {
            guard let width = rendition.width, let height = rendition.height else { continue }
            // What a service writes can be anything; no GIF has longer sides.
            if (1...65535).contains(width), (1...65535).contains(height) {
                return PixelSize(width: width, height: height)
            }
        }
        return PixelSize(width: 4, height: 3)
    }
}

/// What one press dismissed, and where the user was.
struct Dismissal: Equatable, Sendable {
    var references: [GIFReference]
    var feed: Feed
    var selection: Listing.Selection?

    static let most = 100
}
