import Base
import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("Gallery grid")
struct GalleryGridTests {
    private var listing = Listing(.history)
    private var tickets = Tickets()
    private var facts = ItemFacts()
    private var grid = GalleryGrid(GalleryGridTests.pane(60, 24))

    private static func pane(_ columns: Int, _ rows: Int) -> Pane {
        Pane(TerminalTraits(size: CellSize(columns: columns, rows: rows)))
    }

    private mutating func show(_ items: [GIFReference]) {
        let start = Instant(nanoseconds: 0)
        _ = listing.start(at: start, now: start, &tickets)
        let ticket = listing.storeTicket ?? 0
        _ = listing.receiveStored(StoredListing(items: items, seconds: 0), ticket: ticket, seconds: 0)
        update()
    }

    private mutating func update(showsSelected: Bool = false) {
        grid.update(listing, facts, showsSelected: showsSelected)
    }

    @Test("A new grid is scrolled to the top, and its first tile is selected")
    mutating func first() {
        show(GIFReference.many(30))
        #expect(grid.selected?.id == "0" && grid.scroll == 0 && grid.isAtTop && !grid.isNearEnd)
        show([])
        #expect(grid.selection == nil && grid.selected == nil && grid.visibleItems.isEmpty)
    }

    @Test("The selected tile is completely visible after each step and each scrolled page")
    mutating func moves() throws {
        show(GIFReference.many(30))
        for move in 0..<40 {
            if move % 5 == 0 { grid.scrollPage(by: move < 20 ? 1 : -1) } else { grid.step(move < 20 ? .down : .up) }
            let rows = grid.rows(of: try #require(grid.selectedIndex))
            #expect(grid.visibleRows.clamped(to: rows) == rows, "\(move)")
            #expect(grid.scroll.isMultiple(of: grid.pane.rowPitch), "\(move)")
        }
        #expect(grid.scroll == 0)
    }

    @Test("The wheel scrolls by rows of tiles and keeps the selection on the screen")
    mutating func wheel() throws {
        show(GIFReference.many(30))
        for _ in 0..<4 { grid.step(.right) }
        grid.wheel(byTiles: 1)
        #expect(grid.scroll == grid.pane.rowPitch && grid.selected?.id == "4")
        for _ in 0..<4 { grid.wheel(byTiles: 1) }
        let selected = try #require(grid.selected)
        #expect(grid.scroll == 5 * grid.pane.rowPitch && selected.id != "4" && grid.visibleItems.contains(selected))
        grid.wheel(byTiles: -9)
        #expect(grid.scroll == 0)
    }

    @Test("Dismissed GIFs have no tile, except in the history and in favourites")
    mutating func dismissed() {
        facts.set(\.isDismissed, to: true, of: GIFReference.some("1").key)
        show(GIFReference.many(3))
        #expect(grid.items.map(\.id) == ["0", "1", "2"])
        listing = Listing(.favourites)
        show(GIFReference.many(3))
        #expect(grid.items.map(\.id) == ["0", "1", "2"])
        listing = Listing(.random)
        show(GIFReference.many(3))
        #expect(grid.items.map(\.id) == ["0", "2"])
    }

    @Test("In place of a GIF that has gone, the next remaining one is selected, or else the previous one")
    mutating func beside() {
        show(GIFReference.many(4))
        grid.step(.right)
        for (remaining, selected) in [([0, 2, 3], "2"), ([0, 3], "3"), ([0, 9], "0"), ([7, 8], "7"), ([], nil)] {
            show(remaining.map { .some("\($0)") })
            #expect(grid.selected?.id == selected)
        }
        show(GIFReference.many(4))
        grid.step(.right)
        listing = Listing(.favourites)
        show([.some("2")] + GIFReference.many(1))
        #expect(grid.selected?.id == "2" && grid.isAtTop)
    }

    @Test("Half a page scrolls by half of the rows of tiles, and the selection keeps its position on the screen")
    mutating func halfPages() {
        grid.resize(to: Self.pane(60, 48))
        show(GIFReference.many(60))
        grid.scrollHalfPage(by: 1)
        #expect(grid.scroll == 2 * grid.pane.rowPitch && grid.selectedIndex == 2 * grid.pane.columnCount)
        grid.scrollHalfPage(by: -1)
        #expect(grid.isAtTop)
    }

    @Test("A cell of a tile belongs to the tile's GIF, and a cell outside all tiles belongs to no GIF")
    mutating func click() {
        show(GIFReference.many(3))
        let top = grid.pane.content.lowerBound
        #expect(grid.item(atRow: top, column: 5)?.id == "0" && grid.item(atRow: top, column: 25)?.id == "1")
        #expect(grid.item(atRow: top - 1, column: 5) == nil)
        #expect(grid.item(atRow: grid.pane.content.upperBound - 1, column: 5) == nil)
    }

    @Test("After a resize of the pane, the selected tile is completely visible")
    mutating func resizes() throws {
        show(GIFReference.many(30))
        for _ in 0..<4 { grid.step(.down) }
        let selected = grid.selected
        grid.resize(to: Self.pane(120, 12))
        update(showsSelected: true)
        let rows = grid.rows(of: try #require(grid.selectedIndex))
        #expect(grid.selected == selected && grid.visibleRows.clamped(to: rows) == rows)
    }
}
