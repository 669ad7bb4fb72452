import Base
import Catalog
import Pixels
import Playback

/// The complete state of the gallery. Events change it, and ``GalleryView`` derives the screen from it.
public struct GalleryState: Equatable, Sendable {
    var options: GalleryOptions
    var traits: TerminalTraits
    /// The time of the latest event.
    var now = Instant(nanoseconds: 0)
    var mode = Mode.browsing
    var search: SearchInput
    var listing: Listing
    var parked = ParkedListings()
    /// The gallery grid, which is updated from ``listing`` and ``facts`` after each event.
    var grid: GalleryGrid
    var facts = ItemFacts()
    var undoable: [Dismissal] = []
    var notices = StatusNotices()
    var screensaver = Screensaver()
    var tickets = Tickets()
    /// The tile requests in the latest effect ``GalleryEffect/show(_:)``.
    var requestedTiles: [TileRequest] = []

    /// - Parameter feed: the feed to show first. If it is a search, the search field contains its query.
    public init(feed: Feed, traits: TerminalTraits, options: GalleryOptions = GalleryOptions()) {
        self.options = options
        self.traits = traits
        listing = Listing(feed)
        grid = GalleryGrid(Pane(traits))
        if case .search(let query) = feed { search = SearchInput(query) } else { search = SearchInput("") }
    }

    /// The time at which the next ``GalleryEvent/deadline`` is due; nil if nothing is scheduled.
    var nextDeadline: Instant? {
        [search.deadline, listing.loading.deadline, notices.deadline, screensaver.deadline, nextCount]
            .reduce(nil) { Instant.earliest($0, $1) }
    }

    /// The time at which the countdown in the displayed error changes next; nil if no countdown is displayed.
    private var nextCount: Instant? {
        guard case .failed(_, _, let since) = listing.loading, GalleryView(self).showsWaitingTime else { return nil }
        return since + ((now - since) / Span.second + 1) * Span.second
    }

    /// Returns the screen for the current state.
    func view() -> Screen { GalleryView(self).screen() }

    /// The current time in seconds since 1970.
    var seconds: Int { options.secondsAtOrigin + Int(now.nanoseconds / Span.second) }

    func title(ofSource name: String) -> String { options.sourceTitles[name] ?? name }
}

extension Feed {
    var isTrending: Bool {
        if case .trending = self { true } else { false }
    }
}
