/// A source of GIFs that returns pages of references.
///
/// Code that displays GIFs depends on this protocol and not on a specific service. A search without hits returns an
/// empty page; a thrown error means that the source could not be queried.
public protocol GIFRepository: Sendable {
    /// The name of the source for `--source`: one word in lower case.
    var name: String { get }

    /// Returns the page of hits at `page`, or the first page if `page` is nil.
    func search(_ query: SearchQuery, page: PageToken?) async throws(CatalogError) -> ResultPage

    /// Returns the GIFs that are popular now. Throws `CatalogError.notOffered` if the source has no such listing.
    func trending(_ preferences: ListingPreferences, page: PageToken?) async throws(CatalogError) -> ResultPage

    /// Returns one batch of random GIFs for the endless feed. Each call returns another batch.
    func random(_ preferences: ListingPreferences) async throws(CatalogError) -> ResultPage
}

/// The position of the next page of a listing, in the format of the source that returned this token.
public struct PageToken: Hashable, Sendable {
    /// The `GIFRepository.name` of the source that returned the token. Only this source can interpret `parameters`.
    public var source: String
    public var parameters: [String: String]

    public init(source: String, parameters: [String: String]) {
        self.source = source
        self.parameters = parameters
    }
}
