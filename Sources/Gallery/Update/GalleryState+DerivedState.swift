import Catalog
import Pixels

extension GalleryState {
    /// Recomputes derived state and requests the pages and tiles that are needed now.
    mutating func updateDerivedState(showsSelected: Bool) -> [GalleryEffect] {
        layOut()
        fixSelection(showsSelected: showsSelected)
        if items.isEmpty { mode = mode.withoutFull }
        return updateScreensaver() + requestNextPage() + requestVisibleTiles()
    }

    /// Computes the layout if one of its inputs has changed, and only then, because it takes 2 ms for 2,000 GIFs.
    private mutating func layOut() {
        let needed = LayoutInputs(
            feed: listing.feed, items: listing.revision, marks: facts.revision, pane: pane)
        guard layoutInputs != needed else { return }
        layoutInputs = needed
        items = listing.items.filter { listing.feed == .history || !facts.marks(of: $0.key).isDismissed }
        masonry = Masonry(items, facts, pane, columns: &listing.columns)
    }

    /// Records the actual size of a canvas.
    mutating func setCanvasSize(_ size: PixelSize, of key: GIFKey) {
        facts.sizes[key] = size
        // Most canvases have the aspect ratio that the service reported. Then no tile moves.
        guard let index = masonry.index(of: key) else { return }
        if masonry.tiles[index].picture != pane.target(for: facts.canvas(of: items[index])) { layoutInputs = nil }
    }

    /// Requests the next page once the end of the listing is within one screen below the visible rows. Requests nothing
    /// while a page is loading or a search is scheduled.
    private mutating func requestNextPage() -> [GalleryEffect] {
        guard listing.loading == .idle, searchSchedule == .unscheduled, let page = listing.next else { return [] }
        let isNearEnd = visibleRows.upperBound + pane.content.count >= masonry.height
        return isNearEnd ? loadMore(page, emptyPages: 0) : []
    }

    private mutating func requestVisibleTiles() -> [GalleryEffect] {
        let wanted = tileRequests()
        guard wanted != requestedTiles else { return [] }
        requestedTiles = wanted
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
struct LayoutInputs: Equatable, Sendable {
    var feed: Feed
    var items: Int
    var marks: Int
    var pane: Pane
}
