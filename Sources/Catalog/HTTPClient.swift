/// How the catalogue asks a service: one bounded GET.
///
/// Implementations follow redirects, verify TLS and retry as their own options say; a caller who
/// loses interest cancels the task, and the request ends at once.
public protocol HTTPClient: Sendable {
    func get(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}

public struct HTTPRequest: Equatable, Sendable {
    /// Absolute, http or https, percent-encoded.
    public var url: String
    public var headers: [String: String]
    /// The largest body that is taken, in bytes, after decompression.
    public var maximumBytes: Int
    /// For the whole request with its retries, in milliseconds.
    public var timeoutMilliseconds: Int
    /// Whether the transport may ask again by itself; not where each request counts.
    public var mayRepeat = true

    public init(
        url: String, headers: [String: String] = [:], maximumBytes: Int = 4 << 20, timeoutMilliseconds: Int = 12_000
    ) {
        self.url = url
        self.headers = headers
        self.maximumBytes = maximumBytes
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}

/// How a service is sent a form: one bounded POST.
///
/// Apart from `HTTPClient`, since nearly nobody may change anything at a service. Redirects are
/// refused, and nothing is sent twice, whatever the options of the transport say.
public protocol HTTPFormClient: Sendable {
    func post(_ form: HTTPForm, to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}

/// A form's fields, as a browser sends them.
public struct HTTPForm: Equatable, Sendable {
    /// In the form `a=b&c=d`, percent-encoded.
    public let text: String

    /// Names and values are encoded here.
    public init(_ fields: KeyValuePairs<String, String>) {
        text = fields.map { "\(WebAddress.component($0))=\(WebAddress.component($1))" }.joined(separator: "&")
    }
}

/// An answer of any status; a 404 is not an error at this level.
public struct HTTPResponse: Equatable, Sendable {
    public var status: Int
    /// Names in lower case; of a name that comes twice the last value.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why no answer came. Never carries a URL: keys stand in some of them.
public enum HTTPError: Error, Equatable, Sendable {
    /// The host's name could not be resolved, the connection was refused or reset, or TLS failed;
    /// the sentence is the transport's.
    case unreachable(host: String, reason: String)
    case timedOut(host: String, milliseconds: Int)
    case tooLarge(host: String, limit: Int)
    /// A redirect to where none may lead: another scheme, down to http, or too many of them.
    case redirectRefused(host: String, reason: String)
    case invalidURL
    case cancelled
}
