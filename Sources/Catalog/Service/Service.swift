/// A service of the web as data: how it is asked, and what its answers mean.
///
/// Pure: nothing here touches the network, the clock or a key. `ServiceRepository` asks any of
/// them, so that a new service is one file with a type of this protocol, and a fixture.
protocol Service: Sendable {
    var profile: ServiceProfile { get }

    /// The request for a listing; nil if the service has no such listing.
    func call(_ question: Question) -> Call?

    /// The references in an answer of success.
    func decode(_ answer: Answer, to question: Question) throws(CatalogError) -> Listed

    /// Another way to ask, once the first brought an error or nothing; nil if there is none.
    func secondChance(_ question: Question, after error: CatalogError?) -> Question?

    /// The error in the service's own terms: KLIPY says 404 and means the key.
    func refined(_ error: CatalogError) -> CatalogError
}

extension Service {
    func secondChance(_ question: Question, after error: CatalogError?) -> Question? { nil }
    func refined(_ error: CatalogError) -> CatalogError { error }
}

/// What a service is, apart from its requests.
public struct ServiceProfile: Equatable, Sendable {
    /// For `--source` and the configuration: lower case, one word.
    public var name: String
    /// As the service writes itself.
    public var title: String
    /// In a sentence, what its terms ask of a player.
    public var terms: String
    /// Where the requests go, without a slash at the end.
    public var base: String
    /// Further addresses of the service, such as of media that answers name only in part.
    public var otherBases: [String] = []
    /// Nil for a service that takes anyone.
    public var key: KeyUse?
    public var cachePolicy: CachePolicy
    /// How long an answer may be used again, in seconds; 0 for not at all.
    public var answersKeptSeconds = 0
    /// For one request, in milliseconds.
    public var timeoutMilliseconds: Int
    public var maximumBytes = 4 << 20
    /// Whether the service sorts by rating itself; otherwise `ExplicitWords` passes over the labelled.
    public var rates = true
    /// Headers that count what is left, with the seconds to rest when they say 0.
    public var quotaHeaders: [String: Int] = [:]
}

/// Where a service wants its key.
public struct KeyUse: Equatable, Sendable {
    /// The environment's variable.
    public var variable: String
    public var place: Place

    /// The part of the request that carries the key.
    public enum Place: Equatable, Sendable {
        case query(name: String)
        /// The first segment of the path.
        case path
    }
}

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
