import Catalog

/// The result of a search for the next playable item.
public struct NextItem: Sendable {
    /// The number of candidates at the start of the search. In the playlist, `skipped`, `fetched` and `remaining`
    /// replace these candidates.
    public var candidates = 0
    /// The items that precede the chosen result in the list.
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
    /// The time limit of a search if its item source has alternatives. When the time is over and no download makes
    /// progress, a matching built-in sample is used. If the item source is endless, the search continues instead.
    public static let budget = Duration.seconds(10)
    private static let endlessSilence = Duration.seconds(8)

    /// The items known so far, in order.
    public var candidates: [PlayItem]
    public var itemSource: (any ItemSource)?
    /// Which item to choose.
    public var choice: ResultChoice
    /// Whether to wait for all bytes of the item.
    public var needsAllBytes: Bool
    public var hedge: HedgedAttempts

    public init(
        candidates: [PlayItem], itemSource: (any ItemSource)? = nil, choice: ResultChoice = .first,
        needsAllBytes: Bool = false, hedge: HedgedAttempts = HedgedAttempts()
    ) {
        self.candidates = candidates
        self.itemSource = itemSource
        self.choice = choice
        self.needsAllBytes = needsAllBytes
        self.hedge = hedge
    }

    public func run(_ loader: any ItemLoading) async -> NextItem {
        var finder = self
        // In random mode another GIF is playing, so the user does not wait. The search waits longer for a silent
        // download before it starts a second one, which would take bandwidth from the download of the playing GIF.
        if itemSource?.isEndless == true { finder.hedge = HedgedAttempts(silence: Self.endlessSilence) }
        let budget = itemSource?.hasAlternatives == true ? TimeBudget(Self.budget) : nil
        let search = NextItemSearch(finder, loader, budget: budget)
        await search.skipToChoice()
        return await search.run()
    }
}
