import Foundation

/// The fields of an object in a document, each of which must be known and of its type.
///
/// What is not understood is refused: a misspelt `favorites` that is passed over would be lost without a word.
struct StrictFields {
    private let container: KeyedDecodingContainer<FieldName>

    init(_ decoder: any Decoder, known: [String]) throws {
        container = try decoder.container(keyedBy: FieldName.self)
        let unknown = container.allKeys.filter { !known.contains($0.stringValue) }
        guard let first = unknown.min(by: { $0.stringValue < $1.stringValue }) else { return }
        throw ImportError.field(fieldPath(decoder.codingPath + [first]), .unknown)
    }

    func value<Value: Decodable>(_ name: String) throws -> Value {
        try container.decode(Value.self, forKey: FieldName(name))
    }

    /// Null is as good as nothing.
    func optional<Value: Decodable>(_ name: String) throws -> Value? {
        try container.decodeIfPresent(Value.self, forKey: FieldName(name))
    }

    /// A value that a rule makes of another.
    func value<Raw: Decodable, Value>(
        _ name: String, else problem: FieldProblem, _ rule: (Raw) -> Value?
    ) throws -> Value {
        guard let value = rule(try value(name)) else { throw ImportError.field(path(name), problem) }
        return value
    }

    /// The same where it may be missing.
    func optional<Raw: Decodable, Value>(
        _ name: String, else problem: FieldProblem, _ rule: (Raw) -> Value?
    ) throws -> Value? {
        guard let raw: Raw = try optional(name) else { return nil }
        guard let value = rule(raw) else { throw ImportError.field(path(name), problem) }
        return value
    }

    /// A whole number above zero, and small enough that no sum of them overflows.
    ///
    /// Read as a Double, since of a number that no Int holds the decoder says that the whole is no JSON.
    static func size(_ number: Double) -> Int? {
        Int(exactly: number).flatMap { (1...(1 << 40)).contains($0) ? $0 : nil }
    }

    private func path(_ name: String) -> String { fieldPath(container.codingPath + [FieldName(name)]) }
}

/// The name of any field.
struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// A path in the form `history[2].gif.title`, or `document` for all of it; without anything that harms a terminal.
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
