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

    /// Computes the layout only if one of its inputs has changed, because the layout of 2,000 GIFs takes 2 ms.
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
        // Keep the layout if the size of the picture is unchanged. This is the usual case, because most canvases have
        // the aspect ratio that the service reported.
        guard let index = masonry.index(of: key) else { return }
        if masonry.tiles[index].picture != pane.target(for: facts.canvas(of: items[index])) { layoutInputs = nil }
    }

    /// Requests the next page if at most one screen of the listing is left below the visible rows. Requests nothing
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
    /// The mode with the full view replaced by the gallery. A mode without the full view is unchanged.
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
