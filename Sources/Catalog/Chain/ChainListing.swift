/// A listing that a chain requests from its sources.
struct ChainListing: Sendable {
    typealias PageRequest =
        @Sendable (
            any GIFRepository, ListingPreferences, _ matchesAnyTerm: Bool, PageToken?
        ) async throws(CatalogError) -> ResultPage

    var kind: FirstPages.Kind
    var preferences: ListingPreferences
    /// Nil unless the listing is a search. Other listings are not ranked and do not continue at the next source.
    var ranking: ResultRanking?
    var requestPage: PageRequest
}

/// One source of a chain, queried for all terms of a query or for any of them.
struct ChainStep: Sendable {
    var link: ServiceChain.Link
    var matchesAnyTerm = false

    /// The name of the step in a page token. No source has a colon in its name.
    var name: String { (matchesAnyTerm ? "any:" : "") + link.repository.name }
}

/// The position in a chain's listing: the finished steps, and the next page of the current source.
struct ChainPosition {
    var finishedSteps: Set<String> = []
    /// The source's own page token; nil at the first page of the next source.
    var token: PageToken?

    private static let finishedStepsParameter = "gifplay-done"

    init(finishedSteps: Set<String> = [], token: PageToken? = nil) {
        self.finishedSteps = finishedSteps
        self.token = token
    }

    init(_ page: PageToken) {
        var parameters = page.parameters
        let names = parameters.removeValue(forKey: Self.finishedStepsParameter)
        finishedSteps = Set((names ?? "").split(separator: ",").map(String.init))
        // A chain's token without parameters of the source points to that source's first page.
        if names == nil || !parameters.isEmpty { token = PageToken(source: page.source, parameters: parameters) }
    }

    func pageToken(source: String) -> PageToken {
        var parameters = token?.parameters ?? [:]
        if !finishedSteps.isEmpty {
            parameters[Self.finishedStepsParameter] = finishedSteps.sorted().joined(separator: ",")
        }
        return PageToken(source: source, parameters: parameters)
    }
}
