/// A listing as a chain asks its sources for it.
struct ChainListing: Sendable {
    typealias Ask =
        @Sendable (
            any GIFRepository, Preferences, _ matchesAnyTerm: Bool, PageToken?
        ) async throws(CatalogError) -> ResultPage

    var kind: FirstPages.Kind
    var preferences: Preferences
    /// Of a search; other listings are in no order of fitness and end with their source.
    var ranking: ResultRanking?
    var ask: Ask
}

/// One source of a chain, asked for all terms of a query or for any of them.
struct ChainStep: Sendable {
    var link: ServiceChain.Link
    var matchesAnyTerm = false

    /// What a page token calls it; no source has a colon in its name.
    var name: String { (matchesAnyTerm ? "any:" : "") + link.repository.name }
}

/// Where a chain's listing goes on: which steps are done, and where the present source's next page begins.
struct ChainPlace {
    var done: Set<String> = []
    /// In the source's own terms; nil at the beginning of the next source.
    var token: PageToken?

    private static let doneName = "gifplay-done"

    init(done: Set<String> = [], token: PageToken? = nil) {
        self.done = done
        self.token = token
    }

    init(_ page: PageToken) {
        var parameters = page.parameters
        let names = parameters.removeValue(forKey: Self.doneName)
        done = Set((names ?? "").split(separator: ",").map(String.init))
        // A token that names no place in the source stands for its beginning.
        if names == nil || !parameters.isEmpty { token = PageToken(source: page.source, parameters: parameters) }
    }

    func pageToken(source: String) -> PageToken {
        var parameters = token?.parameters ?? [:]
        if !done.isEmpty { parameters[Self.doneName] = done.sorted().joined(separator: ",") }
        return PageToken(source: source, parameters: parameters)
    }
}
