import Base
import Catalog

/// Uses libcurl to perform GET requests with size and time limits, form posts, and downloads. All transfers run on one
/// separate thread.
///
/// The first request loads libcurl and starts the thread. The client can be used from any thread. Concurrent requests
/// share connections.
public final class CurlHTTPClient: HTTPClient, HTTPFormClient {
    let transport: Transport

    /// Stores the options. Does not load libcurl and does not start the thread.
    public init(_ options: FetchOptions) {
        transport = Transport(options)
    }

    /// The user agent that the client sends. It includes libcurl's version if libcurl can be loaded.
    public var userAgent: String { transport.userAgent }

    /// Ends every request and waits until libcurl has cleaned up. Call this before the process exits, so that no thread
    /// is inside OpenSSL when OpenSSL is shut down.
    public func close() {
        transport.close()
    }

    /// Whether `url` may point to this machine or its network because the user configured `base`. True if the host of
    /// `base` is an address of this machine or its network, or if both URLs have the same host.
    public func mayBeLocal(_ url: String, base: String) -> Bool {
        guard let base = try? transport.address(base) else { return false }
        let isLocal = LocalAddress.literal(host: base.host).map(transport.options.isLocalAddress) ?? false
        return isLocal || (try? transport.address(url))?.host.lowercased() == base.host.lowercased()
    }

    /// Sends a GET request, follows redirects and retries transient failures. The body is decompressed.
    public func get(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let transportRequest = try transportRequest(for: request)
        let options = transport.options
        var retry = 0
        while true {
            retry += 1
            let body = BodyCollector(limit: request.maximumBytes)
            let transportResult = await transport.send(transportRequest, sink: body)
            let result = Self.attemptResult(transportResult, body, host: transportRequest.address.host)
            guard request.mayRepeat, case .retry(let outcome, let retryAfter) = result else {
                return try result.outcome.get()
            }
            let wait = options.wait(
                beforeRetry: retry, status: (try? outcome.get())?.status, retryAfter: retryAfter,
                remaining: (transportRequest.deadline?.at ?? 0) - options.clock.milliseconds)
            guard let wait else { return try outcome.get() }
            do { try await options.clock.wait(milliseconds: wait) } catch { throw .cancelled }
        }
    }

    /// Sends a form with POST. Does not retry and does not follow redirects.
    public func post(_ form: HTTPForm, to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var transportRequest = try transportRequest(for: request)
        transportRequest.form = form.text
        let body = BodyCollector(limit: request.maximumBytes)
        let transportResult = await transport.send(transportRequest, sink: body)
        return try Self.attemptResult(transportResult, body, host: transportRequest.address.host).outcome.get()
    }

    private func transportRequest(for request: HTTPRequest) throws(HTTPError) -> TransportRequest {
        let address = try transport.address(request.url)
        let whole = request.timeoutMilliseconds
        let deadline = Deadline(at: transport.options.clock.milliseconds + whole, whole: whole)
        return TransportRequest(
            address: address, headers: request.headers, acceptsCompression: true, deadline: deadline)
    }

    private enum AttemptResult {
        case done(Result<HTTPResponse, HTTPError>)
        /// The request may be repeated. If no retry is allowed, the outcome is final.
        case retry(Result<HTTPResponse, HTTPError>, retryAfter: String?)

        var outcome: Result<HTTPResponse, HTTPError> {
            switch self {
            case .done(let outcome), .retry(let outcome, _): outcome
            }
        }
    }

    private static func attemptResult(
        _ result: TransportResult, _ body: BodyCollector, host: String
    ) -> AttemptResult {
        switch result {
        case .complete(let head):
            let response = HTTPResponse(status: head.status, headers: head.headers, body: body.bytes)
            guard RetryPolicy.isTransient(status: head.status) else { return .done(.success(response)) }
            return .retry(.success(response), retryAfter: head.headers["retry-after"])
        case .stopped: return .done(.failure(.tooLarge(host: host, limit: body.limit)))
        case .cut:
            return .retry(.failure(.unreachable(host: host, reason: "the response ended early")), retryAfter: nil)
        case .failed(let error, true): return .retry(.failure(error), retryAfter: nil)
        case .failed(let error, false): return .done(.failure(error))
        }
    }
}

/// Collects a body in memory. The limit applies to the decompressed bytes.
private final class BodyCollector: ExchangeSink {
    let limit: Int
    private let collected = Monitor<[UInt8]>([])

    init(limit: Int) {
        self.limit = limit
    }

    var bytes: [UInt8] { collected.withLock { $0 } }

    func begin(_ head: ResponseHead) -> Bool {
        guard let length = head.contentLength else { return true }
        // The announced length of a compressed body is its compressed length. If that length exceeds the limit, the
        // decompressed body exceeds the limit too.
        return length <= limit
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        collected.withLock { collected in
            guard collected.count + bytes.count <= limit else { return false }
            collected.append(contentsOf: bytes)
            return true
        }
    }
}
