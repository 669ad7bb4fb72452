import Base

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
