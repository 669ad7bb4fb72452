import Catalog
import Pixels
import Playback

/// The grid of tiles: the items in uniform rows and columns, the selected tile and the scroll position.
///
/// The box of a tile depends only on its index, so that nothing moves when a picture arrives. Rows of text are counted
/// from the top of the whole listing, not from the top of the screen.
struct GalleryGrid: Equatable, Sendable {
    private(set) var pane: Pane
    /// The items of the listing without dismissed GIFs. Favourites stay, and a GIF that the user dismisses in the history
    /// remains there until the history is read from the store again. If a query has found nothing, the built-in GIFs,
    /// below the message that says so.
    private(set) var items: [GIFReference] = []
    /// Whether the items are built-in GIFs because a query has found nothing.
    private(set) var showsSubstitutes = false
    var selection: Selection?
    private var indexByKey: [GIFKey: Int] = [:]
    /// The inputs from which `items` were computed; nil if they must be computed again.
    private var inputs: LayoutInputs?

    /// The selected GIF and the row at which its tile begins, counted from the top of the visible part of the grid. The
    /// scroll position is computed from this row.
    struct Selection: Equatable, Sendable {
        var key: GIFKey
        var row: Int
    }

    init(_ pane: Pane) { self.pane = pane }

    // MARK: - Layout

    mutating func resize(to pane: Pane) { self.pane = pane }

    /// Computes the items and makes the selection valid.
    /// - Parameter showsSelected: whether to scroll so that the whole selected tile is visible.
    mutating func update(_ listing: Listing, _ facts: ItemFacts, showsSelected: Bool) {
        layOut(listing, facts)
        fixSelection(showsSelected: showsSelected)
    }

    /// Computes the items only if one of their inputs has changed, because there can be thousands.
    private mutating func layOut(_ listing: Listing, _ facts: ItemFacts) {
        let hasRoom = pane.content.count > pane.rowPitch
        let substitutes = hasRoom && listing.hasFoundNothing
        let needed = LayoutInputs(
            feed: listing.feed, items: listing.revision, marks: facts.revision, substitutes: substitutes)
        guard inputs != needed else { return }
        let (previous, place) = (items, inputs?.feed == needed.feed ? selectedIndex : nil)
        inputs = needed
        showsSubstitutes = substitutes
        let all = substitutes ? SampleRepository.allReferences : listing.items
        items = all.filter {
            switch listing.feed {
            case .favourites, .history: true
            default: facts.marks(of: $0.key).isDismissed == (listing.feed == .dismissed)
            }
        }
        indexByKey = Dictionary(items.enumerated().map { ($0.element.key, $0.offset) }) { first, _ in first }
        // In place of a selected GIF that has gone, the next one that stays is selected, or else the previous one.
        guard let place, selectedIndex == nil else { return }
        func stays(_ item: GIFReference) -> Bool { indexByKey[item.key] != nil }
        if let heir = previous[place...].first(where: stays) ?? previous[..<place].last(where: stays) {
            selection?.key = heir.key
        }
    }

    mutating func invalidate() { inputs = nil }

    /// The rows of the pane that show tiles. Above ``showsSubstitutes``, a message takes one row of tiles.
    var content: Range<Int> {
        showsSubstitutes ? pane.content.lowerBound + pane.rowPitch..<pane.content.upperBound : pane.content
    }

    /// The rows of a tile: the edge, the picture and, in the last row, the title.
    func rows(of index: Int) -> Range<Int> {
        let top = index / pane.columnCount * pane.rowPitch
        return top..<top + pane.rowPitch
    }

    /// The left edge of a tile's picture box in the pane.
    func left(of index: Int) -> Int { index % pane.columnCount * pane.pitch + pane.gutter }

    private var height: Int { items.isEmpty ? 0 : rows(of: items.count - 1).upperBound }

    // MARK: - Scroll position

    /// The first visible row of the listing.
    var scroll: Int {
        guard let selection, let index = selectedIndex else { return 0 }
        return min(max(0, rows(of: index).lowerBound - selection.row), maxScroll)
    }

    private var maxScroll: Int { max(0, height - content.count) }

    var visibleRows: Range<Int> {
        let scroll = scroll
        return scroll..<scroll + content.count
    }

    /// The indices of the tiles that overlap these rows.
    func indices(in rows: Range<Int>) -> Range<Int> {
        let first = max(0, rows.lowerBound / pane.rowPitch * pane.columnCount)
        let end = (max(0, rows.upperBound) + pane.rowPitch - 1) / pane.rowPitch * pane.columnCount
        return min(first, items.count)..<min(max(first, end), items.count)
    }

    /// The GIFs that are at least partly on the screen.
    var visibleItems: [GIFReference] { items.isEmpty ? [] : Array(items[indices(in: visibleRows)]) }

    /// Whether the grid is scrolled to the top and the first GIF is selected.
    var isAtTop: Bool { scroll == 0 && selection?.key == items.first?.key }

    /// Whether at most one screen of the listing is left below the visible rows.
    var isNearEnd: Bool { visibleRows.upperBound + content.count >= height }

    func item(atRow row: Int, column: Int) -> GIFReference? {
        guard content.contains(row), column / pane.pitch < pane.columnCount else { return nil }
        let inListing = row - content.lowerBound + scroll
        let index = inListing / pane.rowPitch * pane.columnCount + column / pane.pitch
        return items.indices.contains(index) && rows(of: index).contains(inListing) ? items[index] : nil
    }

    // MARK: - Selection

    var selectedIndex: Int? { selection.flatMap { indexByKey[$0.key] } }

    func item(_ key: GIFKey) -> GIFReference? { indexByKey[key].map { items[$0] } }

    var selected: GIFReference? { selectedIndex.map { items[$0] } }

    mutating func select(_ reference: GIFReference?) {
        guard let reference, let index = indexByKey[reference.key] else { return }
        select(index, scroll: scroll)
    }

    /// Moves the selection. Left and right continue at the end of a row; down from an incomplete column ends at the last
    /// GIF.
    mutating func step(_ step: GridStep) {
        guard let index = selectedIndex else { return }
        let columns = pane.columnCount
        let target: Int
        switch step {
        case .left: target = index - 1
        case .right: target = index + 1
        case .up: target = index - columns
        case .down:
            let hasLowerRow = index / columns < (items.count - 1) / columns
            target = hasLowerRow ? min(index + columns, items.count - 1) : items.count
        }
        if items.indices.contains(target) { select(target, scroll: scroll) }
    }

    /// Scrolls by all visible rows of tiles. If the grid cannot scroll further, selects the first or the last GIF.
    mutating func scrollPage(by direction: Int) { scroll(byTiles: visibleTileRows * direction) }

    mutating func scrollHalfPage(by direction: Int) { scroll(byTiles: max(1, visibleTileRows / 2) * direction) }

    private var visibleTileRows: Int { max(1, content.count / pane.rowPitch) }

    /// Selects the first, the middle or the last of the tiles that are completely visible.
    mutating func select(_ place: ScreenPlace) {
        let whole = indices(in: visibleRows).filter { rows(of: $0).clamped(to: visibleRows) == rows(of: $0) }
        guard let first = whole.first, let last = whole.last else { return }
        switch place {
        case .top: select(first, scroll: scroll)
        case .middle: select(whole[(whole.count - 1) / 2], scroll: scroll)
        case .bottom: select(last, scroll: scroll)
        }
    }

    /// The selection keeps its position on the screen.
    private mutating func scroll(byTiles rows: Int) {
        guard let index = selectedIndex else { return }
        let target = min(max(0, scroll + rows * pane.rowPitch), maxScroll)
        guard target != scroll else { return select(rows > 0 ? items.last : items.first) }
        let moved = (target - scroll) / pane.rowPitch * pane.columnCount
        select(min(max(0, index + moved), items.count - 1), scroll: target)
    }

    /// Selects a tile. Scrolls from the position `scroll` only as far as needed to show the whole tile.
    private mutating func select(_ index: Int, scroll: Int) {
        let rows = rows(of: index)
        // With whole rows of tiles, the distance of two scroll positions is a multiple of the distance of two rows.
        let lowest = rows.lowerBound - (visibleTileRows - 1) * pane.rowPitch
        let scroll = min(max(0, min(max(scroll, lowest), rows.lowerBound)), maxScroll)
        selection = Selection(key: items[index].key, row: rows.lowerBound - scroll)
    }

    /// Scrolls by rows of tiles and keeps the selection. If the selected tile leaves the screen, selects a visible tile.
    mutating func wheel(byTiles rows: Int) {
        guard let index = selectedIndex else { return }
        let target = min(max(0, scroll + rows * pane.rowPitch), maxScroll)
        let visible = target..<target + content.count
        var chosen = index
        while !self.rows(of: chosen).overlaps(visible) {
            let next = chosen + (rows > 0 ? 1 : -1) * pane.columnCount
            guard items.indices.contains(next) else { break }
            chosen = next
        }
        selection = Selection(key: items[chosen].key, row: self.rows(of: chosen).lowerBound - target)
    }

    /// Ensures that the selected tile exists and is on the screen. If there are no tiles, clears the selection.
    private mutating func fixSelection(showsSelected: Bool) {
        guard let first = items.first else {
            selection = nil
            return
        }
        guard let index = selectedIndex else {
            selection = Selection(key: first.key, row: 0)
            return
        }
        let rows = rows(of: index)
        if showsSelected || !rows.overlaps(visibleRows) {
            select(index, scroll: scroll / pane.rowPitch * pane.rowPitch)
        } else {
            // `scroll` might have been limited to the start or the end of the listing. Store the actual row.
            selection = Selection(key: items[index].key, row: rows.lowerBound - scroll)
        }
    }
}

/// The inputs of a layout. `items` and `marks` are revision numbers.
struct LayoutInputs: Equatable, Sendable {
    var feed: Feed
    var items: Int
    var marks: Int
    var substitutes: Bool
}
