import Base
import Catalog
import Pixels
import Playback

/// The complete state of the gallery. Events change it, and ``GalleryView`` derives the screen from it.
public struct GalleryState: Equatable, Sendable {
    var options: GalleryOptions
    var now = Instant(nanoseconds: 0)
    var mode = Mode.browsing
    var search: SearchInput
    var listing: Listing
    var parked = ParkedListings()
    /// The GIFs that the user has marked for the next actions, also those of other listings, in the order of the marks.
    var marked: [GIFReference] = []
    /// The gallery grid, which is updated from ``listing`` and ``facts`` after each event.
    var grid: GalleryGrid
    /// The grid of the listing before, which is displayed, dimmed, until the first picture of ``grid`` is there.
    var previousGrid: GalleryGrid?
    /// The requested GIFs whose pictures are there.
    var pictured: Set<GIFKey> = []
    var facts = ItemFacts()
    /// Whether the user has chosen the current feed, and not a query: an empty feed then leaves the keys to the gallery.
    var hasChosenFeed = false
    var notices = StatusNotices()
    /// The query that has found nothing, and the user's latest queries, which are offered then.
    var failedQuery = ""
    var earlier = Suggestions()
    /// The time at which the screensaver starts without input until then; nil if it cannot start.
    var idleDeadline: Instant?
    /// The feed in which Esc quits: the first one.
    let homeFeed: Feed
    private(set) var traits: TerminalTraits
    private var hasHintedGraphics = false
    /// Whether a link or a file that the user has entered or dropped opens when it is there.
    var opensLink = false
    /// Whether the last GIF is selected again when further ones have arrived.
    var seeksLast = false
    /// The GIF that is selected when its page has arrived, unless the user has pressed a key or clicked before.
    var soughtItem: GIFReference?
    /// The largest error of a colour on a slow connection, in just noticeable differences; nil on others.
    var bound: Int?
    /// Whether the user has changed the order of the files, whose first page has not arrived yet.
    var isSorting = false
    /// The time of the latest wheel event in the large view, by its direction.
    var lastWheel: [Int: Instant] = [:]
    var tickets = Tickets()
    /// The tile requests in the latest effect ``GalleryEffect/show(_:)``.
    var requestedTiles: [TileRequest] = []

    /// - Parameter feed: the feed to show first. If it is a search, the search field contains its query.
    /// - Parameter items: known GIFs of the feed, which are displayed until the feed is loaded.
    /// - Parameter item: the GIF to select; nil for the first one. If the feed does not list it, it is added, unless it is
    ///   a file.
    public init(
        feed: Feed, items: [GIFReference] = [], selecting item: GIFReference? = nil, traits: TerminalTraits,
        options: GalleryOptions = GalleryOptions()
    ) {
        (self.options, self.traits, homeFeed, soughtItem) = (options, traits, feed, item)
        listing = Listing(feed, items: items, seconds: options.secondsAtOrigin)
        grid = GalleryGrid(Pane(traits, options))
        search = SearchInput("")
        search.note(feed, isTyping: false)
        if options.startsTyping { focusField() }
    }

    /// Handles a change of the terminal's size or properties.
    mutating func adapt(to newTraits: TerminalTraits) {
        traits = newTraits
        resizeGrid()
        guard traits.graphics.isUsable, options.drawing.graphics == .off, !hasHintedGraphics else { return }
        hasHintedGraphics = true
        notices.display(.sharperPictures, at: now)
    }

    /// Lays the grid out again, after a change of the terminal or of the options.
    mutating func resizeGrid() {
        grid.resize(to: Pane(traits, options))
        previousGrid?.resize(to: grid.pane)
    }

    /// The time at which the next ``GalleryEvent/deadline`` is due; nil if nothing is scheduled.
    var nextDeadline: Instant? {
        [
            search.suggestions.deadline, listing.loading.deadline, notices.deadline, idleDeadline, retryTime, nextCount,
        ]
        .reduce(nil) { Instant.earliest($0, $1) }
    }

    /// The time at which the displayed duration of a query changes next; nil if none is displayed.
    private var nextCount: Instant? {
        guard let since = listing.asked?.since, !mode.isFull, notices.note == nil else { return nil }
        let isFirst = if case .first = listing.loading { true } else { false }
        guard isFirst || phase == .searching && grid.items.isEmpty else { return nil }
        return since + ((now - since) / Span.second + 1) * Span.second
    }

    func view() -> GalleryScreen { GalleryView(self).screen() }

    /// The current time in seconds since 1970.
    var seconds: Int { options.secondsAtOrigin + Int(now.nanoseconds / Span.second) }

    func title(ofSource name: String) -> String { options.sourceTitles[name] ?? name }
}

public struct GalleryOptions: Equatable, Sendable {
    /// The feeds that Tab switches between, in order.
    public var feeds: [Feed] = [.trending(source: nil), .favourites, .history, .dismissed]
    /// The display names of the sources. Each key is the `GIFRepository.name` of a source.
    public var sourceTitles: [String: String] = [:]
    public var language = Language.english
    /// Whether the user has chosen offline mode, in which a retry cannot succeed.
    public var isOffline = false
    public var drawing = Drawing(.half)
    /// Whether the user has chosen the characters. Otherwise, tiles consist of quadrants in place of half-blocks.
    public var hasChosenMode = false
    /// Whether the font of the terminal has quadrants. That of the Linux console has only half-blocks.
    public var hasQuadrants = true
    /// The number of columns of tiles that the user has removed to get larger tiles; negative for smaller tiles.
    public var tileZoom = 0
    static let maximumZoom = 8
    /// Whether wide panes show a large picture of the selection beside the tiles.
    public var showsSide = false
    /// Whether the search field has the keyboard focus at the start.
    public var startsTyping = false
    /// What Enter takes from the selected GIF; nil unless another program lets the user choose a GIF.
    public var picker: PickedPart?
    /// Whether the graphics apply to tiles, and not only to the large view. On a network, tiles need too many bytes.
    public var hasImageTiles = true
    /// Whether only the selected GIF is animated and the screensaver is off.
    public var reducesMotion = false
    /// The order of the files; nil if it is that of the command line.
    public var order: FileOrder?
    /// The time, in seconds since 1970, at which the monotonic clock was 0.
    public var secondsAtOrigin = 0
    /// How long typing must pause before the services are asked, in nanoseconds.
    public var debounce = 600 * Span.millisecond
    /// As ``debounce``, for a query of three to five characters. It is longer, because the user is likely to type more.
    /// The services get shorter queries only when the user presses Enter or the space bar.
    public var shortDebounce = 1_000 * Span.millisecond
    /// The time without input, in nanoseconds, after which the screensaver shows random GIFs; nil disables the
    /// screensaver. It starts only in a trending or random feed and with an empty search field.
    public var screensaverDelay: Int64? = 60 * Span.second

    public init() {}
}

/// The part of the picked GIF that gifplay prints.
public enum PickedPart: String, CaseIterable, Sendable {
    case url
    case page
    case file
    case markdown
}

/// The input mode, which determines the meaning of keys.
enum Mode: Equatable, Sendable {
    /// The search field has the keyboard focus.
    case typing
    case browsing
    /// The player shows the selected GIF.
    case full
    /// The help covers the grid.
    case help(firstLine: Int)

    var isFull: Bool { self == .full }
    var isTyping: Bool { self == .typing }
}

/// Numbers that identify requests. None is used twice.
struct Tickets: Equatable, Sendable {
    private var last = 0

    mutating func next() -> Int {
        last += 1
        return last
    }
}

/// Facts about individual GIFs. They do not depend on the listing that contains the GIF.
struct ItemFacts: Equatable, Sendable {
    var marks: [GIFKey: Marks] = [:] { didSet { revision += 1 } }
    /// Increases with every change of the marks, which can change the layout: a dismissed GIF usually has no tile.
    private(set) var revision = 0
    /// The sizes of decoded canvases, in pixels.
    var sizes: [GIFKey: PixelSize] = [:]
    /// The reasons why GIFs have no picture.
    var failures: [GIFKey: Failure] = [:]
    /// The GIFs that have no picture, because the store does not keep their addresses and the page that has them is
    /// still loading.
    var unaddressed: Set<GIFKey> = []
    /// The GIFs whose downloads take longer than a second.
    var loading: Set<GIFKey> = []
    /// The GIFs of whose files a part cannot be decoded.
    var damaged: Set<GIFKey> = []

    /// The latest dismissals, which the user can undo.
    var undoable: [Dismissal] = []

    func marks(of key: GIFKey) -> Marks { marks[key] ?? Marks() }

    mutating func set(_ mark: WritableKeyPath<Marks, Bool>, to value: Bool, of key: GIFKey) {
        marks[key, default: Marks()][keyPath: mark] = value
    }

    /// The number of GIFs outside the listing whose facts are kept. Random GIFs come without end.
    private static let spareCount = 2_000

    /// Forgets what can be found out again about GIFs outside the listing, if there are many.
    mutating func prune(keeping keys: Set<GIFKey>) {
        guard max(sizes.count, failures.count, loading.count, damaged.count, marks.count) > keys.count + Self.spareCount
        else {
            return
        }
        sizes = sizes.filter { keys.contains($0.key) }
        failures = failures.filter { keys.contains($0.key) }
        loading.formIntersection(keys)
        damaged.formIntersection(keys)
        marks = marks.filter { keys.contains($0.key) || $0.value.isDismissed || $0.value.isFavourite }
    }

    /// The files of these GIFs are then requested again.
    mutating func clearFailures(of items: [GIFReference]) { for item in items { failures[item.key] = nil } }

    mutating func clearFailures() { failures = [:] }

    /// Returns the size of the decoded canvas if it is known, and otherwise the size that the service reports. If the
    /// service reports no valid size either, returns 4x3, because the aspect ratio of most GIFs is close to 4:3.
    func canvas(of reference: GIFReference) -> PixelSize {
        if let size = sizes[reference.key], size.width > 0, size.height > 0 { return size }
        for rendition in reference.renditions {
            guard let width = rendition.width, let height = rendition.height else { continue }
            // A service can report any number, but a GIF has at most 65,535 pixels per side.
            if (1...65535).contains(width), (1...65535).contains(height) {
                return PixelSize(width: width, height: height)
            }
        }
        return PixelSize(width: 4, height: 3)
    }
}

/// The GIFs that one key press dismissed, and the feed and the selection before the key press.
struct Dismissal: Equatable, Sendable {
    var references: [GIFReference]
    var feed: Feed
    var selection: GalleryGrid.Selection?

    static let maxCount = 100
}
