/// One page of a listing, in the source's order.
public struct ResultPage: Equatable, Sendable {
    public var items: [GIFReference]
    /// The next page; nil after the last one. In a chain's search, the token after a source's last page points to the
    /// first page of the next source.
    public var next: PageToken?
    /// The first page of the next source for the same query; nil after the last source.
    public var nextSource: PageToken?
    /// The number of GIFs in the whole listing, if the source reports it.
    public var total: Int?
    /// The sources that were queried before this one and failed, were too slow or had no results, in query order.
    public var sourceFailures: [SourceFailure]

    public init(
        items: [GIFReference], next: PageToken? = nil, total: Int? = nil, sourceFailures: [SourceFailure] = []
    ) {
        self.items = items
        self.next = next
        self.total = total
        self.sourceFailures = sourceFailures
    }
}

/// A source that returned no results, and the reason.
public struct SourceFailure: Equatable, Sendable {
    public var source: String
    public var reason: CatalogError

    public init(source: String, reason: CatalogError) {
        self.source = source
        self.reason = reason
    }
}
