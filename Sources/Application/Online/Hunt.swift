import Catalog

/// What a hunt for the next item that can be played came to.
public struct Found: Sendable {
    /// How many items the hunt began with; the others here take their place.
    public var candidates = 0
    /// What stands before the item, because another result is wanted.
    public var skipped: [PlayItem] = []
    /// Nil at the end, or where nothing could be had.
    public var fetched: Fetched?
    /// What is still to come, in order; what cannot be played is gone.
    public var remaining: [PlayItem] = []
    /// Why those were passed over, or why there are no more.
    public var failures: [String] = []
}

/// Goes through items, and the pages and sources behind them, until one can be played.
public struct Hunt: Sendable {
    /// How long it may take before what the binary carries stands in.
    public static let budget = Duration.seconds(10)
    private static let endlessSilence = Duration.seconds(8)

    /// What is known to come, in order.
    public var candidates: [PlayItem]
    public var supply: (any Supply)?
    /// Which of them is wanted.
    public var choice: ResultChoice
    /// Waits for all bytes, and refuses stills.
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
        // At random nobody waits: something else is on the screen meanwhile, and the line is its.
        if supply?.isEndless == true { hunt.hedge = HedgedAttempts(silence: Self.endlessSilence) }
        let budget = supply?.hasAlternatives == true ? TimeBudget(Self.budget) : nil
        let finder = NextItemFinder(hunt, online, budget: budget)
        await finder.skipToChoice()
        return await finder.run()
    }
}
