import Foundation

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
        default: self = Self.syntaxError(in: document)
        }
    }

    /// Finds the line of a syntax error with JSONSerialization, because JSONDecoder does not report the line.
    private static func syntaxError(in document: [UInt8]) -> ImportError {
        do {
            _ = try JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)
            return .notJSON(reason: "a number is out of range", line: nil)
        } catch {
            let message = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "broken"
            guard let position = message.firstRange(of: " around character ") else {
                return .notJSON(reason: message, line: nil)
            }
            let offset = Int(message[position.upperBound...].prefix { $0.isNumber }) ?? 0
            let line = 1 + document.prefix(offset).count { $0 == UInt8(ascii: "\n") }
            return .notJSON(reason: String(message[..<position.lowerBound]), line: line)
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
