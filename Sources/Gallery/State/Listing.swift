import Base
import Catalog

/// A feed as far as it is known, and where the user is in it.
struct Listing: Equatable, Sendable {
    var feed: Feed
    /// In the services' order, each once, those dismissed among them.
    private(set) var items: [GIFReference] = []
    private(set) var keys: Set<GIFKey> = []
    /// Goes up with every change of the items.
    private(set) var revision = 0
    var next: PageToken?
    var total: Int?
    /// What the services are asked.
    var loading = Loading.abandoned
    /// What the store was asked with, until it answers.
    var recall: Int?
    var origin = Origin.none
    /// A newer first page, held back because the user is in the middle of the older ones.
    var fresh: ResultPage?
    var selection: Selection?
    var columns = Columns()

    init(_ feed: Feed) {
        self.feed = feed
    }

    /// Where the items are from.
    enum Origin: Equatable, Sendable {
        case none
        /// Kept at this time, in seconds since 1970.
        case store(seconds: Int)
        case services(at: Instant, passedOver: [SourceFailure])
    }

    /// The selected GIF, and the row of the gallery at which its tile begins; the scroll position follows from it.
    struct Selection: Equatable, Sendable {
        var key: GIFKey
        var row: Int
    }

    /// Puts these in place of all.
    mutating func replace(by items: [GIFReference]) {
        self.items = []
        keys = []
        revision += 1
        append(items)
        columns = Columns()
    }

    /// - Returns: how many were not there before.
    @discardableResult
    mutating func append(_ more: [GIFReference]) -> Int {
        let before = items.count
        for item in more where keys.insert(item.key).inserted { items.append(item) }
        revision += 1
        return items.count - before
    }

    /// Takes in a page that begins as the listing does already, so that nothing moves.
    /// - Returns: false where it differs; then nothing changed.
    mutating func renew(by page: ResultPage) -> Bool {
        let fresh = Listing.unique(page.items)
        guard !fresh.isEmpty, items.count >= fresh.count, zip(items, fresh).allSatisfy({ $0.key == $1.key }) else {
            return false
        }
        // What the store kept without an address shows nothing: the pages behind are better asked for.
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

/// What is under way for a listing at the services.
enum Loading: Equatable, Sendable {
    /// The user turned to something else before the first page was there.
    case abandoned
    /// The services are asked at this time, unless the user has gone on.
    case due(at: Instant)
    /// The first page.
    case first(ticket: Int, manner: Manner)
    /// Nothing; `Listing.next` says whether there is more.
    case resting
    /// The next page; so many before it brought nothing new.
    case more(ticket: Int, barren: Int)
    /// The query for this page failed at this time; nil is the first page.
    case failed(CatalogError, page: PageToken?, since: Instant)

    /// How the first page takes its place.
    enum Manner: Equatable, Sendable {
        /// Beneath the user: it waits where it would move what is being looked at.
        case quiet
        /// The user asked for it: at once, from the top.
        case wanted
    }

    var deadline: Instant? {
        if case .due(let moment) = self { moment } else { nil }
    }

    /// What the services were asked with.
    var ticket: Int? {
        switch self {
        case .first(let ticket, _), .more(let ticket, _): ticket
        default: nil
        }
    }
}

/// The listings that were left a short while ago, the latest last.
struct ParkedListings: Equatable, Sendable {
    private var listings: [Listing] = []

    static let most = 8

    mutating func park(_ listing: Listing) {
        listings.removeAll { $0.feed == listing.feed }
        listings.append(listing)
        if listings.count > Self.most { listings.removeFirst() }
    }

    subscript(feed: Feed) -> Listing? { listings.first { $0.feed == feed } }

    mutating func take(_ feed: Feed) -> Listing? {
        guard let index = listings.firstIndex(where: { $0.feed == feed }) else { return nil }
        return listings.remove(at: index)
    }
}
