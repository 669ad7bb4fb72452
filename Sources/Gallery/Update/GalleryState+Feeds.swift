import Base
import Catalog

extension GalleryState {
    /// The delay between the Tab key and the query for the new feed. If the user presses Tab several times in quick
    /// succession, gifplay queries only the last feed.
    static let feedQueryDelay = 300 * Span.millisecond

    /// The feed that the line of feeds names. A query that is being typed does not change that line.
    var namedFeed: Feed { search.base ?? listing.feed }

    var feeds: [Feed] { search.feeds(with: namedFeed, options) }

    var targetFeed: Feed { search.target(from: namedFeed, options) }

    /// Shows at once what this machine has for the changed query. The services get it after a pause.
    mutating func queryChanged() -> [GalleryEffect] {
        let effects = search.suggestions.queryChanged(to: search.query, at: search.isPasted ? nil : now)
        let (base, target) = (namedFeed, targetFeed)
        let moment = target.isOfFiles && !target.isLink ? now : search.requestTime(at: now, options)
        defer { search.base = target == base ? nil : base }
        return effects + switchFeed(to: target, queryingAt: moment)
    }

    /// The current feed if it has nothing to look at and no command to change that.
    var emptyFeed: Feed? {
        guard grid.items.isEmpty || grid.showsSubstitutes, listing.items.isEmpty else { return nil }
        return switch phase {
        case .noResults, .empty: listing.feed
        default: nil
        }
    }

    /// The old query is selected, so that the first letter replaces it.
    mutating func focusField() {
        mode = .typing
        search.selectText()
    }

    /// The suggestions below the search field: other spellings of a query that found nothing, or else completions.
    var suggestedQueries: [String] {
        if case .search(let query) = listing.feed, listing.hasFoundNothing, targetFeed == listing.feed {
            let others = Listing.suggestions(for: query)
            let without = parked.queriesWithoutResults.union([query.lowercased()])
            let earlier = earlier.queries.filter { !others.contains($0) }
            return Array((others + earlier).filter { !without.contains($0.lowercased()) }.prefix(Suggestions.maxCount))
        }
        return search.suggestions.queries
    }

    var chosenQuery: String? {
        let queries = suggestedQueries
        return search.suggestions.chosenIndex.flatMap { queries.indices.contains($0) ? queries[$0] : nil }
    }

    mutating func searchSuggestion(_ query: String) -> [GalleryEffect] {
        mode = .browsing
        search.replaceText(by: query)
        return searchNow()
    }

    /// Inserts pasted text in the search field. In the gallery, the text begins a new query, which Enter sends. A file that
    /// the user drops on the window opens at once, because nothing of its path leaves this machine. In the large view and
    /// in the help, a paste has no effect, because pasted letters must not act as commands.
    mutating func paste(_ text: String) -> [GalleryEffect] {
        switch mode {
        case .typing: return search.paste(text) ? queryChanged() : []
        case .browsing:
            guard !SafeText.line(text).isEmpty else { return [] }
            mode = .typing
            search.replaceText(by: "")
            guard search.paste(text) else { return [] }
            guard targetFeed.isLink, case .files(let paths) = TypedAddress(search.query),
                paths.allSatisfy({ FileIdentity(path: $0) != nil })
            else { return queryChanged() }
            mode = .browsing
            return searchNow()
        case .full, .help: return []
        }
    }

    mutating func searchNow() -> [GalleryEffect] {
        hasChosenFeed = false
        let effects = switchFeed(to: targetFeed, queryingAt: now)
        opensLink = listing.feed.isLink
        return effects
    }

    mutating func changeFeed(by distance: Int) -> [GalleryEffect] {
        let feeds = feeds
        guard let index = feeds.firstIndex(of: namedFeed) else { return [] }
        let feed = feeds[(index + distance + feeds.count) % feeds.count]
        hasChosenFeed = true
        return switchFeed(to: feed, queryingAt: now + Self.feedQueryDelay)
    }

    /// Switches to another feed. If ``parked`` contains the feed's listing, shows this listing, and queries the feed at
    /// `moment` only if the listing is outdated. Otherwise, reads the store and queries the feed.
    /// - Parameter moment: nil if only a key queries the services.
    mutating func switchFeed(to feed: Feed, queryingAt moment: Instant?) -> [GalleryEffect] {
        guard feed != listing.feed else {
            return listing.loading == .abandoned
                ? startLoading(at: moment) : listing.ask(at: moment, now: now, &tickets)
        }
        if previousGrid == nil, !grid.items.isEmpty, !grid.showsSubstitutes { previousGrid = grid }
        // A listing that was displayed only while the user typed on is not worth a place.
        let isPassing = search.base != nil || listing.feed.isOfFiles && listing.feed != homeFeed
        search.base = nil
        let effects = listing.abandon()
        if !isPassing { parked.park(listing, at: grid.selection) }
        opensLink = false
        let known = parked.take(feed)
        listing = known?.listing ?? Listing(feed)
        grid.selection = known?.selection
        return effects + (listing.isStale(at: now) ? startLoading(at: moment) : [])
    }

    mutating func startLoading(at moment: Instant?) -> [GalleryEffect] { listing.start(at: moment, now: now, &tickets) }

    /// Handles an answer of the services. Ignores an answer with an outdated ticket.
    mutating func handlePage(_ ticket: Int, _ result: Result<ResultPage, Failure>) -> [GalleryEffect] {
        guard ticket == listing.loading.ticket else { return [] }
        defer { listing.updateConnection() }
        // Clear the failures of tiles, so that the files are requested again: of all tiles if there was no connection,
        // otherwise of GIFs in the page. The store does not keep the file addresses of some GIFs, but the page has them.
        for key in facts.unaddressed { facts.failures[key] = .noAddress }
        facts.unaddressed = []
        if case .success(let page) = result {
            if listing.lacksConnection, !page.isLocal { facts.clearFailures() }
            facts.clearFailures(of: page.items)
        }
        if case .more = listing.loading { return listing.receiveNextPage(result, at: now, &tickets) }
        let holdsBack = !grid.items.isEmpty && (mode.isFull || !grid.isAtTop)
        let before = listing.keys
        let isReplaced = listing.receiveFirstPage(result, holdsBack: holdsBack, at: now)
        if isReplaced, listing.feed.isOfFiles, listing.next == nil {
            marked.removeAll { before.contains($0.key) && !listing.keys.contains($0.key) }
        }
        // A refreshed folder contains almost the same files as before. Elsewhere, new GIFs are at the top.
        if isReplaced, isSorting || grid.isAtTop && !listing.feed.isOfFiles { grid.selection = nil }
        isSorting = false
        return []
    }

    /// Refreshes the listing: shows the newer first page if one is waiting, or else retries the next page if its query
    /// failed, or else loads the first page again.
    mutating func refresh() -> [GalleryEffect] {
        if listing.mayNotAskYet(at: now) { return refuse(.askedRecently) }
        facts.clearFailures()
        if listing.showNewFirstPage(at: now) {
            grid.selection = nil
            return []
        }
        if let effects = listing.retryNextPage(&tickets) { return effects }
        let isRetry = offersRetry || listing.feed.isOfFiles
        return listing.reload(isRetry: isRetry, at: now, &tickets)
    }

    /// The time at which the gallery queries the services again by itself; nil if there is a connection.
    var retryTime: Instant? { options.isOffline ? nil : listing.retryTime }

    var offersRetry: Bool {
        switch phase {
        case .failed, .offline: true
        case .empty: listing.items.isEmpty && !listing.feed.isLocal
        default: listing.hasFailedSources
        }
    }
}

/// The listings that the user left recently, in the order in which the user left them.
struct ParkedListings: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        var listing: Listing
        var selection: GalleryGrid.Selection?
    }

    private var entries: [Entry] = []

    static let maxCount = 8

    mutating func park(_ listing: Listing, at selection: GalleryGrid.Selection?) {
        entries.removeAll { $0.listing.feed == listing.feed }
        entries.append(Entry(listing: listing, selection: selection))
        if entries.count > Self.maxCount { entries.removeFirst() }
    }

    /// In lower case.
    var queriesWithoutResults: Set<String> {
        Set(
            entries.lazy.map(\.listing).compactMap { listing in
                guard case .search(let query) = listing.feed, listing.items.isEmpty else { return nil }
                return listing.loading == .idle ? query.lowercased() : nil
            })
    }

    mutating func take(_ feed: Feed) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.listing.feed == feed }) else { return nil }
        return entries.remove(at: index)
    }
}
