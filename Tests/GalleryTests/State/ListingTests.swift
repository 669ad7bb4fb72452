import Base
import Catalog
import Testing

@testable import Gallery

@Suite("Listing")
struct ListingTests {
    private var listing = Listing(.search(query: "cats"))
    private var tickets = Tickets()
    private let start = Instant(nanoseconds: 0)
    private let outage = Failure.refused(status: 500, message: nil, retryAfterSeconds: nil)

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

    @Test("A new listing reads the store and queries the services")
    mutating func starts() {
        let effects = load()
        #expect(
            effects == [
                .loadStored(listing.feed, ticket: 1), .load(listing.feed, page: nil, ticket: 2, isRetry: false),
            ])
        #expect(listing.loading == .first(ticket: 2, trigger: .background) && listing.storeTicket == 1)
    }

    @Test("A delayed query starts at its scheduled time")
    mutating func delays() {
        let effects = listing.start(at: start + Span.second, now: start, &tickets)
        #expect(effects == [.loadStored(listing.feed, ticket: 1)])
        let early = listing.loadIfDue(at: start, &tickets)
        let due = listing.loadIfDue(at: start + Span.second, &tickets)
        #expect(early.isEmpty && due == [.load(listing.feed, page: nil, ticket: 2, isRetry: false)])
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

    @Test("A first page that would move visible items is held back until the user asks for it")
    mutating func holdsBack() {
        listing = Listing(.community("cats"))
        _ = load()
        _ = receiveStored(GIFReference.many(3, from: 20))
        let replaced = receiveFirst(GIFReference.many(2), holdsBack: true)
        #expect(!replaced && listing.items.count == 3 && listing.newFirstPage != nil && listing.loading == .idle)
        let shown = listing.showNewFirstPage(at: start)
        #expect(shown && listing.items.count == 2 && listing.newFirstPage == nil)
        let again = listing.showNewFirstPage(at: start)
        #expect(!again)
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

    @Test("If the first page has the same GIFs as the stored listing, the GIFs are updated in place")
    mutating func updates() {
        listing = Listing(.community("cats"))
        _ = load()
        _ = receiveStored(GIFReference.many(5))
        let revision = listing.revision
        let replaced = receiveFirst(GIFReference.many(3), holdsBack: true)
        #expect(!replaced && listing.items.count == 5 && listing.newFirstPage == nil && listing.revision != revision)
    }

    @Test("A stored listing never replaces results of the services")
    mutating func lateStore() {
        _ = load()
        _ = receiveFirst(GIFReference.many(2))
        let replaced = receiveStored(GIFReference.many(3, from: 20))
        let outdated = listing.receiveStored(StoredListing(items: [], seconds: 0), ticket: 1, seconds: 0)
        #expect(!replaced && !outdated && listing.items.count == 2 && listing.storeTicket == nil)
    }

    @Test("If pages have no new GIFs, a limited number of further pages is loaded")
    mutating func emptyPages() {
        _ = load()
        _ = receiveFirst(GIFReference.many(2), next: .page(1))
        var effects = listing.loadNextPage(&tickets)
        var loads = 0
        while !effects.isEmpty {
            loads += 1
            let page = ResultPage(items: GIFReference.many(2), next: .page(loads + 1))
            effects = listing.receiveNextPage(.success(page), at: start, &tickets)
        }
        #expect(loads == Listing.emptyPageLimit && listing.next == nil && listing.loading == .idle)
        #expect(listing.items.count == 2)
    }

    @Test("A retry of a failed later page uses the same page token")
    mutating func retries() {
        _ = load()
        _ = receiveFirst(GIFReference.many(2), next: .page(1))
        let none = listing.retryNextPage(&tickets)
        _ = listing.loadNextPage(&tickets)
        let effects = listing.receiveNextPage(.failure(outage), at: start, &tickets)
        #expect(none == nil && effects.isEmpty && listing.loading == .failed(outage, page: .page(1), since: start))
        let retry = listing.retryNextPage(&tickets)
        #expect(retry == [.load(listing.feed, page: .page(1), ticket: 4, isRetry: true)])
    }

    @Test("Leaving a listing cancels its query and marks the listing as outdated")
    mutating func abandons() {
        _ = load()
        let effects = listing.abandon()
        #expect(
            effects == [.cancel(ticket: 2), .cancel(ticket: 1)] && listing.loading == .abandoned
                && listing.storeTicket == nil)
        #expect(listing.isStale(at: start))
    }

    @Test("Samples do not replace a stored listing")
    mutating func samples() {
        _ = load()
        _ = receiveStored(GIFReference.many(3))
        let failures = [outage.of("commons")]
        let page = ResultPage(items: GIFReference.many(2, source: "samples"), sourceFailures: failures)
        let replaced = listing.receiveFirstPage(.success(page), holdsBack: false, at: start)
        #expect(!replaced && listing.items.count == 3)
        #expect(listing.loading == .failed(.exhausted(failures), page: nil, since: start))
    }

    @Test("A listing without results and a listing whose results are all dismissed have different phases")
    mutating func phase() {
        #expect(listing.phase(isEmpty: true, at: start) == .searching)
        _ = load()
        _ = receiveFirst(GIFReference.many(2))
        #expect(listing.phase(isEmpty: false, at: start) == .results)
        #expect(listing.phase(isEmpty: true, at: start) == .empty)
        _ = listing.reload(isRetry: false, at: start, &tickets)
        _ = receiveFirst([])
        #expect(listing.phase(isEmpty: false, at: start) == .results)
        listing = Listing(listing.feed)
        _ = load()
        _ = receiveFirst([])
        guard case .noResults = listing.phase(isEmpty: true, at: start) else {
            Issue.record("no results were expected")
            return
        }
    }
}
