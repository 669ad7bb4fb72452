import Catalog
import Pixels

/// The grid of tiles: the layout, the selected tile and the scroll position.
struct GalleryGrid: Equatable, Sendable {
    private(set) var pane: Pane
    /// The items of the listing without dismissed GIFs. There is one exception: if the user dismisses a GIF in the
    /// history, the GIF remains in the history until the history is read from the store again.
    private(set) var items: [GIFReference] = []
    private(set) var masonry = Masonry()
    private(set) var position = Position()
    /// The inputs from which `items` and `masonry` were computed; nil if both must be computed again.
    private var inputs: LayoutInputs?

    /// The selected GIF and the row at which its tile begins, counted from the top of the visible part of the grid. The
    /// scroll position is computed from this row.
    struct Selection: Equatable, Sendable {
        var key: GIFKey
        var row: Int
    }

    struct Position: Equatable, Sendable {
        var selection: Selection?
        var columns = Columns()
    }

    init(_ pane: Pane) { self.pane = pane }

    // MARK: - Layout

    mutating func resize(to pane: Pane) { self.pane = pane }

    /// Computes the layout and makes the selection valid.
    /// - Parameter showsSelected: whether to scroll so that the whole selected tile is visible.
    mutating func update(_ listing: Listing, _ facts: ItemFacts, showsSelected: Bool) {
        layOut(listing, facts)
        fixSelection(showsSelected: showsSelected)
    }

    /// Computes the layout only if one of its inputs has changed, because the layout of 2,000 GIFs takes 2 ms.
    private mutating func layOut(_ listing: Listing, _ facts: ItemFacts) {
        let needed = LayoutInputs(feed: listing.feed, items: listing.revision, marks: facts.revision, pane: pane)
        guard inputs != needed else { return }
        inputs = needed
        items = listing.items.filter { listing.feed == .history || !facts.marks(of: $0.key).isDismissed }
        masonry = Masonry(items, facts, pane, columns: &position.columns)
    }

    mutating func invalidate() { inputs = nil }

    /// Discards the layout if the new canvas size of this GIF changes the size of its picture. Such a change is rare,
    /// because most canvases have the aspect ratio that the service reported.
    mutating func invalidate(ifResized key: GIFKey, _ facts: ItemFacts) {
        guard let index = masonry.index(of: key) else { return }
        if masonry.tiles[index].picture != pane.target(for: facts.canvas(of: items[index])) { invalidate() }
    }

    mutating func move(to position: Position) { self.position = position }

    /// Lets the next layout assign the columns of all tiles again.
    mutating func discardColumns() { position.columns = Columns() }

    /// Lets the next layout assign the columns of these tiles again.
    mutating func discardColumns(of keys: some Sequence<GIFKey>) { position.columns.removeAssignments(of: keys) }

    // MARK: - Scroll position

    /// The first visible row of the listing.
    var scroll: Int {
        guard let selection, let tile = masonry.tile(selection.key) else { return 0 }
        return min(max(0, tile.top - selection.row), maxScroll)
    }

    private var maxScroll: Int { max(0, masonry.height - pane.content.count) }

    var visibleRows: Range<Int> {
        let scroll = scroll
        return scroll..<scroll + pane.content.count
    }

    /// The GIFs that are at least partly on the screen.
    var visibleItems: [GIFReference] {
        let visible = visibleRows
        return zip(masonry.tiles, items).filter { $0.0.rows.overlaps(visible) }.map { $0.1 }
    }

    /// Whether the grid is scrolled to the top and the first GIF is selected.
    var isAtTop: Bool { scroll == 0 && selection?.key == items.first?.key }

    /// Whether at most one screen of the listing is left below the visible rows.
    var isNearEnd: Bool { visibleRows.upperBound + pane.content.count >= masonry.height }

    func item(atRow row: Int, column: Int) -> GIFReference? {
        guard pane.content.contains(row) else { return nil }
        let inListing = row - pane.content.lowerBound + scroll
        let index = masonry.tiles.firstIndex { $0.rows.contains(inListing) && column / pane.pitch == $0.column }
        return index.map { items[$0] }
    }

    // MARK: - Selection

    var selection: Selection? { position.selection }

    var selectedIndex: Int? { selection.flatMap { masonry.index(of: $0.key) } }

    var selected: GIFReference? {
        guard let index = selectedIndex, items.indices.contains(index) else { return nil }
        return items[index]
    }

    private var selectedTile: Masonry.Tile? { selection.flatMap { masonry.tile($0.key) } }

    func neighbour(by distance: Int) -> GIFReference? {
        guard let index = selectedIndex, items.indices.contains(index + distance) else { return nil }
        return items[index + distance]
    }

    mutating func select(_ reference: GIFReference?) {
        guard let reference, let tile = masonry.tile(reference.key) else { return }
        select(tile, scroll: scroll)
    }

    mutating func restore(_ selection: Selection) { position.selection = selection }

    mutating func step(_ step: Masonry.Step) {
        guard let key = selection?.key, let tile = masonry.neighbour(of: key, step) else { return }
        select(tile, scroll: scroll)
    }

    /// Scrolls by the height of the visible part minus two rows. Then selects a tile at about the same height on the
    /// screen as the previously selected tile. If the grid cannot scroll further, selects the first or the last GIF.
    mutating func scrollPage(by direction: Int) {
        guard let tile = selectedTile else { return }
        let distance = max(1, pane.content.count - 2) * direction
        let row = tile.rows.middle - scroll
        let target = min(max(0, scroll + distance), maxScroll)
        guard target != scroll else { return select(direction > 0 ? items.last : items.first) }
        let rows = target..<target + pane.content.count
        guard let next = masonry.nearest(to: target + row, column: tile.column, among: rows) else { return }
        select(next, scroll: target)
    }

    /// Selects a tile. Scrolls from the position `scroll` only as far as needed to show the whole tile and, if there is
    /// enough space, one row above and one row below the tile.
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
        position.selection = Selection(key: tile.key, row: tile.top - scroll)
    }

    /// Scrolls the listing and keeps the selection. If the selected tile leaves the screen, selects a visible tile.
    mutating func wheel(by rows: Int) {
        guard let tile = selectedTile else { return }
        let target = min(max(0, scroll + rows), maxScroll)
        let visible = target..<target + pane.content.count
        var chosen = tile
        if !tile.rows.overlaps(visible) {
            let edge = rows > 0 ? visible.lowerBound : visible.upperBound - 1
            chosen = masonry.nearest(to: edge, column: tile.column, among: visible) ?? tile
        }
        position.selection = Selection(key: chosen.key, row: chosen.top - target)
    }

    /// Ensures that the selected tile exists and is on the screen. If there are no tiles, clears the selection.
    private mutating func fixSelection(showsSelected: Bool) {
        guard let first = masonry.tiles.first else {
            position.selection = nil
            return
        }
        guard let tile = selectedTile else {
            position.selection = Selection(key: first.key, row: first.top)
            return
        }
        if showsSelected || !tile.rows.overlaps(visibleRows) {
            select(tile, scroll: scroll)
        } else {
            // `scroll` might have been limited to the start or the end of the listing. Store the actual row.
            position.selection = Selection(key: tile.key, row: tile.top - scroll)
        }
    }

    /// If the selected GIF is being dismissed, selects the next GIF that stays, or else the previous one.
    mutating func selectBeside(_ gone: Set<GIFKey>) {
        guard let selection, gone.contains(selection.key), let index = masonry.index(of: selection.key) else { return }
        let staying =
            items[index...].first { !gone.contains($0.key) } ?? items[..<index].last { !gone.contains($0.key) }
        position.selection = staying.map { Selection(key: $0.key, row: selection.row) }
    }
}

/// The inputs of a layout, except for the sizes of canvases. `items` and `marks` are revision numbers.
struct LayoutInputs: Equatable, Sendable {
    var feed: Feed
    var items: Int
    var marks: Int
    var pane: Pane
}
