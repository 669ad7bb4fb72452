import Base
import Catalog

/// Uses libcurl for GET requests, POST requests with forms, and downloads, all on one separate thread.
///
/// The first request loads libcurl and starts the thread. Any thread can use the client. Requests share connections.
public final class CurlHTTPClient: HTTPClient, HTTPFormClient {
    let transport: Transport

    public init(_ options: FetchOptions) { transport = Transport(options) }

    /// Includes libcurl's version if libcurl can be loaded.
    public var userAgent: String { transport.userAgent }

    /// Ends every request and waits until libcurl has cleaned up. Call this before the process exits. Otherwise the
    /// transfer thread could use a library while the exit shuts that library down.
    public func close() { transport.close() }

    /// Whether `url`, which a service returned, may point to this machine or its network. The user configured `base` as
    /// the URL of that service. True if the host of `base` is local, or if both URLs have the same host.
    public func mayBeLocal(_ url: String, base: String) -> Bool {
        guard let base = try? transport.address(base) else { return false }
        let isLocal = LocalAddress.literal(host: base.host).map(transport.options.isLocalAddress) ?? false
        return isLocal || (try? transport.address(url))?.host.lowercased() == base.host.lowercased()
    }

    /// Follows redirects and retries transient failures. The body is decompressed.
    public func get(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let transportRequest = try transportRequest(for: request)
        let options = transport.options
        var retry = 0
        while true {
            retry += 1
            let body = BodyCollector(limit: request.maximumBytes)
            let result = await transport.send(transportRequest, sink: body)
            guard request.mayRepeat, result.isTransient,
                let wait = options.wait(
                    beforeRetry: retry, after: result,
                    remaining: (transportRequest.deadline?.at ?? 0) - options.clock.milliseconds)
            else { return try response(result, body, of: transportRequest) }
            do { try await options.clock.wait(milliseconds: wait) } catch { throw .cancelled }
        }
    }

    /// Does not retry and does not follow redirects.
    public func post(_ form: HTTPForm, to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var transportRequest = try transportRequest(for: request)
        transportRequest.form = form.text
        let body = BodyCollector(limit: request.maximumBytes)
        return try response(await transport.send(transportRequest, sink: body), body, of: transportRequest)
    }

    /// Throws an error if no complete response arrived.
    private func response(
        _ result: TransportResult, _ body: BodyCollector, of request: TransportRequest
    ) throws(HTTPError) -> HTTPResponse {
        switch result {
        case .complete(let head):
            let seconds = RetryAfter.seconds(head.headers, unixSeconds: transport.options.clock.unixSeconds)
            return HTTPResponse(
                status: head.status, headers: head.headers, body: body.bytes, retryAfterSeconds: seconds)
        case .stopped: throw .tooLarge(host: request.address.host, limit: body.limit)
        case .cut: throw .unreachable(host: request.address.host, reason: "the response ended early")
        case .undecodable: throw .unreachable(host: request.address.host, reason: "the response cannot be decoded")
        case .failed(let error, _): throw error
        }
    }

    private func transportRequest(for request: HTTPRequest) throws(HTTPError) -> TransportRequest {
        let address = try transport.address(request.url)
        let whole = request.timeoutMilliseconds
        let deadline = Deadline(at: transport.options.clock.milliseconds + whole, whole: whole)
        return TransportRequest(
            address: address, headers: request.headers, deadline: deadline)
    }
}

/// The limit applies to the decompressed bytes.
private final class BodyCollector: ExchangeSink {
    let limit: Int
    private let collected = Monitor<[UInt8]>([])

    init(limit: Int) { self.limit = limit }

    var bytes: [UInt8] { collected.withLock { $0 } }

    func begin(_ head: ResponseHead) -> Bool {
        guard let length = head.contentLength else { return true }
        // A compressed body has its compressed length here, and the decompressed body is almost certainly longer.
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
