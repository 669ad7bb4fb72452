import Base
import Catalog

/// Handles the answers of the services and the store. Answers with an outdated ticket are ignored.
extension GalleryState {
    /// The number of consecutive pages without new items after which the listing is treated as complete.
    static let emptyPageLimit = 3

    mutating func handlePage(_ ticket: Int, _ result: Result<ResultPage, CatalogError>) -> [GalleryEffect] {
        guard ticket == listing.loading.ticket else { return [] }
        // The store does not hold addresses of files from some sources, so the tiles of these GIFs failed. The page
        // contains the addresses, so the tiles can be tried again.
        if case .success(let page) = result { for item in page.items { facts.failures[item.key] = nil } }
        switch (listing.loading, result) {
        case (.first(_, let trigger), .success(let page)): handleFirstPage(page, trigger)
        case (.first(_, let trigger), .failure(let error)) where error.meansNothingFound:
            handleFirstPage(ResultPage(items: []), trigger)
        case (.first, .failure(let error)): listing.loading = .failed(error, page: nil, since: now)
        case (.more(_, let emptyPages), .success(let page)): return handleNextPage(page, emptyPages)
        case (.more, .failure(let error)):
            if error.meansNothingFound { listing.next = nil }
            listing.loading = error.meansNothingFound ? .idle : .failed(error, page: listing.next, since: now)
        default: break
        }
        return []
    }

    private mutating func handleFirstPage(_ page: ResultPage, _ trigger: LoadingState.Trigger) {
        if page.isSampleFallback, listing.items.contains(where: { $0.cachePolicy != .embedded }) {
            listing.loading = .failed(.exhausted(page.sourceFailures), page: nil, since: now)
            return
        }
        if trigger == .background, wouldMoveVisibleItems {
            if listing.update(from: page) {
                setOrigin(page)
            } else {
                listing.newFirstPage = page
                listing.loading = .idle
            }
        } else if !listing.update(from: page) || trigger == .userRequest {
            show(page)
        } else {
            setOrigin(page)
        }
    }

    /// Whether a new first page would move the items that the user is looking at.
    private var wouldMoveVisibleItems: Bool {
        !items.isEmpty && (mode.isFull || scroll > 0 || listing.selection?.key != items.first?.key)
    }

    /// Replaces the listing by a first page and scrolls to the top.
    mutating func show(_ page: ResultPage) {
        listing.replace(by: page.items)
        listing.next = page.next
        listing.total = page.total
        listing.selection = nil
        setOrigin(page)
    }

    private mutating func setOrigin(_ page: ResultPage) {
        listing.origin = .services(at: now, sourceFailures: page.sourceFailures)
        listing.newFirstPage = nil
        listing.loading = .idle
    }

    private mutating func handleNextPage(_ page: ResultPage, _ emptyPages: Int) -> [GalleryEffect] {
        let added = listing.append(page.items)
        listing.next = page.next
        listing.total = page.total ?? listing.total
        listing.loading = .idle
        guard added == 0, let next = page.next else { return [] }
        guard emptyPages + 1 < Self.emptyPageLimit else {
            listing.next = nil
            return []
        }
        return loadMore(next, emptyPages: emptyPages + 1)
    }

    /// Shows the stored listing until the services answer. If no service answers, the stored listing stays.
    mutating func handleStoredListing(_ ticket: Int, _ stored: StoredListing?) -> [GalleryEffect] {
        guard ticket == listing.storeTicket else { return [] }
        listing.storeTicket = nil
        if listing.feed.isLocal {
            show(stored ?? StoredListing(items: [], seconds: seconds))
        } else if let stored, !stored.items.isEmpty {
            switch listing.origin {
            case .none, .store: show(stored)
            case .services(let moment, let sourceFailures):
                guard listing.isSampleFallback else { return [] }
                show(stored)
                listing.loading = .failed(.exhausted(sourceFailures), page: nil, since: moment)
            }
        }
        return []
    }

    /// Replaces the listing by a stored one. Keeps the selection, because the stored listing may also contain the
    /// selected GIF.
    private mutating func show(_ stored: StoredListing) {
        listing.replace(by: stored.items)
        listing.next = stored.next
        listing.total = stored.total
        listing.origin = .store(seconds: stored.seconds)
    }

    mutating func handleRandomItem(_ ticket: Int, _ result: Result<GIFReference, CatalogError>) {
        guard case .loading(ticket, let shown) = screensaver else { return }
        let nextSwitch = now + options.switchInterval
        switch result {
        case .success(let reference): screensaver = .showing(reference, until: nextSwitch)
        case .failure:
            // Try again after the usual interval. During this time, the previous GIF keeps playing if there is one.
            screensaver = shown.map { .showing($0, until: nextSwitch) } ?? .due(at: nextSwitch)
        }
    }
}

extension ResultPage {
    /// Whether the page contains only built-in samples, because no service answered. A stored listing is better than
    /// such a page.
    fileprivate var isSampleFallback: Bool {
        !sourceFailures.isEmpty && items.allSatisfy { $0.cachePolicy == .embedded }
    }
}

extension Listing {
    /// Whether the listing contains only built-in samples, because no service answered.
    var isSampleFallback: Bool {
        guard case .services(_, let sourceFailures) = origin, !sourceFailures.isEmpty else { return false }
        return items.allSatisfy { $0.cachePolicy == .embedded }
    }
}
