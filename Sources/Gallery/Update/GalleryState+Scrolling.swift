import Catalog
import Pixels

extension GalleryState {
    var pane: Pane { Pane(traits) }

    var selectedIndex: Int? { listing.selection.flatMap { masonry.index(of: $0.key) } }

    var selected: GIFReference? {
        guard let index = selectedIndex, items.indices.contains(index) else { return nil }
        return items[index]
    }

    /// The first row of the listing that is on the screen.
    var scroll: Int {
        guard let selection = listing.selection, let tile = masonry.tile(selection.key) else { return 0 }
        return min(max(0, tile.top - selection.row), maxScroll)
    }

    private var maxScroll: Int { max(0, masonry.height - pane.content.count) }

    /// The rows of the listing that are on the screen.
    var visibleRows: Range<Int> { scroll..<scroll + pane.content.count }

    mutating func step(_ step: Masonry.Step) {
        guard let key = listing.selection?.key, let tile = masonry.neighbour(of: key, step) else { return }
        select(tile, scroll: scroll)
    }

    /// Scrolls by the height of the visible part minus two rows. The selection stays at about the same height on the
    /// screen.
    mutating func scrollPage(by direction: Int) {
        guard let tile = listing.selection.flatMap({ masonry.tile($0.key) }) else { return }
        let distance = max(1, pane.content.count - 2) * direction
        let row = tile.rows.middle - scroll
        let target = min(max(0, scroll + distance), maxScroll)
        guard target != scroll else { return select(direction > 0 ? items.last : items.first) }
        let rows = target..<target + pane.content.count
        guard let next = masonry.nearest(to: target + row, column: tile.column, among: rows) else { return }
        select(next, scroll: target)
    }

    mutating func select(_ reference: GIFReference?) {
        guard let reference, let tile = masonry.tile(reference.key) else { return }
        select(tile, scroll: scroll)
    }

    /// Selects a tile and scrolls from `scroll` only as far as needed to show the whole tile.
    private mutating func select(_ tile: Masonry.Tile, scroll: Int) {
        let room = pane.content.count
        let margin = tile.rows.count + 2 <= room ? 1 : 0
        var scroll = scroll
        if tile.rows.count >= room {
            scroll = tile.top
        } else {
            scroll = max(scroll, tile.rows.upperBound + margin - room)
            scroll = min(scroll, tile.top - margin)
        }
        scroll = min(max(0, scroll), maxScroll)
        listing.selection = Listing.Selection(key: tile.key, row: tile.top - scroll)
    }

    /// Scrolls the listing and keeps the selection. If the selected tile leaves the screen, selects a visible one.
    mutating func wheel(by rows: Int) {
        guard let tile = listing.selection.flatMap({ masonry.tile($0.key) }) else { return }
        let target = min(max(0, scroll + rows), maxScroll)
        let visible = target..<target + pane.content.count
        var chosen = tile
        if !tile.rows.overlaps(visible) {
            let edge = rows > 0 ? visible.lowerBound : visible.upperBound - 1
            chosen = masonry.nearest(to: edge, column: tile.column, among: visible) ?? tile
        }
        listing.selection = Listing.Selection(key: chosen.key, row: chosen.top - target)
    }

    /// Makes the selection valid after a change. The selected tile must exist and must be on the screen.
    mutating func fixSelection(showsSelected: Bool) {
        guard let first = masonry.tiles.first else {
            listing.selection = nil
            return
        }
        guard let tile = listing.selection.flatMap({ masonry.tile($0.key) }) else {
            listing.selection = Listing.Selection(key: first.key, row: first.top)
            return
        }
        if showsSelected || !tile.rows.overlaps(visibleRows) {
            select(tile, scroll: scroll)
        } else {
            // Update the row of the selection. An end of the listing may have limited the scroll position, so that the
            // tile is at another row.
            listing.selection = Listing.Selection(key: tile.key, row: tile.top - scroll)
        }
    }
}
