extension ImportError {
    /// Converts an error of the decoder. Adds the path of the field, or the line if the document is not JSON.
    init(_ error: DecodingError, in document: [UInt8]) {
        switch error {
        case .keyNotFound(let key, let context): self = .field(fieldPath(context.codingPath + [key]), "is missing")
        case .valueNotFound(_, let context): self = .field(fieldPath(context.codingPath), "is missing")
        case .typeMismatch(let type, let context):
            self = .field(fieldPath(context.codingPath), "should be \(Self.name(type))")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            self = .field(fieldPath(context.codingPath), context.debugDescription)
        default:
            let error = JSONSyntaxCheck.firstError(in: document)
            self = .notJSON(reason: error?.reason ?? "a number is out of range", line: error?.line)
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
