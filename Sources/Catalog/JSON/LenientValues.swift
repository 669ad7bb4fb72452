import FoundationEssentials

/// A whole number however it is written: `3`, `3.0`, `"3"`; nil for anything else, `""` included.
///
/// GIPHY writes every number as a string, others as numbers, and all of them leave some out.
package struct FlexInt: Decodable {
    package var value: Int?

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            value = number
        } else if let number = try? container.decode(Double.self) {
            value = Self.whole(number)
        } else if let text = try? container.decode(String.self) {
            value = Self.parsed(text)
        }
    }

    /// The number that a text stands for, with white space around it or a fraction behind it.
    package static func parsed(_ text: String) -> Int? {
        let trimmed = text.filter { !$0.isWhitespace }
        return Int(trimmed) ?? Double(trimmed).flatMap(whole)
    }

    private static func whole(_ number: Double) -> Int? {
        // Int(exactly:) rather than Int(_:), which traps on what no Int holds.
        Int(exactly: number.rounded(.towardZero))
    }
}

/// A text however it is written: a string, a number, a truth value; nil for anything else.
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

/// A list in which one bad element does not spoil the others, or one object that stands for a list of one.
///
/// GIPHY's `data` is an object, a list, or `[]` where nothing was found.
package struct OneOrMany<Element: Decodable>: Decodable {
    package var items: [Element]
    /// Whether a list or an object stood there at all.
    package var isPresent: Bool

    package init(from decoder: any Decoder) throws {
        if let elements = try? [Lossy<Element>](from: decoder) {
            items = elements.compactMap(\.value)
            isPresent = true
        } else {
            items = (try? Element(from: decoder)).map { [$0] } ?? []
            isPresent = !items.isEmpty
        }
    }
}

/// An element that may be anything, which is nil where it does not decode.
struct Lossy<Element: Decodable>: Decodable {
    var value: Element?

    init(from decoder: any Decoder) throws {
        value = try? Element(from: decoder)
    }
}
