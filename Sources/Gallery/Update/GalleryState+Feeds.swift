import Base
import Catalog

extension GalleryState {
    /// The delay between the Tab key and the query for the new feed. If the user presses Tab several times in quick
    /// succession, gifplay queries only the last feed.
    static let feedQueryDelay = 300 * Span.millisecond

    /// The feeds that Tab switches between.
    var feeds: [Feed] { search.feeds(with: listing.feed, options) }

    /// The feed for the content of the search field.
    var targetFeed: Feed { search.target(from: listing.feed, options) }

    /// Handles a change of the query. If the current listing already belongs to the new query, only discards the
    /// scheduled search. Otherwise cancels the running load and schedules a search.
    mutating func queryChanged() -> [GalleryEffect] {
        if targetFeed == listing.feed, listing.loading != .abandoned {
            search.unschedule()
            return []
        }
        search.schedule(at: now, options)
        return listing.abandon()
    }

    /// Begins a new query with a letter that was typed in the gallery.
    mutating func beginSearch(_ letter: Character) -> [GalleryEffect] {
        mode = .typing
        search.replaceText(by: String(letter))
        return queryChanged()
    }

    /// Inserts pasted text in the search field. In the gallery, the text begins a new query. In the full view and in
    /// the help, a paste has no effect, because pasted letters must not act as commands.
    mutating func paste(_ text: String) -> [GalleryEffect] {
        switch mode {
        case .typing: return search.insert(text) ? queryChanged() : []
        case .browsing:
            let line = SafeText.line(text)
            guard !line.isEmpty else { return [] }
            mode = .typing
            search.replaceText(by: line)
            return queryChanged()
        case .full, .help: return []
        }
    }

    mutating func searchNow() -> [GalleryEffect] {
        search.unschedule()
        return switchFeed(to: targetFeed, queryingAt: now)
    }

    mutating func searchSuggestion(_ digit: Character) -> [GalleryEffect] {
        guard case .noResults(let suggestions) = phase, let number = digit.wholeNumberValue,
            suggestions.indices.contains(number - 1)
        else { return [] }
        search.replaceText(by: suggestions[number - 1])
        return searchNow()
    }

    mutating func changeFeed(by distance: Int) -> [GalleryEffect] {
        let feeds = feeds
        guard let index = feeds.firstIndex(of: listing.feed) else { return [] }
        let feed = feeds[(index + distance + feeds.count) % feeds.count]
        return switchFeed(to: feed, queryingAt: now + Self.feedQueryDelay)
    }

    /// Switches to another feed. If ``parked`` contains the feed's listing, shows this listing, and queries the feed at
    /// `moment` only if the listing is outdated. Otherwise, reads the listing from the store and queries the feed at
    /// `moment`.
    mutating func switchFeed(to feed: Feed, queryingAt moment: Instant) -> [GalleryEffect] {
        search.unschedule()
        guard feed != listing.feed else {
            return listing.loading == .abandoned ? startLoading(at: moment) : []
        }
        let effects = listing.abandon()
        parked.park(listing, at: grid.position)
        let known = parked.take(feed)
        listing = known?.listing ?? Listing(feed)
        grid.move(to: known?.position ?? GalleryGrid.Position())
        return effects + (listing.isStale(at: now) ? startLoading(at: moment) : [])
    }

    mutating func startLoading(at moment: Instant) -> [GalleryEffect] {
        listing.start(at: moment, now: now, &tickets)
    }
}
