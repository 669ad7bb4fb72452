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
    case noResults
    case failed(Failure)
    case offline
}

extension GalleryState {
    var phase: GalleryPhase { listing.phase(isEmpty: grid.items.isEmpty, at: now) }
}

extension Listing {
    /// - Parameter isEmpty: whether no item is displayed, for example because all items were dismissed.
    func phase(isEmpty: Bool, at now: Instant) -> GalleryPhase {
        switch loading {
        case .failed(let error, _, _): return error.isOffline ? .offline : .failed(error.withoutWait)
        case .idle where storeTicket != nil && origin == .none: return .searching
        case .abandoned, .due, .first, .more: return isEmpty ? .searching : .moreComing
        case .idle: break
        }
        if hasFoundNothing { return .noResults }
        if connectionFailureTime != nil { return .offline }
        if isEmpty { return .empty }
        return next == nil ? .results : .moreComing
    }

    /// Whether the sources have answered the query without results or failed, and nothing is stored either.
    var hasFoundNothing: Bool {
        guard case .search = feed, items.isEmpty else { return false }
        return switch loading {
        case .failed: storeTicket == nil && !feed.isLink
        case .first(_, .background): hasFailed
        default: loading == .idle && (storeTicket == nil || origin != .none)
        }
    }

    /// Returns at most five other queries: words that are similar to a search term and match built-in samples. Omits the
    /// beginnings of the search terms, because the sources have found nothing for these terms.
    static func suggestions(for query: String) -> [String] {
        let terms = query.lowercased().split(separator: " ")
        return SampleSearch().similarTerms(to: query).filter { offer in !terms.contains { $0.hasPrefix(offer) } }
    }

    struct AskedSource: Equatable, Sendable {
        var name: String
        var since: Instant
    }

    enum Origin: Equatable, Sendable {
        case none
        /// The items come from the store. `seconds` is the value of ``StoredListing/seconds``.
        case store(seconds: Int)
        case services(at: Instant, sourceFailures: [Failure])
    }

    /// The sources that failed or had no results when the services provided the first page.
    var sourceFailures: [Failure] { if case .services(_, let failures) = origin { failures } else { [] } }

    /// Whether the listing contains only built-in samples because no service provided results.
    var isSampleFallback: Bool { !sourceFailures.isEmpty && items.areSamples }

    func isStale(at now: Instant) -> Bool {
        if feed.isLocal || loading == .abandoned { return true }
        guard case .services(let moment, _) = origin else { return true }
        return now - moment > Self.maxAge
    }

    /// Whether sources that failed may have results in place of the built-in samples.
    var hasFailedSources: Bool {
        isSampleFallback && sourceFailures.contains { !$0.meansNothingFound && $0.kind != .notOffered }
    }

    /// Whether a community cannot be queried again yet: its feed was queried less than a minute ago.
    func mayNotAskYet(at now: Instant) -> Bool {
        guard case .community = feed, case .services(let moment, _) = origin else { return false }
        return now - moment < 60 * Span.second
    }

    var isLoadingFirstPage: Bool {
        switch loading {
        case .due, .first: true
        default: false
        }
    }

    var isDue: Bool { if case .due = loading { true } else { false } }

    /// The time of the latest query if it failed, or if built-in samples replace its results; nil otherwise.
    var failureTime: Instant? {
        switch (loading, origin) {
        case (.failed(_, _, let since), _): since
        case (.idle, .services(let moment, _)) where hasFailedSources: moment
        default: nil
        }
    }

    /// The seconds after which a source may be queried again, as it or its cool-down says; nil if none says so.
    private var namedWait: Int? {
        if case .failed(let error, _, _) = loading { return error.waitSeconds }
        return hasFailedSources ? Failure.exhausted(sourceFailures).waitSeconds : nil
    }

    /// The time of the latest query if it failed because there is no connection; nil otherwise.
    var connectionFailureTime: Instant? {
        switch (loading, origin) {
        case (.failed(let error, _, let since), _): error.isOffline ? since : nil
        case (.idle, .services(let moment, _)): isSampleFallback && sourceFailures.indicateOffline ? moment : nil
        default: nil
        }
    }

    /// The time at which a failed query is repeated: soon without a connection, otherwise when the source allows it;
    /// nil if no query failed, or if no source names a time.
    var retryTime: Instant? {
        let wait = connectionFailureTime == nil ? namedWait : Failure.reconnectionSeconds(after: failedAttempts)
        return wait.flatMap { wait in failureTime.map { $0 + Int64(max(1, wait)) * Span.second } }
    }
}

extension [GIFReference] {
    var areSamples: Bool { allSatisfy { $0.cachePolicy == .embedded } }
}

extension Failure {
    /// Whether it is that of a source that it does not name.
    var isAboutOneSource: Bool {
        switch kind {
        case .status, .badAnswer, .coolingDown: true
        default: isTransport
        }
    }
}

/// The state of a listing's queries to the services.
enum LoadingState: Equatable, Sendable {
    /// The first page is neither loaded nor requested: the listing is new, or the user switched to another feed or
    /// query before the first page arrived.
    case abandoned
    /// The query to the services starts at this time, unless the user switches to another feed or query earlier. Nil if
    /// only a key starts it.
    case due(at: Instant?)
    case first(ticket: Int, trigger: Trigger)
    /// Nothing is loading. `Listing.next` is nil if there are no more pages.
    case idle
    /// The next page is loading. The `emptyPages` pages directly before it contained no new items.
    case more(ticket: Int, emptyPages: Int)
    /// The query for `page` failed at the time `since`. If `page` is nil, the query for the first page failed.
    case failed(Failure, page: PageToken?, since: Instant)

    /// The reason why the first page is loaded determines how it is shown.
    enum Trigger: Equatable, Sendable {
        /// gifplay loads the page by itself, and holds it back if it would move the items on the screen.
        case background
        /// The user requested the page. The page is shown as soon as it arrives.
        case userRequest
    }

    var deadline: Instant? {
        if case .due(let moment) = self { moment } else { nil }
    }

    /// Nil if nothing is loading.
    var ticket: Int? {
        switch self {
        case .first(let ticket, _), .more(let ticket, _): ticket
        default: nil
        }
    }
}
