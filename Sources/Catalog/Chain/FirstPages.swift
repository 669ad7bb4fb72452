/// First pages that were asked for and not yet used.
///
/// A source that answers after another one won keeps its answer here, until its turn comes.
actor FirstPages {
    typealias Answer = Result<ResultPage, CatalogError>

    /// Which listing a page is the first of.
    enum Kind: Hashable, Sendable {
        case search(SearchQuery)
        case trending(Preferences)
        case random
    }

    private struct Key: Hashable {
        var kind: Kind
        var step: String
    }

    private var tasks: [Key: Task<Answer, Never>] = [:]

    deinit { for task in tasks.values { task.cancel() } }

    /// The request that runs or has ended already; else a new one.
    func task(
        _ step: String, of kind: Kind, begin: @escaping @Sendable () async -> Answer
    ) -> Task<Answer, Never> {
        let key = Key(kind: kind, step: step)
        if let known = tasks[key] { return known }
        let task = Task { await begin() }
        tasks[key] = task
        return task
    }

    /// Forgets an answer that was used.
    func remove(_ step: String, of kind: Kind) { tasks[Key(kind: kind, step: step)] = nil }

    /// Cancels the requests of listings that nobody waits for any more. A random batch is still of use later.
    func cancelListings() {
        for (key, task) in tasks where key.kind != .random {
            task.cancel()
            tasks[key] = nil
        }
    }
}
