import Base
import Catalog

/// The loaded part of a feed and the user's position in it.
struct Listing: Equatable, Sendable {
    var feed: Feed
    /// The loaded GIFs in the order of the services, without duplicates. They include dismissed GIFs.
    private(set) var items: [GIFReference] = []
    private(set) var keys: Set<GIFKey> = []
    /// Increases with every change of the items.
    private(set) var revision = 0
    var next: PageToken?
    var total: Int?
    /// The state of the queries to the services.
    var loading = LoadingState.abandoned
    /// The ticket of the pending request to the store; nil if no request is pending.
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
        /// The items come from the store. `seconds` is the value of ``StoredListing/seconds``.
        case store(seconds: Int)
        case services(at: Instant, sourceFailures: [SourceFailure])
    }

    /// The selected GIF and the row at which its tile begins, counted from the top of the visible part of the gallery.
    /// The scroll position is computed from this row.
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

    /// Appends the items that the listing does not contain yet.
    /// - Returns: the number of appended items.
    @discardableResult
    mutating func append(_ more: [GIFReference]) -> Int {
        let before = items.count
        for item in more where keys.insert(item.key).inserted { items.append(item) }
        revision += 1
        return items.count - before
    }

    /// Updates the items from a newer first page. Does so only if the listing begins with the same GIFs as the page, so
    /// that no tile moves.
    /// - Returns: whether the items were updated. The result is false if the page is empty, if the listing begins with
    ///   other GIFs, or if an item after the first page has no renditions.
    mutating func update(from page: ResultPage) -> Bool {
        let fresh = Listing.unique(page.items)
        guard !fresh.isEmpty, items.count >= fresh.count, zip(items, fresh).allSatisfy({ $0.key == $1.key }) else {
            return false
        }
        // Items without renditions were stored without an address and cannot be shown. It is better to load the later
        // pages again, which provides the addresses.
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
    /// The first page is neither loaded nor requested: the listing is new, or the user switched to another feed or
    /// query before the first page arrived.
    case abandoned
    /// The query to the services starts at this time, unless the user switches to another feed or query earlier.
    case due(at: Instant)
    /// The first page is loading.
    case first(ticket: Int, trigger: Trigger)
    /// Nothing is loading. `Listing.next` is nil if there are no more pages.
    case idle
    /// The next page is loading. `emptyPages` is the number of consecutive pages without new items directly before it.
    case more(ticket: Int, emptyPages: Int)
    /// The query for `page` failed at the time `since`. If `page` is nil, it was the query for the first page.
    case failed(CatalogError, page: PageToken?, since: Instant)

    /// The reason why the first page is loaded. It determines how the page is shown.
    enum Trigger: Equatable, Sendable {
        /// gifplay loads the page without a request by the user. The page is held back if it would move the items that
        /// the user is looking at.
        case background
        /// The user requested the page. It is shown at once, and the gallery scrolls to the top.
        case userRequest
    }

    var deadline: Instant? {
        if case .due(let moment) = self { moment } else { nil }
    }

    /// The ticket of the current load; nil if nothing is loading.
    var ticket: Int? {
        switch self {
        case .first(let ticket, _), .more(let ticket, _): ticket
        default: nil
        }
    }
}

/// The listings that the user left recently, in the order in which the user left them.
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
