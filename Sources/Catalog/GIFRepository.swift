import Base

/// A source of GIFs that returns pages of references.
///
/// Code that displays GIFs depends on this protocol and not on a specific service. A search without hits returns an
/// empty page; a thrown error means that the source could not be queried.
public protocol GIFRepository: Sendable {
    /// The name of the source for `--source`: one word in lower case.
    var name: String { get }

    /// Returns the page of hits at `page`, or the first page if `page` is nil.
    func search(_ query: SearchQuery, page: PageToken?) async throws(Failure) -> ResultPage

    /// Returns the GIFs that are popular now. Throws `Failure.notOffered` if the source has no such listing.
    func trending(_ preferences: ListingPreferences, page: PageToken?) async throws(Failure) -> ResultPage

    /// Returns one batch of random GIFs for the endless feed. Each call returns another batch.
    func random(_ preferences: ListingPreferences) async throws(Failure) -> ResultPage

    /// Whether a chain queries the source for these search terms, or for other listings if `query` is nil.
    func interest(in query: String?) -> SourceInterest
}

extension GIFRepository {
    public func interest(in query: String?) -> SourceInterest { .usual }
}

/// The position of the next page of a listing, in the format of the source that returned this token.
public struct PageToken: Hashable, Sendable, Codable {
    /// The `GIFRepository.name` of the source that returned the token. Only this source can interpret `parameters`.
    public var source: String
    public var parameters: [String: String]
    /// The names of the steps of a chain that have nothing more; nil in the token of a single source.
    public var finishedSteps: [String]?

    public init(source: String, parameters: [String: String], finishedSteps: [String]? = nil) {
        (self.source, self.parameters, self.finishedSteps) = (source, parameters, finishedSteps)
    }
}

/// One page of a listing, in the source's order.
public struct ResultPage: Equatable, Sendable {
    public var items: [GIFReference]
    /// The token of the next page; nil on the last page. If a chain's search reaches a source's last page, this token
    /// points to the first page of the next source.
    public var next: PageToken?
    /// The number of GIFs in the whole listing, if the source reports it.
    public var total: Int?
    /// The other sources that failed, were too slow or had no results, in the order in which they were queried.
    public var sourceFailures: [Failure]

    public init(
        items: [GIFReference], next: PageToken? = nil, total: Int? = nil, sourceFailures: [Failure] = []
    ) {
        (self.items, self.next, self.total, self.sourceFailures) = (items, next, total, sourceFailures)
    }

    /// Whether all GIFs of the page are on this machine.
    package var isLocal: Bool { items.allSatisfy(\.isLocal) }
}

/// Observes the queries of a task that requests a listing.
package struct SourceQuery: Sendable {
    /// Called with the name of each source that is queried, or with the state of the download of a link.
    package let report: @Sendable (String) -> Void

    package init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    // Not a function itself: Swift 6.3 crashes when it pushes a task-local function in a release build.
    @TaskLocal package static var observer = SourceQuery { _ in }
}

public struct SearchQuery: Hashable, Sendable {
    /// As the user typed it, without the prompt of a pasted command.
    public var text: String
    public var preferences: ListingPreferences
    /// Whether a single matching search term is enough for a hit. Not all sources support this.
    public var matchesAnyTerm = false

    public init(_ text: String, preferences: ListingPreferences = ListingPreferences()) {
        self.text = ShellText.query(text)
        self.preferences = preferences
    }
}

/// The settings that apply to every listing, with or without a query.
public struct ListingPreferences: Hashable, Sendable {
    public var rating: Rating
    /// The two-letter ISO 639-1 code.
    public var language: String
    /// The display width of the GIF in pixels, if it is known.
    public var targetWidth: Int?
    /// For the whole call, including all of its requests.
    public var budgetMilliseconds: Int
    /// Whether to query the source even if the result of an identical call is cached.
    public var bypassesCache = false

    public init(
        rating: Rating = .g, language: String = "en", targetWidth: Int? = nil, budgetMilliseconds: Int = 20_000
    ) {
        (self.rating, self.language) = (rating, language)
        (self.targetWidth, self.budgetMilliseconds) = (targetWidth, budgetMilliseconds)
    }

    /// A copy without the properties that apply only to one call.
    package var forComparison: ListingPreferences {
        var preferences = self
        preferences.budgetMilliseconds = 0
        preferences.bypassesCache = false
        return preferences
    }
}

/// A limit for explicit content. The cases are in order, the strictest first. GIPHY and KLIPY use these names.
public enum Rating: String, CaseIterable, Sendable {
    case g
    case pg
    case pg13 = "pg-13"
    case r

    /// `self` is the upper limit. A missing or unknown rating is allowed.
    package func allows(_ word: String?) -> Bool {
        guard let word = word?.lowercased(), let other = Rating(rawValue: word) else { return true }
        return (Self.allCases.firstIndex(of: other) ?? 0) <= (Self.allCases.firstIndex(of: self) ?? 0)
    }
}

/// Sends GET requests with a size limit and a timeout. The catalogue uses this protocol to query services.
///
/// Implementations follow redirects, verify TLS and retry according to their own options. Cancelling the task ends the
/// request immediately.
public protocol HTTPClient: Sendable {
    func get(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse
}

public struct HTTPRequest: Equatable, Sendable {
    /// An absolute http or https URL, percent-encoded.
    public var url: String
    public var headers: [String: String]
    /// The maximum size of the body in bytes, after decompression.
    public var maximumBytes: Int
    /// For the whole request, including retries.
    public var timeoutMilliseconds: Int
    /// Whether the transport is allowed to retry the request. Set it to false if every request counts against a limit.
    public var mayRepeat = true

    public init(
        url: String, headers: [String: String] = [:], maximumBytes: Int = 4 << 20, timeoutMilliseconds: Int = 12_000
    ) {
        (self.url, self.headers) = (url, headers)
        (self.maximumBytes, self.timeoutMilliseconds) = (maximumBytes, timeoutMilliseconds)
    }
}

/// Sends forms by POST with a size limit and a timeout.
///
/// This protocol is separate from `HTTPClient` because almost no code is allowed to change data at a service. Redirects
/// are refused and a form is never sent twice, regardless of the transport's options.
public protocol HTTPFormClient: Sendable {
    /// - Parameter form: the body. The request must have the header Content-Type.
    func post(_ form: String, to request: HTTPRequest) async throws(Failure) -> HTTPResponse
}

/// A response with any status. An error status such as 404 is returned, and not thrown as an error.
public struct HTTPResponse: Equatable, Sendable {
    public var status: Int
    /// Header names are in lower case. If a name occurs twice, the last value is used.
    public var headers: [String: String] = [:]
    public var body: [UInt8] = []
    /// The wait that the server requests before the next request, at most one day; nil if it requests none.
    public var retryAfterSeconds: Int?
}
