import Catalog
import Pixels

extension GalleryState {
    /// Makes what is derived fit what changed; asks for what is now wanted and was not before.
    mutating func settle(showsSelected: Bool) -> [GalleryEffect] {
        layOut()
        mendSelection(showsSelected: showsSelected)
        if items.isEmpty { mode = mode.withoutFull }
        return settleScreensaver() + wantMore() + wantTiles()
    }

    /// Only where something changed of what the layout depends on: 2,000 GIFs take 2 ms.
    private mutating func layOut() {
        let needed = LayoutBasis(
            feed: listing.feed, items: listing.revision, marks: knowledge.revision, pane: pane)
        guard basis != needed else { return }
        basis = needed
        items = listing.items.filter { listing.feed == .history || !knowledge.marks(of: $0.key).isDismissed }
        masonry = Masonry(items, knowledge, pane, columns: &listing.columns)
    }

    /// A canvas as it turned out to be.
    mutating func learn(_ size: PixelSize, of key: GIFKey) {
        knowledge.sizes[key] = size
        // Most have the shape that the service told: then every tile stays where it is.
        guard let place = masonry.place(of: key) else { return }
        if masonry.tiles[place].picture != pane.target(for: knowledge.canvas(of: items[place])) { basis = nil }
    }

    /// The next page is asked for a screenful before the end, and nothing more while the first is on its way.
    private mutating func wantMore() -> [GalleryEffect] {
        guard listing.loading == .resting, typing == .settled, let page = listing.next else { return [] }
        let isNearEnd = visibleRows.upperBound + pane.content.count >= masonry.height
        return isNearEnd ? askMore(page, barren: 0) : []
    }

    private mutating func wantTiles() -> [GalleryEffect] {
        let wanted = tileRequests()
        guard wanted != asked else { return [] }
        asked = wanted
        return [.show(wanted)]
    }
}

extension Mode {
    /// The gallery in place of the full view.
    var withoutFull: Mode {
        switch self {
        case .typing, .browsing: self
        case .full: .browsing
        case .help(let line, let mode): .help(firstLine: line, over: mode.withoutFull)
        }
    }
}

/// All that the layout of a listing depends on, but for the sizes of canvases.
struct LayoutBasis: Equatable, Sendable {
    var feed: Feed
    var items: Int
    var marks: Int
    var pane: Pane
}
