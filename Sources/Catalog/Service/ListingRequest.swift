enum ListingKind: Hashable, Sendable {
    case search(query: String)
    case trending
    /// A single GIF, by its identifier in the address of its page.
    case item(String)
    /// `number` is a new random number in each call. A service can use it to choose the batch.
    case random(number: UInt64)
}

struct ListingRequest: Sendable {
    var listing: ListingKind
    var preferences: ListingPreferences
    /// The service's own parameters for the position of the page; empty for the first page.
    var page: [String: String] = [:]
    /// As in `CatalogSettings`.
    var visitorIdentifier = ""
    /// As in `CatalogSettings`.
    var reportsUse = false
    /// The profile's `otherBases`, or their replacements from the settings.
    var otherBases: [String] = []

    func number(_ name: String) -> Int? { page[name].flatMap(FlexInt.parsed) }
}

/// The path and the query parameters of an HTTP request to a service, without the key.
struct RequestTarget: Equatable, Sendable {
    /// With a leading slash. If a service expects its key in the path, the key is inserted before this path.
    var path: String
    /// The query parameters in URL order, not yet encoded.
    var parameters: [Parameter]
    /// The base URL, which is one of ``ListingRequest/otherBases``. Nil means the service's own base URL.
    var base: String?
    /// Nil means the location that the service's profile states.
    var keyLocation: KeyUse.Location?

    init(_ path: String, _ parameters: KeyValuePairs<String, String?>) {
        self.path = path
        self.parameters = parameters.compactMap { name, value in value.map { Parameter(name: name, value: $0) } }
    }

    struct Parameter: Equatable, Sendable {
        var name: String
        var value: String
    }
}

/// The decoded listing of a service. It can contain duplicates.
struct DecodedListing: Sendable {
    var items: [GIFReference] = []
    /// Nil if this is the last page.
    var next: [String: String]?
    var total: Int?
}
