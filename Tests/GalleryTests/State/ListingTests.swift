import Base
import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("Listing")
struct ListingTests {
    private var listing = Listing(.search(query: "cats"))
    private var tickets = Tickets()
    private let start = Instant(nanoseconds: 0)

    /// Starts loading. The request to the store gets ticket 1, and the query for the first page gets ticket 2.
    private mutating func load() -> [GalleryEffect] { listing.start(at: start, now: start, &tickets) }

    private mutating func receiveFirst(
        _ items: [GIFReference], next: PageToken? = nil, holdsBack: Bool = false
    ) -> Bool {
        listing.receiveFirstPage(
            .success(ResultPage(items: items, next: next, total: 90)), holdsBack: holdsBack, at: start)
    }

    private mutating func receiveStored(_ items: [GIFReference]) -> Bool {
        let stored = StoredListing(items: items, seconds: 5)
        return listing.receiveStored(stored, ticket: listing.storeTicket ?? 0, seconds: 9)
    }

    @Test("A local listing is read from the store, and no service is queried")
    mutating func local() {
        listing = Listing(.history)
        let effects = load()
        #expect(effects == [.loadStored(.history, ticket: 1)] && listing.loading == .idle)
        let replaced = listing.receiveStored(nil, ticket: 1, seconds: 9)
        #expect(replaced && listing.origin == .store(seconds: 9) && listing.isStale(at: start))
    }

    @Test("The services' first page replaces a stored listing that contains other GIFs")
    mutating func replaces() {
        listing = Listing(.community("cats"))
        _ = load()
        let stored = receiveStored(GIFReference.many(3, from: 20))
        #expect(stored && listing.origin == .store(seconds: 5) && listing.loading != .idle)
        let replaced = receiveFirst(GIFReference.many(2), next: .page(2))
        #expect(replaced && listing.items.map(\.id) == ["0", "1"] && listing.next == .page(2) && listing.total == 90)
        #expect(listing.loading == .idle && !listing.isStale(at: start + Listing.maxAge))
        #expect(listing.isStale(at: start + Listing.maxAge + 1))
    }

    @Test("The services' results of a query follow what is there, without a GIF twice, and take newer addresses")
    mutating func follows() {
        _ = load()
        let stored = [GIFReference.some("20"), .some("1"), .some("21")].map { item in
            var item = item
            if item.id == "21" { item.renditions = [] }
            if item.id == "1" { item.title = "old" }
            return item
        }
        _ = receiveStored(stored)
        let replaced = receiveFirst(GIFReference.many(3), next: .page(2), holdsBack: true)
        #expect(!replaced && listing.newFirstPage == nil && listing.items.map(\.id) == ["20", "1", "0", "2"])
        #expect(listing.items[1].title == "Title 1" && listing.next == .page(2) && listing.total == 91)
    }

    @Test("What this machine has for a query arrives in parts; a part after the services' results is ignored")
    mutating func parts() {
        _ = load()
        let first = StoredListing(items: [.some("5")], seconds: 0)
        let isShown = listing.receiveStored(first, ticket: 1, seconds: 0, isLast: false)
        #expect(isShown && listing.items.map(\.id) == ["5"] && listing.storeTicket == 1)
        _ = receiveStored([.some("5"), .some("6")])
        #expect(listing.items.map(\.id) == ["5", "6"] && listing.storeTicket == nil)
        _ = receiveFirst(GIFReference.many(2))
        #expect(listing.items.map(\.id) == ["5", "6", "0", "1"])
    }

    @Test("Leaving a listing cancels its query and marks the listing as outdated")
    mutating func abandons() {
        _ = load()
        let effects = listing.abandon()
        #expect(effects == [.cancel(ticket: 2), .cancel(ticket: 1)] && listing.loading == .abandoned)
        #expect(listing.storeTicket == nil && listing.isStale(at: start))
    }
}

@Suite("Search input")
struct SearchInputTests {
    private let options = GalleryOptions()

    @Test("An empty search field leads from search results to the first feed of a service, and keeps any other feed")
    func target() {
        var options = options
        options.feeds = [.favourites, .trending(source: "giphy")]
        #expect(SearchInput("cats").target(from: .history, options) == .search(query: "cats"))
        #expect(SearchInput(" ").target(from: .history, options) == .history)
        #expect(SearchInput("").target(from: .search(query: "dogs"), options) == .trending(source: "giphy"))
        options.feeds = [.favourites]
        #expect(SearchInput("").target(from: .search(query: "dogs"), options) == .random)
    }

    @Test("Tab switches between the latest query, the configured feeds and the displayed feed")
    func feeds() {
        var options = options
        options.feeds = [.favourites, .history]
        #expect(SearchInput("").feeds(with: .history, options) == [.favourites, .history])
        var search = SearchInput("dogs")
        search.note(.search(query: "cats"), isTyping: true)
        #expect(
            search.feeds(with: .community("gifs"), options)
                == [.search(query: "cats"), .favourites, .history, .community("gifs")])
    }
}

@Suite("Status notices")
struct StatusNoticesTests {
    private let start = Instant(nanoseconds: 0)
    private var end: Instant { start + StatusNotices.duration }

    @Test("A new message replaces the displayed message and is displayed for the full duration")
    func replaces() {
        var notices = StatusNotices()
        notices.display(.saving, at: start)
        notices.display(.first, at: start + Span.second)
        #expect(notices.note == .first && notices.deadline == end + Span.second)
    }

    @Test("A message disappears with the next key, and a message about a service follows it")
    func itemMessages() {
        let messages: [GalleryMessage] = [
            .saved(path: "/cat.gif"), .savingForbidden(source: "GIPHY"), .linkCopied, .opened, .favourite(true), .last,
        ]
        for message in messages {
            var session = Session(.search(query: "cat"), showing: GIFReference.many(6))
            session.send(.reported(message), .reported(.keyRefused(variable: "KEY")))
            #expect(session.status.contains(Language.english.sentence(message)))
            session.send(.key(.left))
            #expect(session.status.contains("the key in KEY was refused"), "\(message)")
        }
        var session = Session(.search(query: "cat"), showing: GIFReference.many(6))
        session.press(.enter, .character("f"), .character("n"))
        #expect(!session.text.contains("added to favourites"))
        session.press(.character("d"))
        #expect(session.text.contains("dismissed · u: undo"))
    }

    @Test("A message about a service waits until the displayed message ends")
    func waits() {
        var notices = StatusNotices()
        notices.display(.saving, at: start)
        notices.display(.contactRequired, at: start)
        notices.display(.keyRefused(variable: "KEY"), at: start)
        #expect(notices.note == .saving)
        notices.update(at: end)
        #expect(notices.note == .contactRequired && notices.deadline == end + StatusNotices.duration)
        notices.update(at: end + StatusNotices.duration)
        #expect(notices.note == .keyRefused(variable: "KEY"))
    }
}

@Suite("Facts about GIFs") struct ItemFactsTests {
    @Test("Facts about random GIFs outside the listing do not accumulate; favourites and dismissals stay known")
    func prune() {
        var facts = ItemFacts()
        let listed = GIFKey(provider: "commons", id: "listed")
        for number in 0..<20_000 {
            let key = number == 0 ? listed : GIFKey(provider: "commons", id: "\(number)")
            facts.sizes[key] = PixelSize(width: 2, height: 1)
            facts.failures[key] = .outage
            facts.loading.insert(key)
            facts.set(number % 10_000 == 1 ? \.isDismissed : \.isViewed, to: true, of: key)
            facts.prune(keeping: [listed])
        }
        #expect(max(facts.sizes.count, facts.failures.count, facts.loading.count, facts.marks.count) < 3_000)
        #expect(facts.sizes[listed] != nil && facts.marks(of: listed).isViewed)
        #expect(facts.marks.values.count { $0.isDismissed } == 2)
    }
}

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

    @Test("Half a page scrolls by half of the rows of tiles, and the selection keeps its position on the screen")
    mutating func halfPages() {
        grid.resize(to: Self.pane(60, 48))
        show(GIFReference.many(60))
        grid.scrollHalfPage(by: 1)
        #expect(grid.scroll == 2 * grid.pane.rowPitch && grid.selectedIndex == 2 * grid.pane.columnCount)
        grid.scrollHalfPage(by: -1)
        #expect(grid.isAtTop)
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
