import Base
import Catalog

/// The state of the listing as the user sees it.
enum GalleryPhase: Equatable, Sendable {
    /// The listing has no items, or all of them were dismissed.
    case empty
    case searching
    case results
    /// There are items, and more can be loaded or are loading.
    case moreComing
    /// The query has no results. `suggestions` are other queries to try.
    case noResults(suggestions: [String])
    case failed(CatalogError)
    case offline
}

extension GalleryState {
    var phase: GalleryPhase {
        let phase = listing.phase(isEmpty: grid.items.isEmpty, at: now)
        guard case .noResults(let suggestions) = phase else { return phase }
        return .noResults(suggestions: suggestions.filter { !parked.queriesWithoutResults.contains($0) })
    }
}

extension Listing {
    /// - Parameter isEmpty: whether no item is displayed, for example because all items were dismissed.
    func phase(isEmpty: Bool, at now: Instant) -> GalleryPhase {
        switch loading {
        case .failed(let error, _, let since):
            let seconds = Int((now - since) / Span.second)
            return error.isOffline ? .offline : .failed(error.afterWaiting(seconds))
        case .idle where storeTicket != nil && origin == .none: return .searching
        case .abandoned, .due, .first, .more: return isEmpty ? .searching : .moreComing
        case .idle: break
        }
        if case .search(let query) = feed, hasFoundNothing {
            return .noResults(suggestions: Self.suggestions(for: query))
        }
        if connectionFailureTime != nil { return .offline }
        if isEmpty { return .empty }
        return next == nil ? .results : .moreComing
    }

    /// Whether the sources have answered the query, and nothing is stored either.
    var hasFoundNothing: Bool {
        guard case .search = feed, loading == .idle, items.isEmpty else { return false }
        return storeTicket == nil || origin != .none
    }

    /// Returns at most five other queries: words that are similar to a search term and match built-in samples. Omits the
    /// beginnings of the search terms, because the sources have found nothing for these terms.
    static func suggestions(for query: String) -> [String] {
        let terms = query.lowercased().split(separator: " ")
        return SampleSearch().similarTerms(to: query).filter { offer in !terms.contains { $0.hasPrefix(offer) } }
    }
}

extension CatalogError {
    /// Returns the error with each waiting time shortened by this many seconds, but not below 0.
    func afterWaiting(_ seconds: Int) -> CatalogError {
        let left = { (wait: Int) in max(0, max(0, wait) - seconds) }
        switch self {
        case .refused(let status, let message, let wait?):
            return .refused(status: status, message: message, retryAfterSeconds: left(wait))
        case .api(let code, let message, let wait?):
            return .api(code: code, message: message, retryAfterSeconds: left(wait))
        case .coolingDown(let wait): return .coolingDown(seconds: left(wait))
        case .exhausted(let failures):
            return .exhausted(
                failures.map { SourceFailure(source: $0.source, reason: $0.reason.afterWaiting(seconds)) })
        default: return self
        }
    }

    /// Whether the error is that of a source that it does not name.
    var isAboutOneSource: Bool {
        switch self {
        case .transport, .refused, .notJSON, .api, .outage, .coolingDown: true
        default: false
        }
    }

    /// Whether the error means that nothing was found, and not that a query failed.
    var meansNothingFound: Bool {
        switch self {
        case .nothingFound: true
        case .exhausted(let failures): !failures.isEmpty && failures.allSatisfy(\.reason.meansNothingFound)
        default: false
        }
    }
}
