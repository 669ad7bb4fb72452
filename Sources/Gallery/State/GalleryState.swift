import Base
import Catalog
import Pixels
import Playback

/// All that the browser knows: events change it, and a screen follows from it.
public struct GalleryState: Equatable, Sendable {
    public var options: GalleryOptions
    var traits: TerminalTraits
    /// Of the latest event.
    var now = Instant(nanoseconds: 0)
    var mode = Mode.browsing
    var field: SearchField
    var typing = Typing.settled
    var listing: Listing
    var parked = ParkedListings()
    var knowledge = Knowledge()
    var undoable: [Dismissal] = []
    var notice = Notice.none
    /// Sentences about the services that wait for the one that is displayed.
    var waitingNotices: [Saying] = []
    var screensaver = Screensaver.off
    var lastTicket = 0
    /// What the latest ``GalleryEffect/show(_:)`` asked for.
    var asked: [TileRequest] = []

    // Derived of all the above at the end of each update.

    /// The listing without what was dismissed.
    var items: [GIFReference] = []
    var masonry = Masonry()
    /// What the two above were made of; nil where they do not hold good any more.
    var basis: LayoutBasis?

    /// - Parameter feed: what is shown first; a search fills the search field with its words.
    public init(feed: Feed, traits: TerminalTraits, options: GalleryOptions = GalleryOptions()) {
        self.options = options
        self.traits = traits
        listing = Listing(feed)
        if case .search(let words) = feed { field = SearchField(words) } else { field = SearchField("") }
    }

    /// When ``GalleryEvent/deadline`` is due; nil for not at all.
    public var nextDeadline: Instant? {
        [typing.deadline, listing.loading.deadline, notice.deadline, screensaver.deadline, nextCount]
            .reduce(nil) { Instant.earliest($0, $1) }
    }

    /// What an empty search field leads to.
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
