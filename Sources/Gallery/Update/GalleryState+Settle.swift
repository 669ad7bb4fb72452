import Catalog
import Pixels

extension GalleryState {
    /// Recomputes derived state and requests the pages and tiles that are needed now.
    mutating func settle(showsSelected: Bool) -> [GalleryEffect] {
        layOut()
        mendSelection(showsSelected: showsSelected)
        if items.isEmpty { mode = mode.withoutFull }
        return settleScreensaver() + wantMore() + wantTiles()
    }

    /// Computes the layout if one of its inputs has changed, and only then, because it takes 2 ms for 2,000 GIFs.
    private mutating func layOut() {
        let needed = LayoutBasis(
            feed: listing.feed, items: listing.revision, marks: knowledge.revision, pane: pane)
        guard basis != needed else { return }
        basis = needed
        items = listing.items.filter { listing.feed == .history || !knowledge.marks(of: $0.key).isDismissed }
        masonry = Masonry(items, knowledge, pane, columns: &listing.columns)
    }

    /// Records the actual size of a canvas.
    mutating func learn(_ size: PixelSize, of key: GIFKey) {
        knowledge.sizes[key] = size
        // Most canvases have the aspect ratio that the service reported. Then no tile moves.
        guard let place = masonry.place(of: key) else { return }
        if masonry.tiles[place].picture != pane.target(for: knowledge.canvas(of: items[place])) { basis = nil }
    }

    /// Requests the next page once the end of the listing is within one screen below the visible rows. Requests nothing
    /// while a page is loading or a search is scheduled.
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
    /// The mode with the gallery in place of the full view.
    var withoutFull: Mode {
        switch self {
        case .typing, .browsing: self
        case .full: .browsing
        case .help(let line, let mode): .help(firstLine: line, over: mode.withoutFull)
        }
    }
}

/// The inputs of a layout, except for the sizes of canvases. `items` and `marks` are revision numbers.
struct LayoutBasis: Equatable, Sendable {
    var feed: Feed
    var items: Int
    var marks: Int
    var pane: Pane
}
