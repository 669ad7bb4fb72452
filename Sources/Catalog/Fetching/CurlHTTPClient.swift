import Base
import CCurl
import Glibc

/// Uses libcurl for GET requests, POST requests with forms, and downloads, all on one separate thread.
///
/// The first request loads libcurl and starts the thread. Any thread can use the client. Requests share connections.
public final class CurlHTTPClient: HTTPClient, HTTPFormClient {
    let options: FetchOptions
    private let loop: TransferLoop

    public init(_ options: FetchOptions) {
        self.options = options
        loop = TransferLoop(options)
    }

    deinit { loop.stop() }

    /// Includes libcurl's version if libcurl can be loaded.
    public var userAgent: String {
        gifplay_curl_load(options.library) == nil ? options.fullUserAgent : options.userAgent
    }

    /// - Returns: the names and versions of libcurl and its libraries, such as "libcurl/7.88.1 OpenSSL/3.0.11 …", or
    ///   the reason why libcurl cannot be loaded.
    public static func library() -> (versions: String?, problem: String?) {
        if let problem = gifplay_curl_load(nil) { return (nil, String(cString: problem)) }
        return (String(cString: gifplay_curl_version()), nil)
    }

    /// What to do if libcurl cannot be loaded.
    public static let advice = "install the package libcurl4"

    /// Whether libcurl cannot be loaded, so that no server can be reached.
    public static var isMissing: Bool { library().versions == nil }

    /// Ends every request and waits until libcurl has cleaned up. Call this before the process exits. Otherwise the
    /// transfer thread could use a library while the exit shuts that library down.
    public func close() {
        loop.stop()
        loop.join()
    }

    /// Whether `url`, which a service returned, may point to this machine or its network. The user configured `base` as
    /// the URL of that service. True if the host of `base` is local, or if both URLs have the same host.
    public func mayBeLocal(_ url: String, base: String) -> Bool {
        guard let base = try? address(base) else { return false }
        let isLocal = LocalAddress.literal(host: base.host).map(options.isLocalAddress) ?? false
        return isLocal || (try? address(url))?.host.lowercased() == base.host.lowercased()
    }

    /// Follows redirects and retries transient failures. The body is decompressed.
    public func get(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        let transportRequest = try transportRequest(for: request)
        var retry = 0
        while true {
            retry += 1
            let body = BodyCollector(limit: request.maximumBytes)
            let result = await send(transportRequest, sink: body)
            guard request.mayRepeat, result.isTransient,
                let wait = options.wait(
                    beforeRetry: retry, after: result,
                    remaining: (transportRequest.deadline?.at ?? 0) - options.clock.milliseconds)
            else { return try response(result, body, of: transportRequest) }
            do { try await options.clock.wait(milliseconds: wait) } catch { throw .cancelled }
        }
    }

    /// Does not retry and does not follow redirects.
    public func post(_ form: String, to request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        var transportRequest = try transportRequest(for: request)
        transportRequest.form = form
        let body = BodyCollector(limit: request.maximumBytes)
        return try response(await send(transportRequest, sink: body), body, of: transportRequest)
    }

    /// Throws an error if no complete response arrived.
    private func response(
        _ result: TransportResult, _ body: BodyCollector, of request: TransportRequest
    ) throws(Failure) -> HTTPResponse {
        switch result {
        case .complete(let head):
            let seconds = RetryPolicy.requestedSeconds(head.headers, unixSeconds: options.clock.unixSeconds)
            return HTTPResponse(
                status: head.status, headers: head.headers, body: body.bytes, retryAfterSeconds: seconds)
        case .stopped: throw .tooLarge(host: request.address.host, limit: body.limit)
        case .cut: throw .unreachable(host: request.address.host, reason: "the response ended early")
        case .undecodable: throw .unreachable(host: request.address.host, reason: "the response cannot be decoded")
        case .failed(let error, _): throw error
        }
    }

    private func transportRequest(for request: HTTPRequest) throws(Failure) -> TransportRequest {
        let address = try address(request.url)
        let whole = request.timeoutMilliseconds
        // The address of a service, which is built in or configured.
        return TransportRequest(
            address: address, headers: request.headers, deadline: (options.clock.milliseconds + whole, whole),
            mayBeLocal: true)
    }

    // MARK: - Requests and redirects

    /// The first call loads libcurl.
    /// - Throws: ``Failure/invalidURL``, or ``Failure/unreachable(host:reason:)`` if libcurl cannot be loaded.
    func address(_ url: String) throws(Failure) -> ParsedURL {
        if let reason = gifplay_curl_load(options.library) {
            let reason = "\(String(cString: reason)); \(Self.advice)"
            throw .unreachable(host: WebAddress.approximateHost(url), reason: reason)
        }
        guard let address = ParsedURL(url), address.isWeb else { throw .invalidURL }
        return address
    }

    /// Follows redirects, whose bodies are discarded.
    func send(_ request: TransportRequest, sink: any ExchangeSink) async -> TransportResult {
        var trail = RedirectTrail(
            from: request.address, mayBeLocal: request.mayBeLocal,
            usesProxy: { [options] in options.proxy(for: $0) != nil }, isLocal: options.isLocalAddress)
        do throws(Failure) {
            try trail.checkFirstAddress()
            while true {
                let left = request.deadline.map { $0.at - options.clock.milliseconds }
                let exchange = Exchange(request, at: trail, wholeMilliseconds: left, sink: sink)
                if let left, left <= 0 { return exchange.timedOut() }
                let result = await loop.run(exchange)
                guard case .complete(let head) = result else { return result }
                guard let location = head.redirect else {
                    if head.status == 429 { options.onTooManyRequests(trail.current.host) }
                    return result
                }
                guard request.form == nil else {
                    throw Failure.responseRefused(host: trail.current.host, reason: "a redirect of a POST")
                }
                trail.reusableSeconds = min(
                    trail.reusableSeconds, StoredResponse.redirectSeconds(head, at: options.clock.unixSeconds))
                try trail.follow(location, peer: head.peer, cookies: head.cookies)
            }
        } catch {
            return .failed(error, isTransient: false)
        }
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

/// The redirects of one request, and the rules for the next redirect.
///
/// gifplay follows redirects itself, because libcurl's rules are less strict. gifplay applies these rules:
/// - A request follows at most ``limit`` redirects.
/// - A redirect must lead to http or https, and never from https to http.
/// - The first address can be on this machine or its network only if the user specified that address.
/// - A redirect must not lead to this machine or its network, unless the user specified a first address there.
struct RedirectTrail {
    static let limit = 20

    private(set) var current: ParsedURL
    /// The cookies that the responses so far have set, in libcurl's format. They are sent only within this chain.
    private(set) var cookies: [String] = []
    /// How long all redirects so far may be followed without asking for them again.
    var reusableSeconds = Int.max
    private let first: ParsedURL
    private let usesProxy: @Sendable (ParsedURL) -> Bool
    private let mayBeLocal: Bool
    private let isLocal: @Sendable (String) -> Bool
    private var count = 0
    /// Whether the user specified a local first address. Redirects to local addresses are then harmless.
    private var isLocalOrigin = false

    /// - Parameters:
    ///   - usesProxy: whether a request goes through a proxy, whose IP address does not identify the target.
    ///   - mayBeLocal: whether the first address is allowed to be local. True if the user specified the address; false
    ///     if a service or a document did.
    ///   - isLocal: returns whether an IP address in text form belongs to this machine or its network.
    init(
        from first: ParsedURL, mayBeLocal: Bool,
        usesProxy: @escaping @Sendable (ParsedURL) -> Bool = { _ in false },
        isLocal: @escaping @Sendable (String) -> Bool
    ) {
        (self.first, self.usesProxy, self.mayBeLocal, self.isLocal) = (first, usesProxy, mayBeLocal, isLocal)
        current = first
    }

    /// ``TransportRequest/headers`` are sent only to the origin of the first address.
    var isAtOrigin: Bool { current.origin == first.origin }

    /// Whether the request for the current address is allowed to be sent to the IP address `peer`.
    func allowsPeer(_ peer: String) -> Bool {
        (count == 0 && mayBeLocal) || isLocalOrigin || usesProxy(current) || !isLocal(peer)
    }

    /// Throws if the first address must not be local, but its host is `localhost` or a local IP address.
    func checkFirstAddress() throws(Failure) {
        if !mayBeLocal, let literal = LocalAddress.literal(host: first.host), isLocal(literal) { throw localRefusal }
    }

    /// - Parameter peer: the IP address of the server that sent the redirect.
    /// - Throws: ``Failure/responseRefused(host:reason:)``.
    mutating func follow(_ location: String, peer: String, cookies: [String] = []) throws(Failure) {
        isLocalOrigin = mayLeadToLocal(from: peer)
        self.cookies = cookies
        guard count < Self.limit else { throw refusal("more than \(Self.limit) redirects") }
        guard let next = current.resolving(location) else { throw refusal("a redirect to an invalid URL") }
        guard next.isWeb else { throw refusal("a redirect to \(next.scheme):") }
        guard !(current.scheme == "https" && next.scheme == "http") else {
            throw refusal("a redirect from https to http")
        }
        if !isLocalOrigin, let literal = LocalAddress.literal(host: next.host), isLocal(literal) {
            throw redirectIntoLocal
        }
        count += 1
        current = next
    }

    /// Whether addresses in a response from this peer can be local, because the user specified a local first address.
    func mayLeadToLocal(from peer: String) -> Bool {
        guard count == 0, mayBeLocal else { return isLocalOrigin }
        return LocalAddress.literal(host: first.host).map(isLocal) ?? (!usesProxy(first) && isLocal(peer))
    }

    private var redirectIntoLocal: Failure { refusal("a redirect into the local network") }

    /// Either the text of the current address or the peer's IP address shows that the target is local.
    var localRefusal: Failure {
        guard count == 0 else { return redirectIntoLocal }
        let reason = "it is in the local network, and you did not specify it yourself"
        return .unreachable(host: current.host, reason: reason)
    }

    private func refusal(_ reason: String) -> Failure { .responseRefused(host: current.host, reason: reason) }
}
