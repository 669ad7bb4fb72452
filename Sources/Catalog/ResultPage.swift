/// One page of a listing, in the source's order.
public struct ResultPage: Equatable, Sendable {
    public var items: [GIFReference]
    /// The token of the next page; nil on the last page. If a chain's search reaches a source's last page, this token
    /// points to the first page of the next source.
    public var next: PageToken?
    /// The token of the next source's first page for the same query; nil if there is no next source.
    public var nextSource: PageToken?
    /// The number of GIFs in the whole listing, if the source reports it.
    public var total: Int?
    /// The other sources of the chain that failed, were too slow or had no results, in the order in which they were
    /// queried.
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
