/// A place where GIFs are found: words go in, a page of references comes out.
///
/// Whoever shows GIFs depends on this and never on a service. No hits are an empty page, not an
/// error; an error says that the place could not be asked.
public protocol GIFRepository: Sendable {
    /// The name that `--source` takes: lower case, one word.
    var name: String { get }

    /// The first page of what fits the words, or the page that `page` leads to.
    func search(_ query: SearchQuery, page: PageToken?) async throws(CatalogError) -> ResultPage

    /// What is watched now, where the place has such a listing; else `CatalogError.notOffered`.
    func trending(_ preferences: Preferences, page: PageToken?) async throws(CatalogError) -> ResultPage

    /// One batch of anything, for the endless feed; another call brings another batch.
    func random(_ preferences: Preferences) async throws(CatalogError) -> ResultPage
}

/// Where the next page of a listing begins, in the terms of the source that gave it.
public struct PageToken: Hashable, Sendable {
    /// The `GIFRepository.name` of the source that answered, the only one that understands the rest.
    public var source: String
    public var parameters: [String: String]

    public init(source: String, parameters: [String: String]) {
        self.source = source
        self.parameters = parameters
    }
}
