import Catalog
import Pixels

extension GalleryState {
    /// Makes what is derived fit what changed; asks for what is now wanted and was not before.
    mutating func settle(showsSelected: Bool) -> [GalleryEffect] {
        items = listing.items.filter { listing.feed == .history || !knowledge.marks(of: $0.key).isDismissed }
        masonry = Masonry(items, knowledge, pane, columns: &listing.columns)
        mendSelection(showsSelected: showsSelected)
        if items.isEmpty { mode = mode.withoutFull }
        return settleScreensaver() + wantMore() + wantTiles()
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
