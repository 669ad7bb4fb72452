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
