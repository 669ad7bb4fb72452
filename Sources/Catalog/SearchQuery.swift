/// What is looked for, and how the answer should be.
public struct SearchQuery: Hashable, Sendable {
    /// The words as they were typed.
    public var words: String
    public var preferences: Preferences
    /// Whether a hit of any of the words will do, where a source can search so.
    public var matchesAnyTerm = false

    public init(_ words: String, preferences: Preferences = Preferences()) {
        self.words = words
        self.preferences = preferences
    }
}

/// What every listing is asked with, whatever the words.
public struct Preferences: Hashable, Sendable {
    /// The strongest content that may come.
    public var rating: Rating
    /// ISO 639-1, two letters.
    public var language: String
    /// The width in pixels that the picture will have on the screen, where it is known.
    public var targetWidth: Int?
    /// For the whole call with every request that it needs, in milliseconds.
    public var budgetMilliseconds: Int
    /// Whether the source is asked although it gave the same answer a moment ago.
    public var asksAnew = false
    /// Sources that are passed over, because the files that they name cannot be had now.
    public var avoided: Set<String> = []

    public init(
        rating: Rating = .g, language: String = "en", targetWidth: Int? = nil, budgetMilliseconds: Int = 20_000
    ) {
        self.rating = rating
        self.language = language
        self.targetWidth = targetWidth
        self.budgetMilliseconds = budgetMilliseconds
    }

    /// Without what belongs to one call alone.
    var forComparison: Preferences {
        var preferences = self
        preferences.budgetMilliseconds = 0
        preferences.asksAnew = false
        preferences.avoided = []
        return preferences
    }
}

/// The strongest content that may come, in the words that GIPHY and KLIPY use.
public enum Rating: String, CaseIterable, Sendable {
    case g
    case pg
    case pg13 = "pg-13"
    case r
}
