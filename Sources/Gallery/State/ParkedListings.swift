import Catalog

/// The listings that the user left recently, in the order in which the user left them.
struct ParkedListings: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        var listing: Listing
        var position: GalleryGrid.Position
    }

    private var entries: [Entry] = []

    static let maxCount = 8

    mutating func park(_ listing: Listing, at position: GalleryGrid.Position) {
        entries.removeAll { $0.listing.feed == listing.feed }
        entries.append(Entry(listing: listing, position: position))
        if entries.count > Self.maxCount { entries.removeFirst() }
    }

    subscript(feed: Feed) -> Listing? { entries.first { $0.listing.feed == feed }?.listing }

    mutating func take(_ feed: Feed) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.listing.feed == feed }) else { return nil }
        return entries.remove(at: index)
    }
}
