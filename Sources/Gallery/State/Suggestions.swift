import Base

/// The queries that are suggested below the search field while the user types.
struct Suggestions: Equatable, Sendable {
    private(set) var queries: [String] = []
    /// The index of the suggestion that Enter searches for; nil if Enter searches for the typed query.
    private(set) var chosenIndex: Int?
    /// The time at which the suggestions for the query are requested, unless the user changes the query earlier.
    private(set) var deadline: Instant?
    /// The ticket of the latest request; nil if there is none for the present query.
    private var ticket: Int?

    static let maxCount = 5
    /// How long typing must pause before suggestions are requested, in nanoseconds.
    static let delay = 150 * Span.millisecond

    /// Keeps the suggestions that still match the query, and schedules a request for others.
    mutating func queryChanged(to query: String, at now: Instant) -> [GalleryEffect] {
        let matching = queries.filter { !query.isEmpty && $0.lowercased().hasPrefix(query.lowercased()) }
        let effects = close()
        queries = matching.filter { $0.lowercased() != query.lowercased() }
        deadline = query.isEmpty ? nil : now + Self.delay
        return effects
    }

    mutating func requestIfDue(for query: String, at now: Instant, _ tickets: inout Tickets) -> [GalleryEffect] {
        guard let deadline, deadline <= now else { return [] }
        self.deadline = nil
        let ticket = tickets.next()
        self.ticket = ticket
        return [.suggest(prefix: query, ticket: ticket)]
    }

    mutating func receive(_ answer: [String], for query: String, ticket: Int) {
        guard ticket == self.ticket else { return }
        let chosen = chosenIndex.flatMap { queries.indices.contains($0) ? queries[$0] : nil }
        var seen: Set<String> = ["", query.lowercased()]
        let others = answer.map { SafeText.line($0) }.filter { seen.insert($0.lowercased()).inserted }
        queries = Array(others.prefix(Self.maxCount))
        chosenIndex = chosen.flatMap { queries.firstIndex(of: $0) }
    }

    /// - Parameter distance: 1 for the next suggestion, -1 for the previous one or for the typed query.
    mutating func choose(by distance: Int, of count: Int) {
        let index = (chosenIndex ?? -1) + distance
        chosenIndex = index < 0 ? nil : min(index, count - 1)
    }

    /// Discards the suggestions and cancels the request for them.
    mutating func close() -> [GalleryEffect] {
        defer { self = Suggestions() }
        return ticket.map { [.cancel(ticket: $0)] } ?? []
    }
}

/// The user's latest queries, which are offered if a query has found nothing.
struct EarlierQueries: Equatable, Sendable {
    private(set) var queries: [String] = []
    /// The query that has found nothing, and the ticket of the request for earlier ones.
    private var query: String?
    private var ticket: Int?

    /// Requests the queries once for each query that has found nothing.
    mutating func update(_ listing: Listing, _ tickets: inout Tickets) -> [GalleryEffect] {
        guard case .search(let query) = listing.feed, listing.hasFoundNothing, query != self.query else { return [] }
        let ticket = tickets.next()
        (self.query, self.ticket) = (query, ticket)
        return [.suggest(prefix: "", ticket: ticket)]
    }

    /// - Returns: whether the answer belongs to the request.
    mutating func receive(_ answer: [String], ticket: Int) -> Bool {
        guard ticket == self.ticket else { return false }
        let others = answer.map { SafeText.line($0) }.filter { $0.lowercased() != query?.lowercased() }
        queries = Array(others.prefix(Suggestions.maxCount))
        return true
    }
}
