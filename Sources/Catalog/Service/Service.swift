/// How to query a web service, and how to decode its responses.
///
/// Conforming types do not use the network or a key, because `ServiceRepository` handles these for all services. A new
/// service needs only a file with a conforming type, an entry in `GIFSources.services`, and a fixture.
protocol Service: Sendable {
    var profile: ServiceProfile { get }

    /// Returns the target of the HTTP request for a listing; nil if the service has no such listing.
    func target(for request: ListingRequest) -> RequestTarget?

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(CatalogError) -> DecodedListing

    /// Returns the request for hits that match any of the search terms; nil if the service does not support this.
    func widened(_ request: ListingRequest) -> ListingRequest?

    /// Returns another request to try after an error or an empty result; nil if there is none.
    func fallbackRequest(for request: ListingRequest, after error: CatalogError?) -> ListingRequest?

    /// Returns the request for search terms that begin with `prefix`; nil if the service does not complete queries. The
    /// service's own requests go to `base`.
    func completionTarget(for prefix: String, base: String) -> RequestTarget?

    /// Returns whether the chain queries the service for search terms, or for other listings if `query` is nil.
    /// - Parameter index: the stored index, if the service has one.
    func interest(in query: String?, index: [UInt8]?) -> SourceInterest

    /// Converts an error with a special meaning at this service. For example, KLIPY reports a bad key with status 404.
    func interpreted(_ error: CatalogError) -> CatalogError
}

extension Service {
    func widened(_ request: ListingRequest) -> ListingRequest? { nil }
    func fallbackRequest(for request: ListingRequest, after error: CatalogError?) -> ListingRequest? { nil }
    func completionTarget(for prefix: String, base: String) -> RequestTarget? { nil }
    func interest(in query: String?, index: [UInt8]?) -> SourceInterest { .usual }
    func interpreted(_ error: CatalogError) -> CatalogError { error }
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
