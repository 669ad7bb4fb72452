import Catalog
import Pixels

/// Facts about individual GIFs. They do not depend on the listing that contains the GIF.
struct ItemFacts: Equatable, Sendable {
    private(set) var marks: [GIFKey: Marks] = [:] { didSet { revision += 1 } }
    /// Increases with every change of the marks, which can change the layout: a dismissed GIF usually has no tile.
    private(set) var revision = 0
    /// The sizes of decoded canvases, in pixels.
    private(set) var sizes: [GIFKey: PixelSize] = [:]
    /// The reasons why GIFs have no picture, as sentences for the user.
    private(set) var failures: [GIFKey: String] = [:]
    /// The GIFs that have no picture, because the store does not keep their addresses and the page that has them is
    /// still loading.
    var unaddressed: Set<GIFKey> = []
    /// The progress of the downloads that take longer than a second.
    private(set) var progress: [GIFKey: LoadProgress] = [:]

    /// The latest dismissals, which the user can undo.
    var undoable: [Dismissal] = []

    func marks(of key: GIFKey) -> Marks { marks[key] ?? Marks() }

    mutating func setMarks(_ stored: [GIFKey: Marks]) { marks.merge(stored) { $1 } }

    mutating func set(_ mark: WritableKeyPath<Marks, Bool>, to value: Bool, of key: GIFKey) {
        marks[key, default: Marks()][keyPath: mark] = value
    }

    mutating func setSize(_ size: PixelSize, of key: GIFKey) { sizes[key] = size }

    /// The number of GIFs outside the listing whose facts are kept. Random GIFs come without end.
    private static let spareCount = 2_000

    /// Forgets what can be found out again about GIFs outside the listing, if there are many.
    mutating func prune(keeping keys: Set<GIFKey>) {
        guard max(sizes.count, failures.count, progress.count, marks.count) > keys.count + Self.spareCount else {
            return
        }
        sizes = sizes.filter { keys.contains($0.key) }
        failures = failures.filter { keys.contains($0.key) }
        progress = progress.filter { keys.contains($0.key) }
        marks = marks.filter { keys.contains($0.key) || $0.value.isDismissed || $0.value.isFavourite }
    }

    mutating func setFailure(_ reason: String, of key: GIFKey) { failures[key] = reason }

    mutating func setProgress(_ value: LoadProgress?, of key: GIFKey) { progress[key] = value }

    /// The files of these GIFs are then requested again.
    mutating func clearFailures(of items: [GIFReference]) { for item in items { failures[item.key] = nil } }

    mutating func clearFailures() { failures = [:] }

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
    var selection: GalleryGrid.Selection?

    static let maxCount = 100
}
