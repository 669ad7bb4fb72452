import Base
import Catalog

/// The result of a search for the next playable item.
public struct NextItem: Sendable {
    /// The number of candidates at the start, which the playlist replaces by `skipped`, `fetched` and `remaining`.
    public var candidates = 0
    /// The items before the one that ``NextItemFinder/choice`` selects. The search does not try these items.
    public var skipped: [PlayItem] = []
    /// The playable item; nil at the end of the list or if no item could be played.
    public var fetched: FetchedItem?
    /// The items after `fetched`, in order, without those that cannot be played.
    public var remaining: [PlayItem] = []
    /// The reasons why items or sources were skipped, or why no more items follow.
    public var failures: [String] = []
}

/// Tries items in order until one can be played, and gets further pages and sources when the items run out.
public struct NextItemFinder: Sendable {
    /// The time limit of a search whose stream has alternatives. If the time is over and no download makes
    /// progress, the search ends with a matching built-in sample, unless the stream is endless.
    public static let budget = Duration.seconds(10)
    private static let endlessSilence = Duration.seconds(8)

    public var candidates: [PlayItem]
    public var stream: (any CandidateStream)?
    public var choice: ResultChoice
    public var needsAllBytes: Bool
    public var hedge: HedgedAttempts

    public init(
        candidates: [PlayItem], stream: (any CandidateStream)? = nil, choice: ResultChoice = .first,
        needsAllBytes: Bool = false, hedge: HedgedAttempts = HedgedAttempts()
    ) {
        self.candidates = candidates
        self.stream = stream
        self.choice = choice
        self.needsAllBytes = needsAllBytes
        self.hedge = hedge
    }

    public func run(_ loader: any ItemLoading) async -> NextItem {
        var finder = self
        // In random mode, another GIF is usually playing, and a second download would take bandwidth from it.
        if stream?.isEndless == true { finder.hedge = HedgedAttempts(silence: Self.endlessSilence) }
        return await FirstPlayable(finder, loader).run()
    }
}
