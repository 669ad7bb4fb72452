import Catalog

extension GalleryState {
    /// Handles an answer of the services. Ignores an answer with an outdated ticket.
    mutating func handlePage(_ ticket: Int, _ result: Result<ResultPage, CatalogError>) -> [GalleryEffect] {
        guard ticket == listing.loading.ticket else { return [] }
        // The store does not keep the file addresses of some GIFs, so their tiles have failed. The page contains the
        // addresses. Clear the failures, so that the files are requested again.
        if case .success(let page) = result { facts.clearFailures(of: page.items) }
        if case .more = listing.loading { return listing.receiveNextPage(result, at: now, &tickets) }
        let holdsBack = !grid.items.isEmpty && (mode.isFull || !grid.isAtTop)
        if listing.receiveFirstPage(result, holdsBack: holdsBack, at: now) { scrollToTop() }
        return []
    }

    private mutating func scrollToTop() { grid.move(to: GalleryGrid.Position()) }

    /// Refreshes the listing: shows the newer first page if one is waiting, or else retries the next page if its query
    /// failed, or else loads the first page again.
    mutating func refresh() -> [GalleryEffect] {
        facts.clearFailures()
        if listing.showNewFirstPage(at: now) {
            scrollToTop()
            return []
        }
        if let effects = listing.retryNextPage(&tickets) { return effects }
        search.unschedule()
        let isRetry = offersRetry
        return listing.reload(isRetry: isRetry, at: now, &tickets)
    }

    /// Whether the screen offers a retry.
    var offersRetry: Bool {
        switch phase {
        case .failed, .offline: true
        case .empty: listing.items.isEmpty && !listing.feed.isLocal
        default: false
        }
    }
}
