import FoundationEssentials

/// An integer written as `3`, `3.0` or `"3"`; nil for any other value, including `""`. A fractional part is dropped.
///
/// GIPHY writes many numbers as strings, and other services write JSON numbers. Every service omits some numbers.
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

    /// Ignores white space and drops a fractional part.
    package static func parsed(_ text: String) -> Int? {
        let trimmed = text.filter { !$0.isWhitespace }
        return Int(trimmed) ?? Double(trimmed).flatMap(whole)
    }

    private static func whole(_ number: Double) -> Int? {
        // Uses Int(exactly:) because Int(_:) traps on numbers that are out of range.
        Int(exactly: number.rounded(.towardZero))
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
/// GIPHY's `data` is an object or a list. If nothing was found, it is `[]`.
package struct OneOrMany<Element: Decodable>: Decodable {
    package var items: [Element]
    /// Whether the value is a list, or a single element that can be decoded.
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

/// An element of a list; `value` is nil if the element cannot be decoded.
struct Lossy<Element: Decodable>: Decodable {
    var value: Element?

    init(from decoder: any Decoder) throws {
        value = try? Element(from: decoder)
    }
}

/// A rendition in the format of GIPHY and KLIPY.
struct WireRendition: Decodable {
    /// Nil if the address is missing or invalid, or if its file extension belongs to a format other than GIF.
    var rendition: Rendition?

    init(from decoder: any Decoder) throws {
        let wire = try LenientObject(decoder)
        guard let url = wire.address("url") else { return }
        if let kind = WebAddress.fileExtension(url), Self.otherKinds.contains(kind) { return }
        rendition = Rendition(
            url: url, width: wire.size("width"), height: wire.size("height"), bytes: wire.size("size"),
            frames: wire.size("frames"))
    }

    private static let otherKinds: Set<String> = ["webp", "mp4", "webm", "jpg", "jpeg", "png", "avif"]
}
