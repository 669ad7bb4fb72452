import Base
import Catalog

/// Handles the answers of the services and the store. Answers with an outdated ticket are ignored.
extension GalleryState {
    /// After this many pages in a row without new items, the listing is treated as complete.
    static let mostBarren = 3

    mutating func loaded(_ ticket: Int, _ result: Result<ResultPage, CatalogError>) -> [GalleryEffect] {
        guard ticket == listing.loading.ticket else { return [] }
        // The store does not hold the addresses of some sources, so their tiles failed. The page has the addresses.
        if case .success(let page) = result { for item in page.items { knowledge.failures[item.key] = nil } }
        switch (listing.loading, result) {
        case (.first(_, let manner), .success(let page)): takeFirst(page, manner)
        case (.first(_, let manner), .failure(let error)) where error.saysNothing:
            takeFirst(ResultPage(items: []), manner)
        case (.first, .failure(let error)): listing.loading = .failed(error, page: nil, since: now)
        case (.more(_, let barren), .success(let page)): return takeMore(page, barren)
        case (.more, .failure(let error)):
            if error.saysNothing { listing.next = nil }
            listing.loading = error.saysNothing ? .resting : .failed(error, page: listing.next, since: now)
        default: break
        }
        return []
    }

    private mutating func takeFirst(_ page: ResultPage, _ manner: Loading.Manner) {
        if page.isMakeshift, listing.items.contains(where: { $0.cachePolicy != .embedded }) {
            listing.loading = .failed(.exhausted(page.passedOver), page: nil, since: now)
            return
        }
        if manner == .quiet, isInTheMiddle {
            if listing.renew(by: page) {
                settleOrigin(page)
            } else {
                listing.fresh = page
                listing.loading = .resting
            }
        } else if !listing.renew(by: page) || manner == .wanted {
            show(page)
        } else {
            settleOrigin(page)
        }
    }

    /// Whether a new first page would move the items that the user is looking at.
    private var isInTheMiddle: Bool {
        !items.isEmpty && (mode.isFull || scroll > 0 || listing.selection?.key != items.first?.key)
    }

    /// Replaces the listing by a first page and goes to the top.
    mutating func show(_ page: ResultPage) {
        listing.replace(by: page.items)
        listing.next = page.next
        listing.total = page.total
        listing.selection = nil
        settleOrigin(page)
    }

    private mutating func settleOrigin(_ page: ResultPage) {
        listing.origin = .services(at: now, passedOver: page.passedOver)
        listing.fresh = nil
        listing.loading = .resting
    }

    private mutating func takeMore(_ page: ResultPage, _ barren: Int) -> [GalleryEffect] {
        let added = listing.append(page.items)
        listing.next = page.next
        listing.total = page.total ?? listing.total
        listing.loading = .resting
        guard added == 0, let next = page.next else { return [] }
        guard barren + 1 < Self.mostBarren else {
            listing.next = nil
            return []
        }
        return askMore(next, barren: barren + 1)
    }

    /// Shows the stored listing until the services have answered, and keeps showing it if they cannot answer.
    mutating func recalled(_ ticket: Int, _ kept: KeptListing?) -> [GalleryEffect] {
        guard ticket == listing.recall else { return [] }
        listing.recall = nil
        if listing.feed.isLocal {
            show(kept ?? KeptListing(items: [], seconds: seconds))
        } else if let kept, !kept.items.isEmpty {
            switch listing.origin {
            case .none, .store: show(kept)
            case .services(let moment, let passedOver):
                guard listing.isMakeshift else { return [] }
                show(kept)
                listing.loading = .failed(.exhausted(passedOver), page: nil, since: moment)
            }
        }
        return []
    }

    /// Keeps the selection, because its GIF may be in the stored listing too.
    private mutating func show(_ kept: KeptListing) {
        listing.replace(by: kept.items)
        listing.next = kept.next
        listing.total = kept.total
        listing.origin = .store(seconds: kept.seconds)
    }

    mutating func turned(_ ticket: Int, _ result: Result<GIFReference, CatalogError>) {
        guard case .asking(ticket, let shown) = screensaver else { return }
        switch result {
        case .success(let reference): screensaver = .showing(reference, until: now + options.turn)
        case .failure:
            // Try again after the usual time. Until then the previous GIF, if any, keeps playing.
            screensaver = shown.map { .showing($0, until: now + options.turn) } ?? .due(at: now + options.turn)
        }
    }
}

extension ResultPage {
    /// Whether the page has nothing but built-in samples, because no service answered. A stored listing is better.
    fileprivate var isMakeshift: Bool { !passedOver.isEmpty && items.allSatisfy { $0.cachePolicy == .embedded } }
}

extension Listing {
    /// Whether the listing has nothing but built-in samples, because no service answered.
    var isMakeshift: Bool {
        guard case .services(_, let passedOver) = origin, !passedOver.isEmpty else { return false }
        return items.allSatisfy { $0.cachePolicy == .embedded }
    }
}
