import Base
import Catalog

/// Reads the fields of an object. An unknown field is an error, so that a misspelt one such as `favorites` is not lost.
struct StrictFields {
    private let container: KeyedDecodingContainer<MemberName>

    init(_ decoder: any Decoder, known: [String]) throws {
        container = try decoder.container(keyedBy: MemberName.self)
        let unknown = container.allKeys.filter { !known.contains($0.stringValue) }
        guard let first = unknown.min(by: { $0.stringValue < $1.stringValue }) else { return }
        throw Self.error(decoder.codingPath + [first], "unknown field")
    }

    func value<Value: Decodable>(_ name: String) throws -> Value {
        try container.decode(Value.self, forKey: MemberName(name))
    }

    /// Nil if the field is missing or null.
    func optional<Value: Decodable>(_ name: String) throws -> Value? {
        try container.decodeIfPresent(Value.self, forKey: MemberName(name))
    }

    /// Throws an error that mentions `expected` if `rule` returns nil.
    func value<Raw: Decodable, Value>(_ name: String, _ expected: String, _ rule: (Raw) -> Value?) throws -> Value {
        try checked(name, try value(name), expected, rule)
    }

    /// Nil if the field is missing. Throws an error that mentions `expected` if `rule` returns nil.
    func optional<Raw: Decodable, Value>(_ name: String, _ expected: String, _ rule: (Raw) -> Value?) throws -> Value? {
        guard let raw: Raw = try optional(name) else { return nil }
        return try checked(name, raw, expected, rule)
    }

    private func checked<Raw, Value>(
        _ name: String, _ raw: Raw, _ expected: String, _ rule: (Raw) -> Value?
    ) throws -> Value {
        guard let value = rule(raw) else {
            throw Self.error(container.codingPath + [MemberName(name)], "should be \(expected)")
        }
        return value
    }

    private static func error(_ path: [any CodingKey], _ problem: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: problem))
    }

    // Descriptions of the expected values, for error messages.
    static let timestamp = "a time such as 2026-11-21T18:32:00Z"
    static let address = "an http or https URL"
    static let name = "1 to 300 characters without control or format characters"
    static let positive = "a whole number above zero"

    /// Nil unless the number is whole and from 1 to 2^40, which prevents overflow in sums. The parameter is a Double,
    /// because the decoder reports a number outside the range of Int as a syntax error of the whole document.
    static func size(_ number: Double) -> Int? {
        Int(outside: Int(exactly: number), in: 1...Int.outsideRange.upperBound)
    }
}

/// Such as `history[2].gif.title`, or `document` for the root. Replaces a name that could affect a terminal by `?`.
func fieldPath(_ path: [any CodingKey]) -> String {
    var text = ""
    for key in path {
        if let index = key.intValue {
            text += "[\(index)]"
        } else {
            let isPlain = key.stringValue.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            text += (text.isEmpty ? "" : ".") + (isPlain ? String(key.stringValue.prefix(40)) : "?")
        }
    }
    return text.isEmpty ? "document" : text
}
