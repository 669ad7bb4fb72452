import Base
import Catalog

extension GalleryState {
    /// The delay between the Tab key and the query of the new feed. It avoids a query for each feed if the user presses
    /// Tab several times.
    static let feedQueryDelay = 300 * Span.millisecond
    /// The maximum age of a listing. When the user returns to a feed with an older listing, the feed is queried again.
    static let maxListingAge = 300 * Span.second

    /// The feeds that Tab switches between: the typed query, the feeds of the options and the current feed.
    var feeds: [Feed] {
        var feeds = options.feeds
        if !field.query.isEmpty { feeds.insert(.search(query: field.query), at: 0) }
        if !feeds.contains(listing.feed) { feeds.append(listing.feed) }
        return feeds
    }

    /// The feed for the content of the search field. If the field contains a query, this is the search for the query.
    /// If the field is empty, it is the current feed, or the home feed if the current feed is a search.
    var targetFeed: Feed {
        let query = field.query
        guard query.isEmpty else { return .search(query: query) }
        return listing.feed.isSearch ? Self.home(options) : listing.feed
    }

    /// Handles a change of the query. If the current listing already belongs to the new query, only discards the
    /// scheduled search. Otherwise cancels the running load and schedules a search.
    mutating func queryChanged() -> [GalleryEffect] {
        if targetFeed == listing.feed, listing.loading != .abandoned {
            searchSchedule = .unscheduled
            return []
        }
        searchSchedule = pause.map { .due(at: now + $0) } ?? .unscheduled
        return abandon()
    }

    /// Begins a new query with a letter that was typed in the gallery.
    mutating func beginSearch(_ letter: Character) -> [GalleryEffect] {
        mode = .typing
        field = SearchField(String(letter))
        return queryChanged()
    }

    /// The minimum length of a query that is searched without Enter.
    private static let minQueryLength = 3

    /// How long typing must pause before the query is searched; nil if the query is so short that it is searched only
    /// when the user presses Enter.
    private var pause: Int64? {
        switch field.query.count {
        case 0: options.debounce
        case ..<Self.minQueryLength: nil
        case ..<(2 * Self.minQueryLength): options.shortDebounce
        default: options.debounce
        }
    }

    mutating func searchNow() -> [GalleryEffect] {
        searchSchedule = .unscheduled
        return switchFeed(to: targetFeed, queryingAt: now)
    }

    mutating func searchSuggestion(_ digit: Character) -> [GalleryEffect] {
        guard case .noResults(let suggestions) = phase, let number = digit.wholeNumberValue,
            suggestions.indices.contains(number - 1)
        else { return [] }
        field = SearchField(suggestions[number - 1])
        return searchNow()
    }

    mutating func changeFeed(by distance: Int) -> [GalleryEffect] {
        let feeds = feeds
        guard let index = feeds.firstIndex(of: listing.feed) else { return [] }
        let feed = feeds[(index + distance + feeds.count) % feeds.count]
        return switchFeed(to: feed, queryingAt: now + Self.feedQueryDelay)
    }

    /// Switches to another feed. If the user left its listing recently, shows this listing unchanged, and queries the
    /// feed at `moment` only if the listing is outdated. Otherwise, reads the listing from the store and queries the
    /// feed at `moment`.
    mutating func switchFeed(to feed: Feed, queryingAt moment: Instant) -> [GalleryEffect] {
        searchSchedule = .unscheduled
        guard feed != listing.feed else {
            return listing.loading == .abandoned ? startLoading(queryingAt: moment) : []
        }
        let effects = abandon()
        parked.park(listing)
        listing = parked.take(feed) ?? Listing(feed)
        return effects + (isStale ? startLoading(queryingAt: moment) : [])
    }

    private var isStale: Bool {
        if listing.feed.isLocal || listing.loading == .abandoned { return true }
        guard case .services(let moment, _) = listing.origin else { return true }
        return now - moment > Self.maxListingAge
    }

    /// Reads the listing from the store if no part of it is loaded yet or if the feed is local. Queries the services at
    /// `moment` unless the feed is local.
    mutating func startLoading(queryingAt moment: Instant) -> [GalleryEffect] {
        let effects = listing.origin == .none || listing.feed.isLocal ? loadStored() : []
        if listing.feed.isLocal {
            listing.loading = .idle
        } else if moment > now {
            listing.loading = .due(at: moment)
        } else {
            return effects + loadFirstPage(.background)
        }
        return effects
    }

    private mutating func loadStored() -> [GalleryEffect] {
        let ticket = newTicket()
        listing.storeTicket = ticket
        return [.loadStored(listing.feed, ticket: ticket)]
    }

    /// Queries the services for the first page.
    mutating func loadFirstPage(_ trigger: LoadingState.Trigger, isRetry: Bool = false) -> [GalleryEffect] {
        let ticket = newTicket()
        listing.loading = .first(ticket: ticket, trigger: trigger)
        return [.load(listing.feed, page: nil, ticket: ticket, isRetry: isRetry)]
    }

    /// Cancels the pending requests of the listing.
    mutating func abandon() -> [GalleryEffect] {
        let ticket = listing.loading.ticket
        listing.storeTicket = nil
        switch listing.loading {
        case .due, .first: listing.loading = .abandoned
        case .more: listing.loading = .idle
        case .abandoned, .idle, .failed: break
        }
        return ticket.map { [.cancel(ticket: $0)] } ?? []
    }

    /// Refreshes the listing. If page 1 has arrived but is held back, shows it. Otherwise, retries a later page
    /// that failed, or loads the first page again.
    mutating func refresh() -> [GalleryEffect] {
        facts.failures = [:]
        if let fresh = listing.newFirstPage {
            show(fresh)
            return []
        }
        if case .failed(_, .some(let page), _) = listing.loading { return loadMore(page, emptyPages: 0, isRetry: true) }
        searchSchedule = .unscheduled
        let isRetry = offersRetry
        let effects = abandon()
        if listing.feed.isLocal { return effects + startLoading(queryingAt: now) }
        return effects + loadFirstPage(.userRequest, isRetry: isRetry)
    }

    /// Whether the screen offers to try again.
    var offersRetry: Bool {
        switch phase {
        case .failed, .offline: true
        case .empty: listing.items.isEmpty && !listing.feed.isLocal
        default: false
        }
    }

    mutating func loadMore(_ page: PageToken, emptyPages: Int, isRetry: Bool = false) -> [GalleryEffect] {
        let ticket = newTicket()
        listing.loading = .more(ticket: ticket, emptyPages: emptyPages)
        return [.load(listing.feed, page: page, ticket: ticket, isRetry: isRetry)]
    }
}
