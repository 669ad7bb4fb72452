/// One call of a chain for a first page: the sources that were asked, and what came of each.
final class ChainRace {
    private let chain: ServiceChain
    private let hedge: HedgedAttempts
    private let listing: ChainListing
    private let budget: TimeBudget
    /// Hits that fit badly, for when no source has better ones.
    private var poor: [(step: ChainStep, page: ResultPage)] = []
    private var asked: [ChainStep] = []
    private var reasons: [String: CatalogError] = [:]
    /// The steps that ended without a hit.
    private(set) var spent: Set<String> = []
    private(set) var isCancelled = false

    init(chain: ServiceChain, hedge: HedgedAttempts, listing: ChainListing, budget: TimeBudget) {
        self.chain = chain
        self.hedge = hedge
        self.listing = listing
        self.budget = budget
    }

    /// Why the sources that were asked before the winner gave nothing, in the order of asking.
    var failures: [SourceFailure] {
        // That no source knows any single term either says nothing more.
        asked.compactMap { step in
            guard let reason = reasons[step.name] else { return nil }
            guard !step.matchesAnyTerm || (reason != .nothingFound && reason != .notOffered) else { return nil }
            return SourceFailure(source: step.link.repository.name, reason: reason)
        }
    }

    /// The first answer that fits; else the best of those that do not; nil where no step has a hit.
    func run(_ steps: [ChainStep]) async -> (step: ChainStep, page: ResultPage)? {
        var winner: (step: ChainStep, page: ResultPage)?
        await hedge.run(
            begin: { (number: Int) -> Task<FirstPages.Answer, Never>? in
                guard number < steps.count else { return nil }
                return await self.begin(steps[number])
            },
            isSilent: { number in
                let source = steps[number].link.repository.name
                self.reasons[steps[number].name] = .transport(
                    .timedOut(host: source, milliseconds: self.hedge.silence.wholeMilliseconds))
                return true
            },
            accept: { (number: Int, answer: FirstPages.Answer) in
                self.reasons[steps[number].name] = nil
                winner = await self.take(answer, of: steps[number])
                return winner != nil || self.isCancelled
            })
        guard let winner = winner ?? poor.first else { return nil }
        await chain.firstPages.remove(winner.step.name, of: listing.kind)
        return winner
    }

    private func begin(_ step: ChainStep) async -> Task<FirstPages.Answer, Never> {
        asked.append(step)
        return await chain.firstPages.task(step.name, of: listing.kind) { [chain, listing, budget] in
            await chain.ask(step, listing, nil, budget)
        }
    }

    /// - Returns: the winner, if this answer is one.
    private func take(_ answer: FirstPages.Answer, of step: ChainStep) async -> (step: ChainStep, page: ResultPage)? {
        switch answer {
        case .success(let page) where !page.items.isEmpty:
            guard step.link.isOnline, let ranking = listing.ranking, ranking.fit(page.items) == 0 else {
                return (step, page)
            }
            poor.append((step, page))
            return nil
        case .success: reasons[step.name] = .nothingFound
        case .failure(.cancelled): isCancelled = true
        case .failure(let error): reasons[step.name] = error
        }
        spent.insert(step.name)
        await chain.firstPages.remove(step.name, of: listing.kind)
        return nil
    }
}
