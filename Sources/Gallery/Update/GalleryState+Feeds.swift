import Base
import Catalog

extension GalleryState {
    /// How long Tab waits before it queries a feed, so that passing through the feeds does not query each of them.
    static let feedRest = 300 * Span.millisecond
    /// A feed that the user returns to is queried again if its items are older than this.
    static let freshness = 300 * Span.second

    /// The feeds that Tab switches between: the typed query, the feeds of the options and the current feed.
    var feeds: [Feed] {
        var feeds = options.feeds
        if !field.words.isEmpty { feeds.insert(.search(words: field.words), at: 0) }
        if !feeds.contains(listing.feed) { feeds.append(listing.feed) }
        return feeds
    }

    /// The feed for the content of the search field. If the field is empty, the home feed in place of a search, or else
    /// the current feed.
    var sought: Feed {
        let words = field.words
        guard words.isEmpty else { return .search(words: words) }
        return listing.feed.isSearch ? Self.home(options) : listing.feed
    }

    /// Handles a change of the query: schedules its search and cancels the running load at once, unless the current
    /// listing is already the one for the new query.
    mutating func wordsChanged() -> [GalleryEffect] {
        if sought == listing.feed, listing.loading != .abandoned {
            typing = .settled
            return []
        }
        typing = pause.map { .due(at: now + $0) } ?? .settled
        return abandon()
    }

    /// Begins a new query with a letter that was typed in the gallery.
    mutating func beginSearch(_ letter: Character) -> [GalleryEffect] {
        mode = .typing
        field = SearchField(String(letter))
        return wordsChanged()
    }

    /// The minimum length of a query that is searched without Enter.
    private static let fewestCharacters = 3

    /// How long typing must pause before the query is searched; nil if it is so short that only Enter searches it.
    private var pause: Int64? {
        switch field.words.count {
        case 0: options.debounce
        case ..<Self.fewestCharacters: nil
        case ..<(2 * Self.fewestCharacters): options.shortDebounce
        default: options.debounce
        }
    }

    mutating func searchAtOnce() -> [GalleryEffect] {
        typing = .settled
        return turn(to: sought, asking: now)
    }

    mutating func searchSuggestion(_ digit: Character) -> [GalleryEffect] {
        guard case .noResults(let suggestions) = phase, let number = digit.wholeNumberValue,
            suggestions.indices.contains(number - 1)
        else { return [] }
        field = SearchField(suggestions[number - 1])
        return searchAtOnce()
    }

    mutating func changeFeed(by distance: Int) -> [GalleryEffect] {
        let feeds = feeds
        guard let index = feeds.firstIndex(of: listing.feed) else { return [] }
        return turn(to: feeds[(index + distance + feeds.count) % feeds.count], asking: now + Self.feedRest)
    }

    /// Switches to another feed. A listing that the user left recently is shown as it was, and queried at `moment` only
    /// if it is outdated. Any other listing is read from the store and then queried at `moment`.
    mutating func turn(to feed: Feed, asking moment: Instant) -> [GalleryEffect] {
        typing = .settled
        guard feed != listing.feed else {
            return listing.loading == .abandoned ? begin(asking: moment) : []
        }
        let given = abandon()
        parked.park(listing)
        listing = parked.take(feed) ?? Listing(feed)
        return given + (isStale ? begin(asking: moment) : [])
    }

    private var isStale: Bool {
        if listing.feed.isLocal || listing.loading == .abandoned { return true }
        guard case .services(let moment, _) = listing.origin else { return true }
        return now - moment > Self.freshness
    }

    /// Reads the listing from the store if nothing of it is loaded or the feed is local. Queries the services at
    /// `moment` unless the feed is local.
    mutating func begin(asking moment: Instant) -> [GalleryEffect] {
        let effects = listing.origin == .none || listing.feed.isLocal ? recall() : []
        if listing.feed.isLocal {
            listing.loading = .resting
        } else if moment > now {
            listing.loading = .due(at: moment)
        } else {
            return effects + ask(.quiet)
        }
        return effects
    }

    private mutating func recall() -> [GalleryEffect] {
        let ticket = newTicket()
        listing.recall = ticket
        return [.recall(listing.feed, ticket: ticket)]
    }

    /// Queries the services for the first page.
    mutating func ask(_ manner: Loading.Manner, isRetry: Bool = false) -> [GalleryEffect] {
        let ticket = newTicket()
        listing.loading = .first(ticket: ticket, manner: manner)
        return [.load(listing.feed, page: nil, ticket: ticket, isRetry: isRetry)]
    }

    /// Cancels the pending requests of the listing.
    mutating func abandon() -> [GalleryEffect] {
        let ticket = listing.loading.ticket
        listing.recall = nil
        switch listing.loading {
        case .due, .first: listing.loading = .abandoned
        case .more: listing.loading = .resting
        case .abandoned, .resting, .failed: break
        }
        return ticket.map { [.cancel(ticket: $0)] } ?? []
    }

    /// Refreshes the listing: shows the page that is held back, retries a later page that failed, or loads the first
    /// page again.
    mutating func refresh() -> [GalleryEffect] {
        knowledge.failures = [:]
        if let fresh = listing.fresh {
            show(fresh)
            return []
        }
        if case .failed(_, .some(let page), _) = listing.loading { return askMore(page, barren: 0, isRetry: true) }
        typing = .settled
        let isRetry = offersRetry
        let given = abandon()
        return listing.feed.isLocal ? given + begin(asking: now) : given + ask(.wanted, isRetry: isRetry)
    }

    /// Whether the screen offers to try again.
    var offersRetry: Bool {
        switch phase {
        case .failed, .offline: true
        case .empty: listing.items.isEmpty && !listing.feed.isLocal
        default: false
        }
    }

    mutating func askMore(_ page: PageToken, barren: Int, isRetry: Bool = false) -> [GalleryEffect] {
        let ticket = newTicket()
        listing.loading = .more(ticket: ticket, barren: barren)
        return [.load(listing.feed, page: page, ticket: ticket, isRetry: isRetry)]
    }
}
