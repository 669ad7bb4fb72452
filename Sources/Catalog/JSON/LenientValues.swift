import Base
import FoundationEssentials

/// An integer written as `3`, `3.0` or `"3"`, within `Int.outsideRange`; nil for any other value, including `""`. A
/// fractional part is dropped.
///
/// GIPHY writes many numbers as strings, and other services write JSON numbers. Every service omits some numbers.
package struct FlexInt: Decodable {
    package var value: Int?

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            value = Int(outside: number)
        } else if let number = try? container.decode(Double.self) {
            value = Int(outside: number)
        } else if let text = try? container.decode(String.self) {
            value = Self.parsed(text)
        }
    }

    /// Ignores white space and drops a fractional part.
    package static func parsed(_ text: String) -> Int? {
        let trimmed = text.filter { !$0.isWhitespace }
        return Int(outside: trimmed) ?? Double(trimmed).flatMap { Int(outside: $0) }
    }
}

/// A text that is written as a string, a number or a Boolean; nil for any other value.
struct FlexText: Decodable {
    var value: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = text
        } else if let number = try? container.decode(Int.self) {
            value = String(number)
        } else if let flag = try? container.decode(Bool.self) {
            value = String(flag)
        } else if let number = try? container.decode(Double.self) {
            value = String(number)
        }
    }
}

/// A list without the elements that cannot be decoded. A single object counts as a list with one element.
///
/// GIPHY's `data` is an object or a list. If nothing was found, it is `[]`. At most ``limit`` elements are used, many
/// more than a service sends.
struct OneOrMany<Element: Decodable>: Decodable {
    let items: [Element]
    private static var limit: Int { 1_000 }

    init(from decoder: any Decoder) throws {
        let elements = try? [Lossy<Element>](from: decoder)
        items = try elements?.prefix(Self.limit).compactMap(\.value) ?? [Element(from: decoder)]
    }
}

/// An element of a list; `value` is nil if the element cannot be decoded.
struct Lossy<Element: Decodable>: Decodable {
    var value: Element?

    init(from decoder: any Decoder) throws { value = try? Element(from: decoder) }
}
