import Base
import FoundationEssentials

/// An object of which any member may be missing, empty or of another type: one asks, and gets it or nil.
///
/// Every text of a service leaves its JSON here and nowhere else, cleaned and without keys.
package struct LenientObject {
    /// How many characters of a text are kept, far above any honest title.
    package static let textLimit = 300
    private let members: KeyedDecodingContainer<MemberName>
    private let redactor: Redactor

    package init(_ decoder: any Decoder) throws {
        members = try decoder.container(keyedBy: MemberName.self)
        let handed = CodingUserInfoKey.redactor.flatMap { decoder.userInfo[$0] }
        guard let handed = handed as? Redactor else {
            // Fails closed: without the keys nobody could say that none comes out.
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no redactor"))
        }
        redactor = handed
    }

    /// A text of one line; nil where it is missing or empty.
    package func text(_ name: String, limit: Int = textLimit) -> String? {
        raw(name).flatMap { safe($0, limit: limit) }
    }

    /// The text of a scrap of HTML.
    package func html(_ name: String, limit: Int = textLimit) -> String? {
        raw(name).flatMap { safe(HTMLText.plain($0), limit: limit) }
    }

    /// An address of the web; nil where it is none, or carries a key.
    package func address(_ name: String) -> String? {
        raw(name).flatMap(WebAddress.checked).flatMap { redactor.isTouched($0) ? nil : $0 }
    }

    /// A whole number, written as a number or a text.
    package func integer(_ name: String) -> Int? {
        value(FlexInt.self, name)?.value
    }

    /// A number above zero, which sizes are, and small enough that no sum of them overflows.
    package func size(_ name: String) -> Int? {
        integer(name).flatMap { (1...(1 << 40)).contains($0) ? $0 : nil }
    }

    /// A truth value; also 0 and 1 and their names.
    package func flag(_ name: String) -> Bool? {
        switch value(FlexText.self, name)?.value {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// A member of a type of its own; nil where it does not decode.
    package func value<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value? {
        try? members.decode(type, forKey: MemberName(name))
    }

    /// A list without what does not decode.
    package func list<Element: Decodable>(_ type: Element.Type, _ name: String) -> [Element] {
        value(OneOrMany<Element>.self, name)?.items ?? []
    }

    /// Texts, or objects with a text of one of the given names in them.
    package func texts(_ name: String, inside names: [String] = []) -> [String] {
        let plain = list(FlexText.self, name).compactMap { $0.value.flatMap { safe($0, limit: Self.textLimit) } }
        guard plain.isEmpty else { return plain }
        return list(NamedMembers.self, name).compactMap { element in
            names.lazy.compactMap { element.object.text($0) }.first
        }
    }

    /// The names of the members that are there, in a stable order.
    var names: [String] { members.allKeys.map(\.stringValue).sorted() }

    /// Whether there is such a member, null included.
    package func has(_ name: String) -> Bool { members.contains(MemberName(name)) }

    private func raw(_ name: String) -> String? { value(FlexText.self, name)?.value }

    private func safe(_ text: String, limit: Int) -> String? {
        // Redacted before it is shortened: the cut could leave half a key that no search finds.
        let clean = SafeText.shortened(redactor(SafeText.line(text)), to: limit)
        return clean.isEmpty ? nil : clean
    }
}

/// An object whose members are not known beforehand.
package struct NamedMembers: Decodable {
    package let object: LenientObject

    package init(from decoder: any Decoder) throws { object = try LenientObject(decoder) }
}

/// The name of any member.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

extension CodingUserInfoKey {
    /// Where the keys that must not come out are handed to the decoding; optional only by its initializer.
    static let redactor = CodingUserInfoKey(rawValue: "gifplay.redactor")
}
