import Base
import Catalog

/// How it stands with the listing, in the terms of the user.
public enum GalleryPhase: Equatable, Sendable {
    /// The store holds nothing of this kind, or all of it was dismissed.
    case empty
    case searching
    /// All that there is to see.
    case results
    /// Some are there; more can come or are coming.
    case moreComing
    /// Nothing fits; these words would find something.
    case noResults(suggestions: [String])
    case failed(CatalogError)
    /// No service could be reached.
    case offline
}

extension GalleryState {
    /// How it stands with what is shown.
    public var phase: GalleryPhase {
        switch listing.loading {
        case .failed(let error, _, let since):
            let seconds = Int((now - since) / Span.second)
            return error.isOffline ? .offline : .failed(error.later(by: seconds))
        case .resting where listing.recall != nil && listing.origin == .none: return .searching
        case .abandoned, .due, .first, .more: return items.isEmpty ? .searching : .moreComing
        case .resting: break
        }
        if case .services(_, let passedOver) = listing.origin, passedOver.areOffline { return .offline }
        if !items.isEmpty { return listing.next == nil ? .results : .moreComing }
        guard case .search(let words) = listing.feed, listing.items.isEmpty else { return .empty }
        return .noResults(suggestions: Self.suggestions(for: words))
    }

    /// Words near these that something carried fits, and each of several words alone.
    static func suggestions(for words: String) -> [String] {
        let parts = words.split(separator: " ").map(String.init)
        var seen: Set<String> = [words.lowercased()]
        let offers = SampleSearch().near(words) + (parts.count > 1 ? parts : [])
        return Array(offers.filter { seen.insert($0.lowercased()).inserted }.prefix(5))
    }
}

extension CatalogError {
    /// Whether the network, not a service, is what is missing.
    var isOffline: Bool {
        switch self {
        case .transport(.unreachable): true
        case .exhausted(let failures): failures.areOffline
        default: false
        }
    }

    /// The same error so many seconds later: that much less is left of the waits in it.
    func later(by seconds: Int) -> CatalogError {
        let left = { (wait: Int) in max(0, max(0, wait) - seconds) }
        switch self {
        case .refused(let status, let message, let wait?):
            return .refused(status: status, message: message, retryAfterSeconds: left(wait))
        case .api(let code, let message, let wait?):
            return .api(code: code, message: message, retryAfterSeconds: left(wait))
        case .coolingDown(let wait): return .coolingDown(seconds: left(wait))
        case .exhausted(let failures):
            return .exhausted(failures.map { SourceFailure(source: $0.source, reason: $0.reason.later(by: seconds)) })
        default: return self
        }
    }

    /// Whether it only says that there is nothing.
    var saysNothing: Bool {
        switch self {
        case .nothingFound: true
        case .exhausted(let failures): !failures.isEmpty && failures.allSatisfy(\.reason.saysNothing)
        default: false
        }
    }
}

extension [SourceFailure] {
    /// Whether nobody was reached, and somebody was tried.
    var areOffline: Bool {
        let tried = filter { failure in
            switch failure.reason {
            case .noKey, .notOffered, .nothingFound, .foreignPage: false
            default: true
            }
        }
        return tried.contains { $0.reason.isOffline }
            && tried.allSatisfy { failure in
                switch failure.reason {
                case .transport(.unreachable), .transport(.timedOut), .outOfTime: true
                default: false
                }
            }
    }
}
