import Base
import Catalog
import FoundationEssentials

/// The format of export and import: `{"version": 1, "favourites": […], "history": […], "dismissed": […]}`.
///
/// Each list is optional. A TIME is an ISO 8601 time such as `2026-11-21T18:32:00Z`. A favourite or a dismissal is
/// `{"since": TIME, "gif": GIF}`; a view is `{"viewed": TIME, "times": 3, "gif": GIF}`. A GIF has `provider`,
/// `id`, `title`, `attribution`, `cachePolicy` (`persistent`, `sessionOnly`, `embedded`) and `renditions`. Its
/// optional fields are `page`, `author`, `licence`, `licencePage`, `rating`, `tags`, `posted` (a TIME), `comments`
/// and `community`. A rendition has `url`; its optional fields are `alternatives`, `width`, `height`, `bytes`,
/// `frames` and `mayBeStill`.
struct LibraryDocument: Codable {
    static let version = 1
    private static let lists = ["favourites", "history", "dismissed"]

    var favourites: [MarkRecord] = []
    var history: [ViewRecord] = []
    var dismissed: [MarkRecord] = []

    init() {}

    init(from decoder: any Decoder) throws {
        // A newer document may contain fields that this version of gifplay does not know, so check the version first.
        let head = try decoder.container(keyedBy: MemberName.self)
        let version = try head.decode(Double.self, forKey: MemberName("version"))
        guard version == Double(Self.version) else { throw ImportError.unknownVersion(version) }
        let fields = try StrictFields(decoder, known: ["version"] + Self.lists)
        favourites = try fields.optional("favourites") ?? []
        history = try fields.optional("history") ?? []
        dismissed = try fields.optional("dismissed") ?? []
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: MemberName.self)
        try fields.encode(Self.version, forKey: MemberName("version"))
        try fields.encode(favourites, forKey: MemberName("favourites"))
        try fields.encode(history, forKey: MemberName("history"))
        try fields.encode(dismissed, forKey: MemberName("dismissed"))
    }
}

/// A favourite or a dismissal. `since` is in seconds since 1970.
struct MarkRecord {
    var since: Int
    var gif: GIFReference
}

extension MarkRecord: Codable {
    init(from decoder: any Decoder) throws {
        let fields = try StrictFields(decoder, known: ["since", "gif"])
        since = try fields.value("since", StrictFields.timestamp) { (text: String) in Timestamp.seconds(text) }
        gif = (try fields.value("gif") as GIFRecord).reference
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: MemberName.self)
        try fields.encode(Timestamp.text(since), forKey: MemberName("since"))
        try fields.encode(GIFRecord(gif), forKey: MemberName("gif"))
    }
}

/// The views of one GIF: the time of the last view in seconds since 1970, and the number of views.
struct ViewRecord {
    var viewed: Int
    var times: Int
    var gif: GIFReference
}

extension ViewRecord: Codable {
    init(from decoder: any Decoder) throws {
        let fields = try StrictFields(decoder, known: ["viewed", "times", "gif"])
        viewed = try fields.value("viewed", StrictFields.timestamp) { (text: String) in Timestamp.seconds(text) }
        times = try fields.value("times", StrictFields.positive, StrictFields.size)
        gif = (try fields.value("gif") as GIFRecord).reference
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: MemberName.self)
        try fields.encode(Timestamp.text(viewed), forKey: MemberName("viewed"))
        try fields.encode(times, forKey: MemberName("times"))
        try fields.encode(GIFRecord(gif), forKey: MemberName("gif"))
    }
}

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

/// The JSON form of a `GIFReference`. Decoding cleans the texts, and rejects an invalid `provider`, `id` or address.
struct GIFRecord: Codable {
    private static let known = [
        "provider", "id", "title", "page", "author", "licence", "licencePage", "attribution", "cachePolicy", "rating",
        "tags", "posted", "comments", "community", "renditions",
    ]
    private static let policies: [CachePolicy] = [.persistent, .sessionOnly, .embedded]

    let reference: GIFReference

    init(_ reference: GIFReference) { self.reference = reference }

    init(from decoder: any Decoder) throws {
        let fields = try StrictFields(decoder, known: Self.known)
        let name: (String) -> String? = { GIFReference.isName($0) ? $0 : nil }
        let address: (String) -> String? = { GIFReference.isAddress($0) ? $0 : nil }
        let policies = Self.policies.map(\.rawValue).joined(separator: ", ")
        let records: [ImportedRendition] = try fields.value("renditions")
        let read = GIFReference(
            provider: try fields.value("provider", StrictFields.name, name),
            id: try fields.value("id", StrictFields.name, name),
            title: try fields.value("title"), pageURL: try fields.optional("page", StrictFields.address, address),
            author: try fields.optional("author"), licence: try fields.optional("licence"),
            licenceURL: try fields.optional("licencePage", StrictFields.address, address),
            attribution: try fields.value("attribution"), renditions: records.map(\.record.rendition),
            cachePolicy: try fields.value("cachePolicy", "one of " + policies) { CachePolicy(rawValue: $0) },
            rating: try fields.optional("rating"), tags: try fields.optional("tags") ?? [],
            posted: try fields.optional("posted", StrictFields.timestamp) { (text: String) in Timestamp.seconds(text) },
            comments: try fields.optional("comments", StrictFields.positive) { $0 == 0 ? 0 : StrictFields.size($0) },
            community: try fields.optional("community"))
        guard let clean = read.cleaned() else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "should be \(StrictFields.name)"))
        }
        reference = clean
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: MemberName.self)
        try fields.encode(reference.provider, forKey: MemberName("provider"))
        try fields.encode(reference.id, forKey: MemberName("id"))
        try fields.encode(reference.title, forKey: MemberName("title"))
        try fields.encodeIfPresent(reference.pageURL, forKey: MemberName("page"))
        try fields.encodeIfPresent(reference.author, forKey: MemberName("author"))
        try fields.encodeIfPresent(reference.licence, forKey: MemberName("licence"))
        try fields.encodeIfPresent(reference.licenceURL, forKey: MemberName("licencePage"))
        try fields.encode(reference.attribution, forKey: MemberName("attribution"))
        try fields.encode(reference.cachePolicy.rawValue, forKey: MemberName("cachePolicy"))
        try fields.encodeIfPresent(reference.rating, forKey: MemberName("rating"))
        if !reference.tags.isEmpty { try fields.encode(reference.tags, forKey: MemberName("tags")) }
        try fields.encodeIfPresent(reference.posted.map(Timestamp.text), forKey: MemberName("posted"))
        try fields.encodeIfPresent(reference.comments, forKey: MemberName("comments"))
        try fields.encodeIfPresent(reference.community, forKey: MemberName("community"))
        try fields.encode(reference.renditions.map(RenditionRecord.init), forKey: MemberName("renditions"))
    }
}

/// A rendition in an imported document. Decoding checks every field.
private struct ImportedRendition: Decodable {
    private static let known = ["url", "alternatives", "width", "height", "bytes", "frames", "mayBeStill"]

    let record: RenditionRecord

    init(from decoder: any Decoder) throws {
        let fields = try StrictFields(decoder, known: Self.known)
        let url: String = try fields.value("url", StrictFields.address) { GIFReference.isAddress($0) ? $0 : nil }
        let alternatives: [String]? = try fields.optional("alternatives", StrictFields.address) { (list: [String]) in
            list.allSatisfy(GIFReference.isAddress) ? list : nil
        }
        record = RenditionRecord(
            Rendition(
                url: url, alternatives: alternatives ?? [],
                width: try fields.optional("width", StrictFields.positive, StrictFields.size),
                height: try fields.optional("height", StrictFields.positive, StrictFields.size),
                bytes: try fields.optional("bytes", StrictFields.positive, StrictFields.size),
                frames: try fields.optional("frames", StrictFields.positive, StrictFields.size),
                mayBeStill: try fields.optional("mayBeStill") ?? false))
    }
}

/// Converts between times and ISO 8601 text in UTC, such as 2026-11-21T18:32:00Z.
public enum Timestamp {
    /// Foundation parses February 31 as a day in March.
    private static func isReal(_ day: String) -> Bool {
        guard let date = try? Date(day + "T00:00:00Z", strategy: .iso8601) else { return false }
        return date.formatted(.iso8601).hasPrefix(day)
    }

    /// A time before 1970 or after 9999 is clamped to the nearest valid time.
    public static func text(_ seconds: Int) -> String {
        let clamped = min(max(seconds, 0), latest)
        return Date(timeIntervalSince1970: Double(clamped)).formatted(.iso8601)
    }

    /// Accepts UTC and other offsets from UTC. Nil if the text is invalid or the time is out of range.
    public static func seconds(_ text: String) -> Int? {
        guard text.utf8.count <= 40, isReal(String(text.prefix(10))), let date = try? Date(text, strategy: .iso8601)
        else { return nil }
        let seconds = date.timeIntervalSince1970
        return seconds >= 0 && seconds <= Double(latest) ? Int(seconds) : nil
    }

    /// The last second of the year 9999.
    static let latest = 253_402_300_799
}
