import Gallery

/// Why an import failed. A failed import changes nothing.
public enum ImportError: Error, Equatable, Sendable {
    case tooLarge(bytes: Int, limit: Int)
    /// Not valid JSON. `reason` is the parser's message; `line` counts from 1 and is nil if unknown.
    case notJSON(reason: String, line: Int?)
    /// The document has another version: a newer gifplay or a person wrote it.
    case unknownVersion(Double)
    /// The path of a field, such as `history[2].gif.title`, and what is wrong with the field.
    case field(String, String)
    /// The import would make the history exceed its bound, and entries would have to be deleted.
    case historyFull(entries: Int, bound: Int)
    case store(StoreError)
}

/// How many items of an imported document were new.
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
