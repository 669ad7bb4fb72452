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

    @Test("The wheel scrolls by rows and keeps the selection on the screen")
    mutating func wheel() throws {
        show(GIFReference.many(30))
        grid.wheel(by: 3)
        #expect(grid.scroll == 3 && grid.selected?.id == "0")
        for _ in 0..<10 { grid.wheel(by: 3) }
        let selected = try #require(grid.selected)
        #expect(grid.scroll == 33 && selected.id != "0" && grid.visibleItems.contains(selected))
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

    @Test("After a dismissal, the next remaining GIF is selected, or else the previous one")
    mutating func beside() {
        show(GIFReference.many(3))
        grid.selectBeside([GIFReference.some("0").key, GIFReference.some("1").key])
        #expect(grid.selected?.id == "2")
        grid.selectBeside([GIFReference.some("2").key])
        #expect(grid.selected?.id == "1")
        grid.selectBeside([GIFReference.some("0").key])
        #expect(grid.selected?.id == "1")
        grid.selectBeside(Set(grid.items.map(\.key)))
        #expect(grid.selection == nil)
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
