/// Which listing is meant.
enum Listing: Hashable, Sendable {
    case search(words: String)
    case trending
    /// Any batch; the number is the dice of this call.
    case random(draw: UInt64)
}

/// A listing with everything that shapes the request.
struct Question: Sendable {
    var listing: Listing
    var preferences: Preferences
    /// The service's own words for where the page begins; empty for the first.
    var page: [String: String] = [:]
    /// Told by KLIPY to be sent; another one in every run, so that it follows nobody.
    var visitor = ""
    /// The profile's, or what the settings put in their place.
    var otherBases: [String] = []

    /// The typed words, or nothing for another listing.
    var words: String {
        if case .search(let words) = listing { words } else { "" }
    }

    /// A number of the page's words.
    func number(_ name: String) -> Int? { page[name].flatMap(FlexInt.parsed) }
}

/// A request without host and key.
struct Call: Equatable, Sendable {
    /// Behind the base, with the slash at its beginning; the key's segment is put before it.
    var path: String
    /// In the order of the URL, not yet encoded.
    var parameters: [Parameter]
    /// One of the question's `otherBases` in place of the base.
    var base: String?

    init(_ path: String, _ parameters: KeyValuePairs<String, String?>) {
        self.path = path
        self.parameters = parameters.compactMap { name, value in value.map { Parameter(name: name, value: $0) } }
    }

    /// One name with its value.
    struct Parameter: Equatable, Sendable {
        var name: String
        var value: String
    }
}

/// What a service listed: not yet free of doubles.
struct Listed: Sendable {
    var items: [GIFReference] = []
    /// Where the next page begins; nil after the last.
    var next: [String: String]?
    var total: Int?
}
