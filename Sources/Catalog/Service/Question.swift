/// The kind of a listing.
enum Listing: Hashable, Sendable {
    case search(words: String)
    case trending
    /// A random batch. `draw` is the random number of this call.
    case random(draw: UInt64)
}

/// A listing with all inputs of the request for it.
struct Question: Sendable {
    var listing: Listing
    var preferences: Preferences
    /// The service's own parameters for the position of the page; empty for the first page.
    var page: [String: String] = [:]
    /// The visitor identifier that KLIPY requires. It is new in each run, so that it cannot be used for tracking.
    var visitor = ""
    /// The profile's `otherBases`, or their replacements from the settings.
    var otherBases: [String] = []

    /// The query of a search; empty for other listings.
    var words: String {
        if case .search(let words) = listing { words } else { "" }
    }

    /// Returns an integer from the parameters in `page`.
    func number(_ name: String) -> Int? { page[name].flatMap(FlexInt.parsed) }
}

/// A request to a service, without the host and the key.
struct Call: Equatable, Sendable {
    /// The path after the base, with a leading slash. A key in the path is inserted before it.
    var path: String
    /// The query parameters in URL order, not yet encoded.
    var parameters: [Parameter]
    /// One of the question's `otherBases`, used instead of the base; nil for the base.
    var base: String?

    init(_ path: String, _ parameters: KeyValuePairs<String, String?>) {
        self.path = path
        self.parameters = parameters.compactMap { name, value in value.map { Parameter(name: name, value: $0) } }
    }

    /// A query parameter.
    struct Parameter: Equatable, Sendable {
        var name: String
        var value: String
    }
}

/// The decoded listing of a service. It may contain duplicates.
struct Listed: Sendable {
    var items: [GIFReference] = []
    /// The parameters of the next page; nil after the last one.
    var next: [String: String]?
    var total: Int?
}
