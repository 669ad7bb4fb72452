import Catalog

/// A failed import changes nothing.
public enum ImportError: Error, Equatable, Sendable {
    case tooLarge(bytes: Int, limit: Int)
    /// The document is not valid JSON. The decoder reports no place.
    case notJSON
    /// For example, a newer gifplay wrote the document.
    case unknownVersion(Double)
    /// The path of the field, such as `history[2].gif.title`, and a description of the problem.
    case field(String, String)
    /// The history would exceed its maximum size. An import does not delete entries to make room.
    case historyFull(entries: Int, bound: Int)
    case store(StoreError)
}

/// The numbers of imported items that were new to the library.
public struct ImportCounts: Equatable, Sendable {
    public var favourites = 0
    public var history = 0
    public var dismissed = 0
}

extension ImportError {
    /// Adds the path of the field, unless the document is not JSON.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context): self = .field(fieldPath(context.codingPath + [key]), "is missing")
        case .valueNotFound(_, let context): self = .field(fieldPath(context.codingPath), "is missing")
        case .typeMismatch(let type, let context):
            self = .field(fieldPath(context.codingPath), "should be \(Self.name(type))")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            self = .field(fieldPath(context.codingPath), context.debugDescription)
        default: self = .notJSON
        }
    }

    private static func name(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Int.Type, is Double.Type: "a whole number"
        case is Bool.Type: "true or false"
        case is any Sequence.Type where !"\(type)".hasPrefix("Dictionary"): "a list"
        default: "an object"
        }
    }
}
