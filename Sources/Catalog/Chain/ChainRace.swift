/// Requests a first page from the sources of a chain, and records the outcome of each source.
final class ChainRace {
    private let chain: ServiceChain
    private let hedge: HedgedAttempts
    private let listing: ChainListing
    private let budget: TimeBudget
    /// Pages whose hits do not match the query, in order of arrival. The first of them is used if no source has a
    /// matching hit.
    private var nonmatchingPages: [(step: ChainStep, page: ResultPage)] = []
    private var queriedSteps: [ChainStep] = []
    private var reasons: [String: CatalogError] = [:]
    /// The names of the steps that ended without a hit.
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
        // Omit a step with `matchesAnyTerm` if it found nothing or if its source does not offer such a search. Neither
        // outcome adds information.
        queriedSteps.compactMap { step in
            guard let reason = reasons[step.name] else { return nil }
            guard !step.matchesAnyTerm || (reason != .nothingFound && reason != .notOffered) else { return nil }
            return SourceFailure(source: step.link.repository.name, reason: reason)
        }
    }

    /// Runs the steps and returns the first page with a hit that matches the query. If no page has such a hit, returns
    /// the first page whose hits do not match. If no step has any hit, returns nil.
    func run(_ steps: [ChainStep]) async -> (step: ChainStep, page: ResultPage)? {
        var winner: (step: ChainStep, page: ResultPage)?
        await hedge.run(
            begin: { (number: Int) -> Task<FirstPages.Outcome, Never>? in
                guard number < steps.count else { return nil }
                return await self.begin(steps[number])
            },
            isSilent: { number in
                let source = steps[number].link.repository.name
                self.reasons[steps[number].name] = .transport(
                    .timedOut(host: source, milliseconds: self.hedge.silence.wholeMilliseconds))
                return true
            },
            accept: { (number: Int, outcome: FirstPages.Outcome) in
                self.reasons[steps[number].name] = nil
                winner = await self.record(outcome, of: steps[number])
                return winner != nil || self.isCancelled
            })
        guard let winner = winner ?? nonmatchingPages.first else { return nil }
        await chain.firstPages.remove(winner.step.name, of: listing.kind)
        return winner
    }

    private func begin(_ step: ChainStep) async -> Task<FirstPages.Outcome, Never> {
        queriedSteps.append(step)
        return await chain.firstPages.task(step.name, of: listing.kind) { [chain, listing, budget] in
            await chain.requestPage(of: step, listing, nil, budget)
        }
    }

    /// Records the outcome of a step.
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
