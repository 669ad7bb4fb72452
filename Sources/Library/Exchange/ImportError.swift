import Gallery

/// Why a document was not imported; nothing of it was.
public enum ImportError: Error, Equatable, Sendable {
    case tooLarge(bytes: Int, limit: Int)
    /// Not JSON; the evidence is the parser's words, and the line, from 1, where they tell a place.
    case notJSON(reason: String, line: Int?)
    /// Written by a newer gifplay, or by hand.
    case unknownVersion(Double)
    /// The field, as `history[2].gif.title`, and what is wrong with it.
    case field(String, String)
    /// With it the history would hold more than it keeps, and something would have to go.
    case historyFull(entries: Int, bound: Int)
    case store(StoreError)
}

/// How many of a document were new.
public struct ImportCounts: Equatable, Sendable {
    public var favourites = 0
    public var history = 0
    public var dismissed = 0

    public init(favourites: Int = 0, history: Int = 0, dismissed: Int = 0) {
        self.favourites = favourites
        self.history = history
        self.dismissed = dismissed
    }
}
