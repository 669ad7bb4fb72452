struct ChainListing: Sendable {
    typealias PageRequest =
        @Sendable (
            any GIFRepository, ListingPreferences, _ matchesAnyTerm: Bool, PageToken?
        ) async throws(CatalogError) -> ResultPage

    var kind: FirstPages.Kind
    var preferences: ListingPreferences
    /// The ranking of a search; nil for other listings, which are not ranked. After a source's last page, a search
    /// continues at the next source, and any other listing ends.
    var ranking: ResultRanking?
    var requestPage: PageRequest
}

/// A query to one source of a chain, for hits that match either all search terms or any of them.
struct ChainStep: Sendable {
    var link: ServiceChain.Link
    var matchesAnyTerm = false

    /// The name in a page token. It is unique, because no name of a source contains a colon.
    var name: String { (matchesAnyTerm ? "any:" : "") + link.repository.name }
}

/// The position in a chain's listing: the finished steps, and the next page of the current source.
struct ChainPosition {
    var finishedSteps: Set<String> = []
    /// The current source's own token; nil if the next page is the first page of a source.
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
        // A token whose only parameter is the list of finished steps stands for the first page of the next source.
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
