/// One page of a listing, in the source's order.
public struct ResultPage: Equatable, Sendable {
    public var items: [GIFReference]
    /// Nil after the last page. After a source's last page of a search, where the next source's begin.
    public var next: PageToken?
    /// Where another source's hits for the same words begin; nil after the last source.
    public var nextSource: PageToken?
    /// How many the whole listing has, where the source says so.
    public var total: Int?
    /// The sources that were asked before the one that answered, in order.
    public var passedOver: [SourceFailure]

    public init(
        items: [GIFReference], next: PageToken? = nil, total: Int? = nil, passedOver: [SourceFailure] = []
    ) {
        self.items = items
        self.next = next
        self.total = total
        self.passedOver = passedOver
    }
}

/// A source that gave nothing, and why.
public struct SourceFailure: Equatable, Sendable {
    public var source: String
    public var reason: CatalogError

    public init(source: String, reason: CatalogError) {
        self.source = source
        self.reason = reason
    }
}
