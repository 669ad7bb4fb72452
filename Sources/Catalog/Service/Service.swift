import Base
import FoundationEssentials

/// How to query a web service, and how to decode its responses.
///
/// Conforming types do not use the network or a key, because `ServiceRepository` handles these for all services. A new
/// service needs only a file with a conforming type, an entry in `GIFSources.services`, and a fixture.
protocol Service: Sendable {
    var profile: ServiceProfile { get }

    /// Returns the target of the HTTP request for a listing; nil if the service has no such listing.
    func target(for request: ListingRequest) -> RequestTarget?

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(Failure) -> DecodedListing

    /// Returns the request for hits that match any of the search terms; nil if the service does not support this.
    func widened(_ request: ListingRequest) -> ListingRequest?

    /// Returns another request to try after an error or an empty result; nil if there is none.
    func fallbackRequest(for request: ListingRequest, after error: Failure?) -> ListingRequest?

    /// Returns the request for search terms that begin with `prefix`; nil if the service does not complete queries. The
    /// service's own requests go to `base`.
    func completionTarget(for prefix: String, base: String) -> RequestTarget?

    /// Returns whether the chain queries the service for search terms, or for other listings if `query` is nil.
    /// - Parameter index: the stored index, if the service has one.
    func interest(in query: String?, index: [UInt8]?) -> SourceInterest

    /// Returns the failure for an error status. For example, KLIPY reports a bad key with status 404.
    func refusal(_ response: ServiceResponse) -> Failure
}

extension Service {
    func widened(_ request: ListingRequest) -> ListingRequest? { nil }
    func fallbackRequest(for request: ListingRequest, after error: Failure?) -> ListingRequest? { nil }
    func completionTarget(for prefix: String, base: String) -> RequestTarget? { nil }
    func interest(in query: String?, index: [UInt8]?) -> SourceInterest { .usual }
    func refusal(_ response: ServiceResponse) -> Failure { response.refusal(of: profile) }
}

/// When a chain of several sources queries one of them.
public enum SourceInterest: Sendable {
    case none, usual
    /// Before the other sources.
    case first
}

/// The properties of a service that do not depend on a request.
public struct ServiceProfile: Equatable, Sendable {
    /// The name for `--source` and the configuration: one word in lower case.
    public var name: String
    /// The name as the service spells it.
    public var title: String
    /// A short summary of the service's terms of use and limits, as far as they concern gifplay.
    public var terms: String
    public var credit = Credit.author()
    /// The base URL of requests, without a trailing slash.
    public var base: String
    /// For example the base URL of its media if responses do not contain complete URLs.
    public var otherBases: [String] = []
    /// The environment variable of the key and its location in a request; nil for a service that needs no key.
    public var key: KeyUse?
    public var cachePolicy: CachePolicy
    /// How long a result page is cached, in seconds; 0 disables the cache.
    public var responseCacheSeconds = 0
    public var timeoutMilliseconds: Int
    public var maximumBytes = 4 << 20
    public var headers = ["Accept": "application/json, */*;q=0.1"]
    /// Whether the transport may repeat a failed request.
    public var mayRepeat = true
    /// The minimum time between two requests of a repository, in seconds. A refresh within it returns the cached page.
    public var spacingSeconds = 0
    /// Whether each search needs the same index, which is stored for a week.
    public var keepsIndex = false
    /// Whether the service is queried only if the user names it.
    public var isOptional = false
    /// If false, `ExplicitTextFilter` removes GIFs with explicit texts, unless the user allows the rating `r`.
    public var filtersByRating = true
    public var hasTrending = false
    /// The response headers that report a remaining quota, each with a number of seconds. When the header of a
    /// response reports 0, a cool-down of this duration starts, unless the status is 429.
    public var quotaHeaders: [String: Int] = [:]
    /// The response header with the seconds until the quota is renewed. `Retry-After` has priority.
    public var resetHeader: String?
    /// The cool-down in seconds that starts after status 429 if the response does not report how long to wait. Nil if
    /// only a `ServiceChain` starts one.
    public var refusalCooldownSeconds: Int?

    /// The words that the terms require beside a GIF without a licence.
    public enum Credit: Equatable, Sendable {
        /// Prominent in every view of such a GIF.
        case mark(String)
        case words(String)
        /// The author, followed by the name of the site if the terms require it.
        case author(site: String? = nil)
    }
}

public struct KeyUse: Equatable, Sendable {
    public var variable: String
    public var location: Location

    public enum Location: Equatable, Sendable {
        case query(name: String)
        /// The first path segment after the base.
        case path
    }
}

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

    func number(_ name: String) -> Int? { page[name].flatMap { Int(lenient: $0) } }
}

/// The path and the query parameters of an HTTP request to a service, without the key.
struct RequestTarget: Sendable {
    /// With a leading slash. If a service expects its key in the path, the key is inserted before this path.
    var path: String
    /// The query parameters in URL order, not yet encoded.
    var parameters: [(name: String, value: String)]
    /// The base URL, which is one of ``ListingRequest/otherBases``. Nil means the service's own base URL.
    var base: String?
    /// Nil means the location that the service's profile states.
    var keyLocation: KeyUse.Location?

    init(_ path: String, _ parameters: KeyValuePairs<String, String?>) {
        self.path = path
        self.parameters = parameters.compactMap { name, value in value.map { (name, $0) } }
    }
}

/// The decoded listing of a service. It can contain duplicates.
struct DecodedListing: Sendable {
    var items: [GIFReference] = []
    /// Nil if this is the last page.
    var next: [String: String]?
    var total: Int?
}

/// A response of a service, with the redactor that removes keys from decoded texts.
struct ServiceResponse: Sendable {
    var http: HTTPResponse
    var redactor: Redactor

    /// The error for a body that is valid JSON, but not a listing.
    var unexpectedJSON: Failure { .notJSON(status: http.status, received: .unexpectedJSON) }

    /// Throws `Failure.notJSON` if the body cannot be decoded.
    func json<Value: Decodable>(_ type: Value.Type) throws(Failure) -> Value {
        if let value = Self.decoded(type, http.body, redactor) { return value }
        throw .notJSON(status: http.status, received: received)
    }

    var received: ReceivedBody {
        let beginning = http.body.prefix(512).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        switch beginning.first {
        case nil: return .nothing
        case UInt8(ascii: "<"): return .html
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return Self.decoded(Lossy<String>.self, http.body, redactor) == nil ? .brokenJSON : .unexpectedJSON
        case UInt8(ascii: "G") where beginning.starts(with: "GIF8".utf8): return .image
        case 0x89, 0xFF: return .image
        default: return .text
        }
    }

    func refusal(of profile: ServiceProfile) -> Failure {
        let message = message
        if let key = profile.key, http.status == 401 || http.status == 403 {
            return .keyRefused(variable: key.variable, message: message)
        }
        return .refused(status: http.status, message: message, retryAfterSeconds: waitSeconds(at: profile))
    }

    /// The time after which the service accepts the next request, as it reports it.
    func waitSeconds(at profile: ServiceProfile) -> Int? {
        let reset = profile.resetHeader.flatMap { http.headers[$0] }.flatMap { Int(lenient: $0) }
        return http.retryAfterSeconds ?? reset.flatMap { $0 > 0 ? min($0, 86_400) : nil }
    }

    /// In any of the known formats. If the body is plain text, the message is its first 200 code points.
    var message: String? {
        if let body = Self.decoded(LenientObject.self, http.body, redactor) { return Self.message(in: body) }
        guard received == .text else { return nil }
        let line = redactor(SafeText.line(String(decoding: http.body.prefix(2_000), as: UTF8.self)))
        return SafeText.shortened(line, to: 200)
    }

    private static func decoded<Value: Decodable>(
        _ type: Value.Type, _ body: [UInt8], _ redactor: Redactor
    ) -> Value? {
        // Foundation of Swift 6.0 ends the process at a text that is not UTF-8.
        guard String(validating: body, as: UTF8.self) != nil else { return nil }
        let decoder = JSONDecoder()
        if let key = CodingUserInfoKey.redactor { decoder.userInfo[key] = redactor }
        return try? decoder.decode(type, from: Data(body))
    }

    /// The members with the message are `meta.msg` or `message` (GIPHY), `errors.message[]` (KLIPY), `error.info` or
    /// `errors[].text` (MediaWiki) and `detail` (Openverse).
    private static func message(in body: LenientObject) -> String? {
        let nested = ["meta", "errors", "error"].lazy.flatMap { body.objects($0) }.compactMap { inner in
            ["msg", "info", "text"].lazy.compactMap { inner.text($0, limit: 200) }.first ?? inner.texts("message").first
        }
        return body.text("message", limit: 200) ?? body.text("detail", limit: 200) ?? nested.first
            ?? body.text("error", limit: 200)
    }
}
