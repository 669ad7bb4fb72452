import Catalog

/// The result of a search for the next playable item.
public struct Found: Sendable {
    /// The number of candidates at the start. `skipped`, `fetched` and `remaining` replace these items in the playlist.
    public var candidates = 0
    /// The items before the chosen result.
    public var skipped: [PlayItem] = []
    /// The playable item; nil at the end of the list or if no item could be played.
    public var fetched: Fetched?
    /// The items after it, in order, without those that cannot be played.
    public var remaining: [PlayItem] = []
    /// Why items or sources were skipped, or why there are no more items.
    public var failures: [String] = []
}

/// Tries items in order until one can be played, and gets further pages and sources when the items run out.
public struct Hunt: Sendable {
    /// The time after which a built-in sample replaces the result.
    public static let budget = Duration.seconds(10)
    private static let endlessSilence = Duration.seconds(8)

    /// The items known so far, in order.
    public var candidates: [PlayItem]
    public var supply: (any Supply)?
    /// Which item to choose.
    public var choice: ResultChoice
    /// Whether to wait for all bytes of the item.
    public var isWhole: Bool
    public var hedge: HedgedAttempts

    public init(
        candidates: [PlayItem], supply: (any Supply)? = nil, choice: ResultChoice = .first, isWhole: Bool = false,
        hedge: HedgedAttempts = HedgedAttempts()
    ) {
        self.candidates = candidates
        self.supply = supply
        self.choice = choice
        self.isWhole = isWhole
        self.hedge = hedge
    }

    public func run(_ online: Online) async -> Found {
        var hunt = self
        // In random mode nobody waits: another GIF is on the screen, and its download should have the bandwidth.
        if supply?.isEndless == true { hunt.hedge = HedgedAttempts(silence: Self.endlessSilence) }
        let budget = supply?.hasAlternatives == true ? TimeBudget(Self.budget) : nil
        let finder = NextItemFinder(hunt, online, budget: budget)
        await finder.skipToChoice()
        return await finder.run()
    }
}
