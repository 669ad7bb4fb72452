import Catalog

/// The reason why an import failed. A failed import changes nothing.
public enum ImportError: Error, Equatable, Sendable {
    case tooLarge(bytes: Int, limit: Int)
    /// The document is not valid JSON. `reason` is the parser's message. `line` counts from 1, and is nil if unknown.
    case notJSON(reason: String, line: Int?)
    /// The document has an unknown version number. For example, a newer gifplay wrote the document.
    case unknownVersion(Double)
    /// A field is wrong. The values are the path of the field, such as `history[2].gif.title`, and a description of the
    /// problem.
    case field(String, String)
    /// The import would make the history exceed its maximum size. An import does not delete entries to make room.
    case historyFull(entries: Int, bound: Int)
    case store(StoreError)
}

/// For each list, the number of imported items that were new to the library.
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
