import Base
import Catalog
import Pixels
import Playback

/// The complete state of the gallery. Events change it, and ``view()`` derives the screen from it.
public struct GalleryState: Equatable, Sendable {
    public var options: GalleryOptions
    var traits: TerminalTraits
    /// The time of the latest event.
    var now = Instant(nanoseconds: 0)
    var mode = Mode.browsing
    var field: SearchField
    var searchSchedule = SearchSchedule.unscheduled
    var listing: Listing
    var parked = ParkedListings()
    var facts = ItemFacts()
    var undoable: [Dismissal] = []
    var notice = StatusNotice.none
    /// Messages about services that will be displayed, one after the other, when the displayed message ends.
    var pendingMessages: [StatusMessage] = []
    var screensaver = Screensaver.off
    var lastTicket = 0
    /// The tile requests of the latest effect ``GalleryEffect/show(_:)``.
    var requestedTiles: [TileRequest] = []

    // The following properties are computed from the properties above at the end of each update.

    /// The items of the listing without dismissed GIFs. The history also contains GIFs that were dismissed after it was
    /// read from the store.
    var items: [GIFReference] = []
    var masonry = Masonry()
    /// The inputs from which `items` and `masonry` were computed; nil if both must be computed again.
    var layoutInputs: LayoutInputs?

    /// - Parameter feed: the feed to show first. If it is a search, the search field contains its query.
    public init(feed: Feed, traits: TerminalTraits, options: GalleryOptions = GalleryOptions()) {
        self.options = options
        self.traits = traits
        listing = Listing(feed)
        if case .search(let query) = feed { field = SearchField(query) } else { field = SearchField("") }
    }

    /// The time at which the next ``GalleryEvent/deadline`` is due; nil if nothing is scheduled.
    public var nextDeadline: Instant? {
        [searchSchedule.deadline, listing.loading.deadline, notice.deadline, screensaver.deadline, nextCount]
            .reduce(nil) { Instant.earliest($0, $1) }
    }

    /// Returns the feed to show when the user deletes the query from the search field.
    static func home(_ options: GalleryOptions) -> Feed {
        options.feeds.first(where: \.isTrending) ?? .trending(source: nil)
    }
}

extension Feed {
    var isTrending: Bool {
        if case .trending = self { true } else { false }
    }

    var isSearch: Bool {
        if case .search = self { true } else { false }
    }
}
