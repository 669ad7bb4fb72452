public struct SearchQuery: Hashable, Sendable {
    /// As the user typed it.
    public var text: String
    public var preferences: ListingPreferences
    /// Whether a single matching search term is enough for a hit. Not all sources support this.
    public var matchesAnyTerm = false

    public init(_ text: String, preferences: ListingPreferences = ListingPreferences()) {
        self.text = text
        self.preferences = preferences
    }
}

/// The settings that apply to every listing, with or without a query.
public struct ListingPreferences: Hashable, Sendable {
    public var rating: Rating
    /// The two-letter ISO 639-1 code.
    public var language: String
    /// The display width of the GIF in pixels, if it is known.
    public var targetWidth: Int?
    /// For the whole call, including all of its requests.
    public var budgetMilliseconds: Int
    /// Whether to query the source even if the result of an identical call is cached.
    public var bypassesCache = false

    public init(
        rating: Rating = .g, language: String = "en", targetWidth: Int? = nil, budgetMilliseconds: Int = 20_000
    ) {
        self.rating = rating
        self.language = language
        self.targetWidth = targetWidth
        self.budgetMilliseconds = budgetMilliseconds
    }

    /// A copy without the properties that apply only to one call.
    package var forComparison: ListingPreferences {
        var preferences = self
        preferences.budgetMilliseconds = 0
        preferences.bypassesCache = false
        return preferences
    }
}

/// A limit for explicit content. The cases are in order, the strictest first. GIPHY and KLIPY use these names.
public enum Rating: String, CaseIterable, Sendable {
    case g
    case pg
    case pg13 = "pg-13"
    case r
}

extension Rating {
    /// `self` is the upper limit. A missing or unknown rating is allowed.
    package func allows(_ word: String?) -> Bool {
        guard let word = word?.lowercased(), let other = Rating(rawValue: word) else { return true }
        return (Self.allCases.firstIndex(of: other) ?? 0) <= (Self.allCases.firstIndex(of: self) ?? 0)
    }
}
