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
        let head = try decoder.container(keyedBy: FieldName.self)
        let version = try head.decode(Double.self, forKey: FieldName("version"))
        guard version == Double(Self.version) else { throw ImportError.unknownVersion(version) }
        let fields = try StrictFields(decoder, known: ["version"] + Self.lists)
        favourites = try fields.optional("favourites") ?? []
        history = try fields.optional("history") ?? []
        dismissed = try fields.optional("dismissed") ?? []
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: FieldName.self)
        try fields.encode(Self.version, forKey: FieldName("version"))
        try fields.encode(favourites, forKey: FieldName("favourites"))
        try fields.encode(history, forKey: FieldName("history"))
        try fields.encode(dismissed, forKey: FieldName("dismissed"))
    }
}

/// A favourite or a dismissal. `since` is in seconds since 1970.
struct MarkRecord: Codable {
    var since: Int
    var gif: GIFReference

    init(since: Int, gif: GIFReference) {
        self.since = since
        self.gif = gif
    }

    init(from decoder: any Decoder) throws {
        let fields = try StrictFields(decoder, known: ["since", "gif"])
        since = try fields.value("since", StrictFields.timestamp) { (text: String) in Timestamp.seconds(text) }
        gif = (try fields.value("gif") as GIFRecord).reference
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: FieldName.self)
        try fields.encode(Timestamp.text(since), forKey: FieldName("since"))
        try fields.encode(GIFRecord(gif), forKey: FieldName("gif"))
    }
}

/// The views of one GIF: the time of the last view in seconds since 1970, and the number of views.
struct ViewRecord: Codable {
    var viewed: Int
    var times: Int
    var gif: GIFReference

    init(viewed: Int, times: Int, gif: GIFReference) {
        self.viewed = viewed
        self.times = times
        self.gif = gif
    }

    init(from decoder: any Decoder) throws {
        let fields = try StrictFields(decoder, known: ["viewed", "times", "gif"])
        viewed = try fields.value("viewed", StrictFields.timestamp) { (text: String) in Timestamp.seconds(text) }
        times = try fields.value("times", StrictFields.positive, StrictFields.size)
        gif = (try fields.value("gif") as GIFRecord).reference
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: FieldName.self)
        try fields.encode(Timestamp.text(viewed), forKey: FieldName("viewed"))
        try fields.encode(times, forKey: FieldName("times"))
        try fields.encode(GIFRecord(gif), forKey: FieldName("gif"))
    }
}
