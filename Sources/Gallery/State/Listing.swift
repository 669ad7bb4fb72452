import Base
import Catalog

/// The loaded part of a feed, and its queries to the services and the store.
struct Listing: Equatable, Sendable {
    let feed: Feed
    /// The loaded GIFs in the order of the services, without duplicates. They include dismissed GIFs.
    private(set) var items: [GIFReference] = []
    private(set) var keys: Set<GIFKey> = []
    /// Increases with every change of the items.
    private(set) var revision = 0
    private(set) var next: PageToken?
    private(set) var total: Int?
    private(set) var loading = LoadingState.abandoned
    /// Nil if no request to the store is pending.
    private(set) var storeTicket: Int?
    private(set) var origin = Origin.none
    /// The source that the running query was sent to last, and when; nil until it is known. For a link, the state of its
    /// download.
    private(set) var asked: AskedSource?
    /// A newer first page that is not shown yet, because showing it would move the items that the user is looking at.
    private(set) var newFirstPage: ResultPage?
    /// Whether a service could not be reached by the running query, or no service by the previous one.
    private(set) var lacksConnection = false
    /// The number of successive queries that failed because there is no connection.
    private(set) var failedAttempts = 0
    /// Whether the previous query for the first page failed.
    private(set) var hasFailed = false

    /// When the user returns to a feed with an older listing, the feed is queried again.
    static let maxAge = 300 * Span.second
    /// If this many consecutive pages contain no new items, the listing is treated as complete.
    static let emptyPageLimit = 3

    /// - Parameters:
    ///   - items: known GIFs of the feed.
    ///   - seconds: the time since 1970 at which they were loaded.
    init(_ feed: Feed, items: [GIFReference] = [], seconds: Int = 0) {
        self.feed = feed
        guard !items.isEmpty else { return }
        append(items)
        origin = .store(seconds: seconds)
    }

    /// A file has arrived, so the next attempt need not wait long.
    mutating func noteConnection() { if connectionFailureTime != nil { failedAttempts = 0 } }

    // MARK: - Requests

    /// Reads the listing from the store if it is new or local. Queries the services at `moment` unless it is local.
    /// - Parameter moment: nil if the services get no query before ``ask(at:now:_:)``.
    mutating func start(at moment: Instant?, now: Instant, _ tickets: inout Tickets) -> [GalleryEffect] {
        var effects: [GalleryEffect] = []
        if origin == .none || feed.isLocal {
            let ticket = tickets.next()
            storeTicket = ticket
            effects = [.loadStored(feed, ticket: ticket)]
        }
        loading = feed.isLocal ? .idle : .due(at: moment)
        return effects + loadIfDue(at: now, &tickets)
    }

    /// Changes the time of the query to the services, unless it has been sent.
    mutating func ask(at moment: Instant?, now: Instant, _ tickets: inout Tickets) -> [GalleryEffect] {
        guard isDue else { return [] }
        loading = .due(at: moment)
        return loadIfDue(at: now, &tickets)
    }

    mutating func loadIfDue(at now: Instant, _ tickets: inout Tickets) -> [GalleryEffect] {
        guard let deadline = loading.deadline, deadline <= now else { return [] }
        return loadFirstPage(.background, &tickets)
    }

    /// Loads the listing again at the request of the user.
    mutating func reload(isRetry: Bool, at now: Instant, _ tickets: inout Tickets) -> [GalleryEffect] {
        let effects = abandon()
        failedAttempts = 0
        if feed.isLocal { return effects + start(at: now, now: now, &tickets) }
        return effects + loadFirstPage(.userRequest, isRetry: isRetry, &tickets)
    }

    private mutating func loadFirstPage(
        _ trigger: LoadingState.Trigger, isRetry: Bool = false, _ tickets: inout Tickets
    ) -> [GalleryEffect] {
        let ticket = tickets.next()
        loading = .first(ticket: ticket, trigger: trigger)
        asked = nil
        return [.load(feed, page: nil, ticket: ticket, isRetry: isRetry)]
    }

    /// Loads the next page if there is one. Does nothing while a query is pending or after a query has failed.
    mutating func loadNextPage(_ tickets: inout Tickets) -> [GalleryEffect] {
        guard loading == .idle, let next else { return [] }
        return load(next, &tickets)
    }

    /// Sends the query for the next page again if it failed, or else returns nil.
    mutating func retryNextPage(_ tickets: inout Tickets) -> [GalleryEffect]? {
        guard case .failed(_, .some(let page), _) = loading else { return nil }
        return load(page, isRetry: true, &tickets)
    }

    /// Sends the failed query again, without a request by the user.
    mutating func retry(_ tickets: inout Tickets) -> [GalleryEffect] {
        retryNextPage(&tickets) ?? loadFirstPage(.background, isRetry: true, &tickets)
    }

    private mutating func load(
        _ page: PageToken, emptyPages: Int = 0, isRetry: Bool = false, _ tickets: inout Tickets
    ) -> [GalleryEffect] {
        let ticket = tickets.next()
        loading = .more(ticket: ticket, emptyPages: emptyPages)
        return [.load(feed, page: page, ticket: ticket, isRetry: isRetry)]
    }

    /// Cancels the pending query to the services and the pending request to the store.
    mutating func abandon() -> [GalleryEffect] {
        let tickets = [loading.ticket, storeTicket].compactMap(\.self)
        storeTicket = nil
        switch loading {
        case .due, .first: loading = .abandoned
        case .more: loading = .idle
        case .abandoned, .idle, .failed: break
        }
        return tickets.map { .cancel(ticket: $0) }
    }

    mutating func recordQuery(ticket: Int, to source: String, at now: Instant) {
        if ticket == loading.ticket { asked = AskedSource(name: source, since: now) }
    }

    // MARK: - Connection

    mutating func reportLostConnection() { if loading.ticket != nil { lacksConnection = true } }

    /// Call this after each answer of the services.
    mutating func updateConnection() {
        lacksConnection = connectionFailureTime != nil
        failedAttempts = lacksConnection ? failedAttempts + 1 : 0
    }

    // MARK: - Answers

    /// - Parameter holdsBack: whether the user is looking at items that must not move. If true, a page that would move
    ///   these items is stored in ``newFirstPage`` and not shown. This does not apply to a page that the user
    ///   requested.
    /// - Returns: whether the page replaced all items.
    mutating func receiveFirstPage(
        _ result: Result<ResultPage, Failure>, holdsBack: Bool, at now: Instant
    ) -> Bool {
        guard case .first(_, let trigger) = loading else { return false }
        let page: ResultPage
        switch result {
        case .success(let answer): page = answer
        case .failure(let error) where error.meansNothingFound: page = ResultPage(items: [])
        case .failure(let error):
            loading = .failed(error, page: nil, since: now)
            hasFailed = true
            return false
        }
        hasFailed = false
        // A stored listing is better than built-in samples in place of results.
        if !page.sourceFailures.isEmpty, page.items.areSamples, !items.areSamples {
            loading = .failed(.exhausted(page.sourceFailures), page: nil, since: now)
            return false
        }
        // What this machine has found stays above the results of the services.
        if case .search = feed {
            merge(page)
            setOrigin(page, at: now)
            return trigger == .userRequest
        }
        let isUpdated = update(from: page)
        if holdsBack, trigger == .background, !isUpdated {
            newFirstPage = page
            loading = .idle
            return false
        }
        let replaces = !isUpdated || trigger == .userRequest
        if replaces { replace(by: page.items, next: page.next, total: page.total) }
        setOrigin(page, at: now)
        return replaces
    }

    /// Handles the answer to the query for a later page. If the page has no new items, loads the page after it.
    mutating func receiveNextPage(
        _ result: Result<ResultPage, Failure>, at now: Instant, _ tickets: inout Tickets
    ) -> [GalleryEffect] {
        guard case .more(_, let emptyPages) = loading else { return [] }
        loading = .idle
        switch result {
        case .success(let page):
            let added = append(page.items)
            next = page.next
            total = page.total ?? total
            guard added == 0, let token = page.next else { return [] }
            if emptyPages + 1 < Self.emptyPageLimit { return load(token, emptyPages: emptyPages + 1, &tickets) }
            next = nil
        case .failure(let error) where error.meansNothingFound: next = nil
        case .failure(let error): loading = .failed(error, page: next, since: now)
        }
        return []
    }

    /// Shows the stored listing until a service provides a page. Does nothing if a service has already provided a page,
    /// except one of built-in samples in place of results, or if the ticket is outdated.
    /// For a query, the answer has several parts, which follow each other.
    /// - Parameter seconds: the current time in seconds since 1970.
    /// - Returns: whether stored GIFs are displayed.
    mutating func receiveStored(_ stored: StoredListing?, ticket: Int, seconds: Int, isLast: Bool = true) -> Bool {
        guard ticket == storeTicket else { return false }
        if isLast { storeTicket = nil }
        let isUsed = feed.isLocal || stored?.items.isEmpty == false
        guard isUsed else { return false }
        if case .services(let moment, let sourceFailures) = origin, !feed.isLocal {
            guard isSampleFallback, stored?.items.areSamples == false else {
                return false
            }
            loading = .failed(.exhausted(sourceFailures), page: nil, since: moment)
        }
        if case .search = feed {
            append(stored?.items ?? [])
            (next, total) = (stored?.next, nil)
        } else {
            replace(by: stored?.items ?? [], next: stored?.next, total: stored?.total)
        }
        origin = .store(seconds: stored?.seconds ?? seconds)
        return true
    }

    /// Adds a GIF of another listing.
    mutating func insert(_ reference: GIFReference, after key: GIFKey?) {
        guard keys.insert(reference.key).inserted else { return }
        let index = items.firstIndex { $0.key == key }.map { $0 + 1 } ?? 0
        items.insert(reference, at: index)
        revision += 1
    }

    /// - Returns: whether there was a ``newFirstPage`` to show.
    mutating func showNewFirstPage(at now: Instant) -> Bool {
        guard let page = newFirstPage else { return false }
        replace(by: page.items, next: page.next, total: page.total)
        setOrigin(page, at: now)
        return true
    }

    private mutating func setOrigin(_ page: ResultPage, at now: Instant) {
        origin = .services(at: now, sourceFailures: page.sourceFailures)
        newFirstPage = nil
        loading = .idle
    }

    private mutating func replace(by items: [GIFReference], next: PageToken?, total: Int?) {
        self.items = []
        keys = []
        append(items)
        self.next = next
        self.total = total
    }

    /// - Returns: the number of items that the listing did not contain yet.
    @discardableResult
    private mutating func append(_ more: [GIFReference]) -> Int {
        let before = items.count
        for item in more where keys.insert(item.key).inserted { items.append(item) }
        revision += 1
        return items.count - before
    }

    /// Adds the new GIFs of a page, and takes the newer addresses of the others. GIFs without an address go.
    private mutating func merge(_ page: ResultPage) {
        let fresh = Dictionary(page.items.map { ($0.key, $0) }) { first, _ in first }
        items = items.map { fresh[$0.key] ?? $0 }.filter { !$0.renditions.isEmpty || $0.path != nil }
        keys = Set(items.map(\.key))
        append(page.items)
        (next, total) = (page.next, page.total.map { $0 + items.count - fresh.count })
    }

    /// Updates the first items from a newer first page of the same GIFs in the same order, so that no tile moves.
    private mutating func update(from page: ResultPage) -> Bool {
        var seen: Set<GIFKey> = []
        let fresh = page.items.filter { seen.insert($0.key).inserted }
        guard !fresh.isEmpty, items.count >= fresh.count, zip(items, fresh).allSatisfy({ $0.key == $1.key }) else {
            return false
        }
        // The store does not keep the file addresses of some items. Such items have no renditions and cannot be shown,
        // so the later pages must be loaded again.
        guard items.dropFirst(fresh.count).allSatisfy({ !$0.renditions.isEmpty }) else { return false }
        if items.count == fresh.count { next = page.next }
        items.replaceSubrange(0..<fresh.count, with: fresh)
        revision += 1
        total = page.total ?? total
        return true
    }
}

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
