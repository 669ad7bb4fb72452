import Base

/// Requests a first page from the sources of a chain, and records the outcome of each source.
final class ChainRace {
    private let chain: ServiceChain
    private let hedge: HedgedAttempts
    private let listing: ChainListing
    private let budget: TimeBudget
    /// In order of arrival. The first of them is used if no source has a matching hit.
    private var nonmatchingPages: [(step: ChainStep, page: ResultPage)] = []
    private var queriedSteps: [ChainStep] = []
    private var reasons: [String: CatalogError] = [:]
    private(set) var stepsWithoutHits: Set<String> = []
    private(set) var isCancelled = false

    init(chain: ServiceChain, hedge: HedgedAttempts, listing: ChainListing, budget: TimeBudget) {
        self.chain = chain
        self.hedge = hedge
        self.listing = listing
        self.budget = budget
    }

    /// The sources that had no results, failed or were too slow, in the order in which they were queried.
    var failures: [SourceFailure] {
        queriedSteps.compactMap { step in
            guard let reason = reasons[step.name] else { return nil }
            // The same source has answered the search for all terms before, so these outcomes add no information.
            guard !step.matchesAnyTerm || ![.nothingFound, .notOffered, .outOfTime].contains(reason) else { return nil }
            return failure(of: step, reason)
        }
    }

    /// Returns the first page with a hit that matches the query, or else the first page with any hit.
    func run(_ steps: [ChainStep]) async -> (step: ChainStep, page: ResultPage)? {
        var winner: (step: ChainStep, page: ResultPage)?
        var silent: Set<Int> = []
        await hedge.run(
            begin: { (number: Int) -> Task<FirstPages.Outcome, Never>? in
                guard number < steps.count else { return nil }
                return await self.begin(steps[number])
            },
            isSilent: { number in
                let source = steps[number].link.repository.name
                self.reasons[steps[number].name] = .transport(
                    .timedOut(host: source, milliseconds: self.hedge.silence.wholeMilliseconds))
                silent.insert(number)
                return true
            },
            accept: { (number: Int, outcome: FirstPages.Outcome) in
                self.reasons[steps[number].name] = nil
                silent.remove(number)
                winner = await self.record(outcome, of: steps[number])
                return winner != nil || self.isCancelled
            })
        guard let winner = winner ?? nonmatchingPages.first else { return nil }
        for step in silent.map({ steps[$0] }) {
            if let reason = reasons[step.name] { chain.health.recordSilence(failure(of: step, reason)) }
        }
        await chain.firstPages.remove(winner.step.name, of: listing.kind)
        return winner
    }

    private func failure(of step: ChainStep, _ reason: CatalogError) -> SourceFailure {
        SourceFailure(source: step.link.repository.name, reason: reason)
    }

    private func begin(_ step: ChainStep) async -> Task<FirstPages.Outcome, Never> {
        queriedSteps.append(step)
        SourceQuery.observer.report(step.link.repository.name)
        return await chain.firstPages.task(step.name, of: listing.kind) { [chain, listing, budget] in
            await chain.requestPage(of: step, listing, nil, budget)
        }
    }

    /// - Returns: the step and its page if the page is accepted; otherwise nil.
    private func record(
        _ outcome: FirstPages.Outcome, of step: ChainStep
    ) async -> (step: ChainStep, page: ResultPage)? {
        switch outcome {
        case .success(let page) where !page.items.isEmpty:
            guard step.link.isOnline, let ranking = listing.ranking, ranking.bestScore(of: page.items) == 0 else {
                return (step, page)
            }
            nonmatchingPages.append((step, page))
            return nil
        case .success: reasons[step.name] = .nothingFound
        case .failure(.cancelled): isCancelled = true
        case .failure(let error): reasons[step.name] = error
        }
        stepsWithoutHits.insert(step.name)
        await chain.firstPages.remove(step.name, of: listing.kind)
        return nil
    }
}

/// Observes the queries of a task that requests a listing.
package struct SourceQuery: Sendable {
    /// Called with the name of each source that is queried.
    package let report: @Sendable (String) -> Void

    package init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    // Not a function itself: Swift 6.3 crashes when it pushes a task-local function in a release build.
    @TaskLocal package static var observer = SourceQuery { _ in }
}

/// The requests for first pages. If a source responds only after another source has provided the result, its page is
/// stored here until the chain reaches that source, or until a new listing begins.
actor FirstPages {
    typealias Outcome = Result<ResultPage, CatalogError>

    private struct Key: Hashable {
        var kind: ChainListing.Kind
        var step: String
    }

    private var tasks: [Key: Task<Outcome, Never>] = [:]

    deinit { for task in tasks.values { task.cancel() } }

    /// Returns the running or finished request of a step, or starts one.
    func task(
        _ step: String, of kind: ChainListing.Kind, begin: @escaping @Sendable () async -> Outcome
    ) -> Task<Outcome, Never> {
        let key = Key(kind: kind, step: step)
        if let known = tasks[key] { return known }
        let task = Task { await begin() }
        tasks[key] = task
        return task
    }

    /// Removes a request whose outcome was used.
    func remove(_ step: String, of kind: ChainListing.Kind) { tasks[Key(kind: kind, step: step)] = nil }

    /// Keeps the requests for random batches, because any later call for random GIFs can use them.
    func cancelListings() {
        for (key, task) in tasks where key.kind != .random {
            task.cancel()
            tasks[key] = nil
        }
    }
}
