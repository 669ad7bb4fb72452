import Base
import Catalog

/// The loaded part of a feed and the user's position in it.
struct Listing: Equatable, Sendable {
    var feed: Feed
    /// In the order of the services, without duplicates, including dismissed GIFs.
    private(set) var items: [GIFReference] = []
    private(set) var keys: Set<GIFKey> = []
    /// Increases with every change of the items.
    private(set) var revision = 0
    var next: PageToken?
    var total: Int?
    /// The state of the queries to the services.
    var loading = LoadingState.abandoned
    /// The ticket of the request to the store; nil if none is pending.
    var storeTicket: Int?
    var origin = Origin.none
    /// A newer first page that is not shown yet, because it would move the items that the user is looking at.
    var newFirstPage: ResultPage?
    var selection: Selection?
    var columns = Columns()

    init(_ feed: Feed) {
        self.feed = feed
    }

    /// The origin of the items.
    enum Origin: Equatable, Sendable {
        case none
        /// The store; the listing was stored at this time, in seconds since 1970.
        case store(seconds: Int)
        case services(at: Instant, sourceFailures: [SourceFailure])
    }

    /// The selected GIF and the row of the gallery at which its tile begins, from which the scroll position is derived.
    struct Selection: Equatable, Sendable {
        var key: GIFKey
        var row: Int
    }

    /// Replaces all items.
    mutating func replace(by items: [GIFReference]) {
        self.items = []
        keys = []
        revision += 1
        append(items)
        columns = Columns()
    }

    /// - Returns: the number of items that are new.
    @discardableResult
    mutating func append(_ more: [GIFReference]) -> Int {
        let before = items.count
        for item in more where keys.insert(item.key).inserted { items.append(item) }
        revision += 1
        return items.count - before
    }

    /// Updates the items from a newer first page if the listing begins with the same GIFs, so that no tile moves.
    /// - Returns: false, without a change, if the listing begins differently or if later items have no renditions.
    mutating func update(from page: ResultPage) -> Bool {
        let fresh = Listing.unique(page.items)
        guard !fresh.isEmpty, items.count >= fresh.count, zip(items, fresh).allSatisfy({ $0.key == $1.key }) else {
            return false
        }
        // Items that were stored without an address cannot be shown, so it is better to load the later pages again.
        guard items.dropFirst(fresh.count).allSatisfy({ !$0.renditions.isEmpty }) else { return false }
        if items.count == fresh.count { next = page.next }
        items.replaceSubrange(0..<fresh.count, with: fresh)
        revision += 1
        total = page.total ?? total
        return true
    }

    private static func unique(_ items: [GIFReference]) -> [GIFReference] {
        var seen: Set<GIFKey> = []
        return items.filter { seen.insert($0.key).inserted }
    }
}

/// The state of a listing's queries to the services.
enum LoadingState: Equatable, Sendable {
    /// The user switched to another feed or query before the first page arrived.
    case abandoned
    /// The services are queried at this time, unless the user switches to another feed or query before.
    case due(at: Instant)
    /// The first page is loading.
    case first(ticket: Int, trigger: Trigger)
    /// Nothing is loading. `Listing.next` tells whether there are more pages.
    case idle
    /// The next page is loading; `emptyPages` pages in a row before it had no new items.
    case more(ticket: Int, emptyPages: Int)
    /// The query for this page failed at this time; nil is the first page.
    case failed(CatalogError, page: PageToken?, since: Instant)

    /// Why the first page is loaded, which determines how it is shown.
    enum Trigger: Equatable, Sendable {
        /// In the background: the page is held back if it would move what the user is looking at.
        case background
        /// The user requested it: the page is shown at once, from the top.
        case userRequest
    }

    var deadline: Instant? {
        if case .due(let moment) = self { moment } else { nil }
    }

    /// The ticket of the running load; nil if nothing is loading.
    var ticket: Int? {
        switch self {
        case .first(let ticket, _), .more(let ticket, _): ticket
        default: nil
        }
    }
}

/// The listings that the user left recently, the latest one last.
struct ParkedListings: Equatable, Sendable {
    private var listings: [Listing] = []

    static let maxCount = 8

    mutating func park(_ listing: Listing) {
        listings.removeAll { $0.feed == listing.feed }
        listings.append(listing)
        if listings.count > Self.maxCount { listings.removeFirst() }
    }

    subscript(feed: Feed) -> Listing? { listings.first { $0.feed == feed } }

    mutating func take(_ feed: Feed) -> Listing? {
        guard let index = listings.firstIndex(where: { $0.feed == feed }) else { return nil }
        return listings.remove(at: index)
    }
}
