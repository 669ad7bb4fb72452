import Base

/// Sends GET requests with a size limit and a timeout. The catalogue uses this protocol to query services.
///
/// Implementations follow redirects, verify TLS and retry according to their own options. Cancelling the task ends the
/// request immediately.
public protocol HTTPClient: Sendable {
    func get(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
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
        self.url = url
        self.headers = headers
        self.maximumBytes = maximumBytes
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}

/// Sends forms by POST with a size limit and a timeout.
///
/// This protocol is separate from `HTTPClient` because almost no code is allowed to change data at a service. Redirects
/// are refused and a form is never sent twice, regardless of the transport's options.
public protocol HTTPFormClient: Sendable {
    /// - Parameter form: the body. The request must have the header Content-Type.
    func post(_ form: String, to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
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

/// The associated values must not contain a URL, because some URLs contain keys.
public enum HTTPError: Error, Hashable, Sendable {
    /// Name resolution, the connection or TLS failed. `reason` is the transport's message.
    case unreachable(host: String, reason: String)
    case timedOut(host: String, milliseconds: Int)
    /// A download delivered less than 1 kB in this time.
    case tooSlow(host: String, milliseconds: Int)
    case tooLarge(host: String, limit: Int)
    /// The header is too long, there were too many redirects, or a redirect leads to a scheme other than http and https,
    /// from https to http, or into the local network. For a form, no redirect is allowed.
    case responseRefused(host: String, reason: String)
    case invalidURL
    case cancelled
}

extension HTTPError: DescribedError {
    public var text: ErrorText {
        switch self {
        case .unreachable(let host, let reason):
            ["resolve host", "Network is unreachable"].contains(where: reason.contains)
                ? ErrorText("\(host) cannot be reached: \(reason)", short: "no network", de: "kein Netz")
                : ErrorText(
                    "\(host) cannot be reached: \(reason)", short: "server cannot be reached",
                    de: "Server nicht erreichbar")
        case .timedOut(let host, let milliseconds):
            ErrorText(
                "\(host) timed out after \(Double(milliseconds / 100) / 10) s", short: "server timed out",
                de: "Server antwortet nicht")
        case .tooSlow(let host, let milliseconds):
            ErrorText(
                "\(host) sent less than 1 kB in \(milliseconds / 1000) s", short: "server timed out",
                de: "Server antwortet nicht")
        case .tooLarge(let host, let limit):
            ErrorText(
                "\(host) sent more than \(ByteSize.limit(limit))", short: "response over the \(limit >> 20) MiB limit",
                de: "Antwort über der Grenze von \(limit >> 20) MiB")
        case .responseRefused(let host, let reason):
            ErrorText("\(host) sent \(reason), which is refused", short: "response refused", de: "Antwort abgelehnt")
        case .invalidURL: ErrorText("not an http or https URL", short: "invalid URL", de: "ungültige Adresse")
        case .cancelled: ErrorText("cancelled", de: "abgebrochen")
        }
    }
}
