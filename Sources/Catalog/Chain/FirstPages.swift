/// The requests for first pages, stored until the chain uses their outcomes.
///
/// Sometimes a source responds only after another source has provided the result. The page of the slower source is
/// then stored here until the chain reaches that source, or until a new listing begins.
actor FirstPages {
    typealias Outcome = Result<ResultPage, CatalogError>

    /// The listing that a first page belongs to.
    enum Kind: Hashable, Sendable {
        case search(SearchQuery)
        case trending(ListingPreferences)
        case random
    }

    private struct Key: Hashable {
        var kind: Kind
        var step: String
    }

    private var tasks: [Key: Task<Outcome, Never>] = [:]

    deinit { for task in tasks.values { task.cancel() } }

    /// Returns the running or finished request for the first page of a step. If there is none, starts a request.
    func task(
        _ step: String, of kind: Kind, begin: @escaping @Sendable () async -> Outcome
    ) -> Task<Outcome, Never> {
        let key = Key(kind: kind, step: step)
        if let known = tasks[key] { return known }
        let task = Task { await begin() }
        tasks[key] = task
        return task
    }

    /// Removes a request whose outcome was used.
    func remove(_ step: String, of kind: Kind) { tasks[Key(kind: kind, step: step)] = nil }

    /// Cancels and removes the requests for searches and trending GIFs. Keeps the requests for random batches, because
    /// any later call for random GIFs can use them.
    func cancelListings() {
        for (key, task) in tasks where key.kind != .random {
            task.cancel()
            tasks[key] = nil
        }
    }
}
