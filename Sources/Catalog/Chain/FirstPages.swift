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

    /// Ends what is under way for listings that nobody wants any more. A random batch serves again later.
    func cancelAll(exceptRandom: Bool = true) {
        for (key, task) in tasks where !exceptRandom || key.kind != .random {
            task.cancel()
            tasks[key] = nil
        }
    }
}
