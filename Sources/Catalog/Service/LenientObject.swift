import Base
import FoundationEssentials

/// A JSON object whose members can be missing, empty or of another type. Accessors then return nil or an empty list.
///
/// All texts of JSON responses are read through this type, which cleans them and redacts keys.
package struct LenientObject: Decodable {
    /// In code points, far more than a real title needs.
    package static let textLimit = 300
    private let members: KeyedDecodingContainer<MemberName>
    private let redactor: Redactor

    package init(from decoder: any Decoder) throws {
        members = try decoder.container(keyedBy: MemberName.self)
        let handed = CodingUserInfoKey.redactor.flatMap { decoder.userInfo[$0] }
        guard let handed = handed as? Redactor else {
            // Fail if there is no redactor, because the texts could contain keys.
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no redactor"))
        }
        redactor = handed
    }

    /// Returns a text as one line; nil if it is missing or empty.
    package func text(_ name: String, limit: Int = textLimit) -> String? {
        raw(name).flatMap { safe($0, limit: limit) }
    }

    /// Returns the plain text of an HTML fragment; nil if it is missing or empty.
    package func html(_ name: String, limit: Int = textLimit) -> String? {
        raw(name).flatMap { safe(HTMLText.plain($0), limit: limit) }
    }

    /// Returns an http or https address; nil if the value is not such an address or contains a key.
    package func address(_ name: String) -> String? {
        raw(name).flatMap(WebAddress.checked).flatMap { redactor.containsKey($0) ? nil : $0 }
    }

    /// Returns an integer that is written as `3`, `3.0` or `"3"`.
    ///
    /// GIPHY writes many numbers as strings, and other services write JSON numbers. Every service omits some numbers.
    package func integer(_ name: String) -> Int? { raw(name).flatMap { Int(lenient: $0) } }

    /// From 1 to 2^40; nil for other values.
    package func size(_ name: String) -> Int? { Int(outside: integer(name), in: 1...Int.outsideRange.upperBound) }

    /// Returns a Boolean. Accepts true, false, 1 and 0, written as JSON values or as text.
    package func flag(_ name: String) -> Bool? {
        switch value(FlexText.self, name)?.value {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    package func object(_ name: String) -> LenientObject? { value(LenientObject.self, name) }

    /// A rendition in the format of GIPHY and KLIPY. Nil if the address is missing or invalid, or if its file extension
    /// belongs to a format other than GIF.
    func rendition(_ name: String) -> Rendition? {
        guard let file = object(name), let url = file.address("url"),
            !Self.otherKinds.contains(WebAddress.fileExtension(url) ?? "")
        else { return nil }
        return Rendition(
            url: url, width: file.size("width"), height: file.size("height"), bytes: file.size("size"),
            frames: file.size("frames"))
    }

    private static let otherKinds: Set<String> = ["webp", "mp4", "webm", "jpg", "jpeg", "png", "avif"]

    private func value<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value? {
        try? members.decode(type, forKey: MemberName(name))
    }

    /// Omits elements that are not objects. Empty if the member is missing.
    package func objects(_ name: String) -> [LenientObject] { listing(name) ?? [] }

    /// Nil if the member is neither a list nor a single object.
    package func listing(_ name: String) -> [LenientObject]? { value(OneOrMany<LenientObject>.self, name)?.items }

    /// Accepts a list of texts or of objects. From each object, takes the first member in `names` that contains a text.
    package func texts(_ name: String, inside names: [String] = []) -> [String] {
        let texts = value(OneOrMany<FlexText>.self, name)?.items ?? []
        let plain = texts.compactMap { $0.value.flatMap { safe($0, limit: Self.textLimit) } }
        guard plain.isEmpty else { return plain }
        return objects(name).compactMap { element in names.lazy.compactMap { element.text($0) }.first }
    }

    /// The first 100 in alphabetical order.
    var names: [String] { Array(members.allKeys.map(\.stringValue).sorted().prefix(100)) }

    /// True even if the member is null.
    package func has(_ name: String) -> Bool { members.contains(MemberName(name)) }

    private func raw(_ name: String) -> String? { value(FlexText.self, name)?.value }

    private func safe(_ text: String, limit: Int) -> String? {
        // Redact before shortening, because the redactor would not recognize a part of a key at the end of a text.
        let clean = SafeText.shortened(redactor(SafeText.line(text)), to: limit)
        return clean.isEmpty ? nil : clean
    }
}

/// Any name as the key of a JSON object.
package struct MemberName: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(_ name: String) { stringValue = name }
    package init?(stringValue: String) { self.init(stringValue) }
    package init?(intValue: Int) { nil }
}

extension CodingUserInfoKey {
    /// Optional, because the initializer of `CodingUserInfoKey` is failable.
    static let redactor = CodingUserInfoKey(rawValue: "gifplay.redactor")
}

extension Int {
    /// Within ``outsideRange``. Ignores white space and drops a fractional part.
    package init?(lenient text: String) {
        let trimmed = text.filter { !$0.isWhitespace }
        guard let number = Int(outside: trimmed) ?? Double(trimmed).flatMap({ Int(outside: $0) }) else { return nil }
        self = number
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

/// Converts the posting times of services to seconds since 1970 in UTC.
package enum PostedTime {
    /// Parses `2026-11-21`, `2026-11-21 10:20:30` or ISO 8601. Nil for other texts and for unknown times.
    ///
    /// GIPHY writes `0000-00-00 00:00:00` or the first moment of 1970 for an unknown time. A time without a zone is
    /// interpreted as UTC.
    package static func seconds(_ text: String?) -> Int? {
        guard let text, text.utf8.count <= 40, let whole = completed(text) else { return nil }
        guard let date = try? Date.ISO8601FormatStyle().parse(whole) else { return nil }
        return seconds(date.timeIntervalSince1970)
    }

    /// Nil if it is not a plausible posting time.
    package static func seconds(_ number: Double) -> Int? {
        // A time on the first day of 1970 means an unknown time. A time after the year 9999 is invalid.
        Int(outside: number, in: 86_400...Int.latestTime)
    }

    /// Adds the `T`, the time and the zone that ISO 8601 requires, if they are missing. Removes fractions of a second.
    private static func completed(_ text: String) -> String? {
        let day = text.prefix(10)
        let rest = text.dropFirst(10)
        guard let separator = rest.first else { return day + "T00:00:00Z" }
        guard separator == "T" || separator == " " else { return nil }
        let clock = rest.dropFirst().prefix(8)
        var zone = rest.dropFirst(9)
        if zone.first == "." { zone = zone.dropFirst().drop { $0.isNumber } }
        return "\(day)T\(clock)\(zone.isEmpty ? "Z" : zone)"
    }
}
