/// A file of an item. A result from a service can have several files; any other item has one file.
public struct MediaFile: Sendable {
    public let item: PlayItem
    /// The address of the file; "" if the item is local.
    public let url: String
    /// Whether this file might be a still, even if another file of the item is animated.
    public let mayBeStill: Bool

    public init(_ item: PlayItem, url: String, mayBeStill: Bool = false) {
        self.item = item
        self.url = url
        self.mayBeStill = mayBeStill
    }
}
