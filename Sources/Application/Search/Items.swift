import Base
import Catalog
import Fetching

/// Supplies items without end, one at a time.
public protocol ItemFeed: Sendable {
    /// Whether items arrive at any time, so that no other one replaces a missing one.
    var waitsForItems: Bool { get }
    func waitingText(in language: Language) -> String
    /// Why the latest item was left out; nil if none was since the last good one.
    var problem: String? { get }
    /// The time of the next automatic attempt while there is no connection; otherwise nil.
    var retryTime: ContinuousClock.Instant? { get }

    /// Makes the attempt of ``retryTime`` now.
    func retryNow()

    /// Call this if the host of an item's file cannot be reached.
    func reportUnreachable()

    /// Returns the next item, and the failures of the sources that could not provide it.
    func next() async throws(CatalogError) -> ResultPage
}

extension ItemFeed {
    public var retryTime: ContinuousClock.Instant? { nil }
    public var waitsForItems: Bool { false }
    public var problem: String? { nil }

    public func retryNow() {}

    public func reportUnreachable() {}
}

/// Supplies random GIFs.
public struct RandomItems: ItemFeed {
    private let feed: RandomFeed

    public init(_ repository: any GIFRepository, _ preferences: ListingPreferences, health: SourceHealth) {
        feed = RandomFeed(repository, preferences: preferences, health: health, reconnects: true)
    }

    public var retryTime: ContinuousClock.Instant? { feed.retryTime }

    public func retryNow() { Task { [feed] in await feed.retryNow() } }

    public func waitingText(in language: Language) -> String {
        language(en: "looking for a GIF…", de: "suche ein GIF …")
    }

    public func reportUnreachable() { Task { [feed] in await feed.checkConnection() } }

    public func next() async throws(CatalogError) -> ResultPage {
        let reference = try await feed.next()
        return ResultPage(items: [reference], sourceFailures: await feed.failures)
    }
}

/// The result of a search for the next playable item.
public struct NextItem: Sendable {
    /// The number of candidates at the start, which the playlist replaces by `skipped`, `fetched` and `remaining`.
    public var candidates = 0
    /// The items before the one that the choice selects. They are not tried.
    public var skipped: [PlayItem] = []
    /// The playable item; nil at the end of the list or if no item could be played.
    public var fetched: FetchedItem?
    /// The items after `fetched`, in order, without those that cannot be played.
    public var remaining: [PlayItem] = []
    /// The reasons why items or sources were skipped, or why no more items follow.
    public var failures: [String] = []
}

/// What a playlist asks for: the next of its items that can be played, or else the next one of its search.
public struct ItemRequest: Sendable {
    public var candidates: [PlayItem]
    /// Nil if the candidates are all items.
    public var search: SearchLoop?
    public var choice: ResultChoice
    public var needsAllBytes: Bool

    public init(
        candidates: [PlayItem], search: SearchLoop? = nil, choice: ResultChoice = .first, needsAllBytes: Bool = false
    ) {
        self.candidates = candidates
        self.search = search
        self.choice = choice
        self.needsAllBytes = needsAllBytes
    }

    public func run(_ loader: any ItemLoading) async -> NextItem {
        await (search ?? SearchLoop(Search(.list), health: loader.health))
            .nextItem(candidates, choice, needsAllBytes: needsAllBytes, loader)
    }
}

/// Loads the files of items. ``GIFLoader`` is the implementation; tests use a double.
public protocol ItemLoading: Sendable {
    var clock: any WaitClock { get }
    var health: SourceHealth { get }
    /// The most recently started download, for progress reports.
    var latestDownload: Download? { get }

    /// Returns the files of a GIF in the order in which to try them, at most four.
    /// - Throws: an error if the list would be empty.
    func files(of reference: GIFReference) throws(CommandError) -> [MediaFile]

    /// Whether the file is stored on this machine and can be loaded without its host.
    func isStored(_ file: MediaFile) -> Bool

    /// Fetches a file. If the file is from a service, returns once it is known to be animated. If it is from any other
    /// server, returns once its first bytes have arrived. Local items need no download.
    /// - Parameters:
    ///   - needsAllBytes: whether to wait for all bytes of the file.
    ///   - startRetries: the maximum number of retries at the start of the download, as in `Download.Request`.
    ///   - begun: called with the download, unless the file is stored or local.
    func fetch(
        _ file: MediaFile, needsAllBytes: Bool, startRetries: Int?, begun: @Sendable (Download) -> Void
    ) async throws(CommandError) -> FetchedItem
}

extension ItemLoading {
    public var latestDownload: Download? { nil }
}

/// A file of an item. A result from a service can have several files; any other item has one file.
public struct MediaFile: Equatable, Sendable {
    public let item: PlayItem
    /// The address of the file; "" if the item is local.
    public let url: String
    /// Whether this file might be a still, even if another file of the item is animated.
    public let mayBeStill: Bool
    /// Whether it can be loaded without its host, although that cannot be used now.
    var isStored = false

    public init(_ item: PlayItem, url: String, mayBeStill: Bool = false) {
        self.item = item
        self.url = url
        self.mayBeStill = mayBeStill
    }
}
