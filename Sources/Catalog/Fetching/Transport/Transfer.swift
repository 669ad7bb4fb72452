import Base
import CCurl
import Glibc

/// A libcurl easy handle and its callbacks. Only the transfer thread uses this object.
final class Transfer {
    /// In bytes and in lines. No legitimate response comes near them. The time that libcurl needs for a header grows with
    /// the square of the number of lines.
    private static let (headerLimit, headerLines) = (256 << 10, 1_000)
    /// In bytes. A body is read to its end so that the connection can be reused, but it might be endless.
    private static let redirectBodyLimit = 64 << 10

    let exchange: Exchange
    let easy: UnsafeMutableRawPointer
    private let options: FetchOptions
    private let reason: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var header = (bytes: 0, lines: 0)
    private var redirectBodyBytes = 0
    private var head: ResponseHead?
    private var peer = ""
    private var isConnected = false
    private var isPeerRefused = false
    private var lastActivity = Instant.monotonic.milliseconds
    /// The bytes of the body since `start`. Each time they reach ``leastBytes``, a new span begins.
    private var span: (start: Int, bytes: Int)?
    private static let leastBytes = 1_000

    /// - Returns: nil if libcurl cannot create a handle or rejects a required option.
    init?(_ exchange: Exchange, options: FetchOptions) {
        guard let easy = gifplay_easy_init() else { return nil }
        (self.exchange, self.easy, self.options) = (exchange, easy, options)
        reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
        reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard setUp() else { return nil }
    }

    deinit {
        gifplay_easy_cleanup(easy)
        gifplay_slist_free(headers)
        reason.deallocate()
    }

    /// The time at which the transfer is stalled or too slow, in milliseconds.
    var deadline: Int { min(stallDeadline, slowDeadline) }

    /// The result of a transfer that is still running at its ``deadline``.
    func timeoutResult(at now: Int) -> TransportResult {
        guard stallDeadline > now else { return exchange.timedOut(milliseconds: options.stallMilliseconds) }
        // A retry would be as slow.
        let error = Failure.tooSlow(host: exchange.address.host, milliseconds: options.slowMilliseconds)
        return .failed(error, isTransient: false)
    }

    private var slowDeadline: Int {
        guard let span, exchange.wholeMilliseconds == nil else { return .max }
        return span.start + options.slowMilliseconds
    }

    /// The time at which the transfer counts as stalled, in milliseconds. Until the connection is made, the connect
    /// timeout is added to the stall timeout.
    ///
    /// For a request with a total timeout, the stall timeout applies only after the response has begun, because a
    /// service can need a long time for a search.
    private var stallDeadline: Int {
        guard head != nil || exchange.wholeMilliseconds == nil else { return .max }
        return lastActivity + (isConnected ? 0 : options.connectMilliseconds) + options.stallMilliseconds
    }

    // MARK: - Setting up

    /// - Returns: false if libcurl rejects an option that is required for security.
    private func setUp() -> Bool {
        let request = exchange.request
        guard gifplay_easy_restrict_protocols(easy) == CURLE_OK,
            gifplay_easy_set_string(easy, CURLOPT_URL, exchange.address.text) == CURLE_OK,
            set(CURLOPT_FOLLOWLOCATION, 0), set(CURLOPT_NOSIGNAL, 1), setUpTLS()
        else { return false }
        set(CURLOPT_CONNECTTIMEOUT_MS, options.connectMilliseconds)
        set(CURLOPT_TIMEOUT_MS, exchange.wholeMilliseconds ?? 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // With PIPEWAIT, a transfer waits until an existing connection shows whether concurrent transfers can share it.
        // Use PIPEWAIT only with TLS, because transfers without TLS cannot share a connection. Otherwise, if a proxy
        // did not respond to one request, all other requests through this proxy would wait too.
        set(CURLOPT_PIPEWAIT, exchange.address.scheme == "https" ? 1 : 0)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        // With this option, removing a transfer does not wait for its name lookup. The option requires libcurl 7.87.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_BUFFERSIZE, 64 << 10)
        _ = gifplay_easy_set_string(easy, CURLOPT_USERAGENT, options.fullUserAgent)
        // The empty string enables every encoding that libcurl was built with, and the cookies.
        if request.decodesBody { _ = gifplay_easy_set_string(easy, CURLOPT_ACCEPT_ENCODING, "") }
        _ = gifplay_easy_set_string(easy, CURLOPT_COOKIEFILE, "")
        for cookie in exchange.trail.cookies { _ = gifplay_easy_set_string(easy, CURLOPT_COOKIELIST, cookie) }
        // Both override the environment, so that the proxy is the one for which the peer is checked.
        _ = gifplay_easy_set_string(easy, CURLOPT_PROXY, options.proxy(for: exchange.address) ?? "")
        _ = gifplay_easy_set_string(easy, CURLOPT_NOPROXY, "")
        for line in request.headerLines(
            isAtOrigin: exchange.trail.isAtOrigin, at: exchange.address.text)
        {
            headers = gifplay_slist_append(headers, line) ?? headers
        }
        _ = gifplay_easy_set_pointer(easy, CURLOPT_HTTPHEADER, headers)
        return setUpCallbacks() && setUpForm(request.form)
    }

    private func setUpForm(_ form: String?) -> Bool {
        guard let form else { return true }
        return Array(form.utf8).withUnsafeBytes { bytes in
            bytes.baseAddress.map { gifplay_easy_set_post(easy, $0, bytes.count) == CURLE_OK } ?? false
        }
    }

    private func setUpTLS() -> Bool {
        guard set(CURLOPT_SSL_VERIFYPEER, 1), set(CURLOPT_SSL_VERIFYHOST, 2) else { return false }
        guard set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)) else { return false }
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        guard let file = options.caFile else { return true }
        return gifplay_easy_set_string(easy, CURLOPT_CAINFO, file.systemPath) == CURLE_OK
    }

    @discardableResult
    private func set(_ option: CURLoption, _ value: Int) -> Bool {
        gifplay_easy_set_long(easy, option, value) == CURLE_OK
    }

    /// libcurl does not retain this object. `TransferTable` keeps it as long as libcurl uses the easy handle.
    private func setUpCallbacks() -> Bool {
        let code = gifplay_easy_set_callbacks(
            easy,
            { bytes, size, count, context in Transfer.at(context)?.receiveHeader(bytes, count: size * count) ?? 0 },
            { bytes, size, count, context in Transfer.at(context)?.receiveBody(bytes, count: size * count) ?? 0 },
            { context, peer, _, _, _ in Transfer.at(context)?.connect(peer) ?? 1 },
            { context, peer in Transfer.at(context)?.allows(String(cString: peer)) == true ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque(), reason)
        return code == CURLE_OK
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - Callbacks from libcurl

    /// - Returns: 1 to refuse to send the request to this peer, otherwise 0.
    private func connect(_ peer: UnsafeMutablePointer<CChar>?) -> Int32 {
        isConnected = true
        lastActivity = Instant.monotonic.milliseconds
        self.peer = peer.map { String(cString: $0) } ?? ""
        return allows(self.peer) ? 0 : 1
    }

    private func allows(_ peer: String) -> Bool {
        isPeerRefused = !exchange.trail.allowsPeer(peer)
        return !isPeerRefused
    }

    /// - Returns: `count`, or another number to end the transfer.
    private func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, count: Int) -> Int {
        recordActivity()
        header = (header.bytes + count, header.lines + 1)
        guard !isHeaderTooLong else { return 0 }
        // An empty line ends the head of a response. Ignores interim responses (1xx) and trailers of a chunked body.
        guard self.head == nil, let first = bytes?.pointee, first == 0x0D || first == 0x0A else { return count }
        let head = ResponseHead(of: easy, peer: peer, at: exchange.trail)
        guard head.status >= 200 else { return count }
        self.head = head
        return !exchange.isEnded && (head.redirect != nil || exchange.sink.begin(head)) ? count : 0
    }

    private var isHeaderTooLong: Bool { header.bytes > Self.headerLimit || header.lines > Self.headerLines }

    private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, count: Int) -> Int {
        recordActivity()
        guard count > 0, !exchange.isEnded else { return 0 }
        guard head?.redirect == nil else {
            redirectBodyBytes += count
            return redirectBodyBytes <= Self.redirectBodyLimit ? count : 0
        }
        let arrived = (span?.bytes ?? 0) + count
        span = arrived < Self.leastBytes ? (span?.start ?? lastActivity, arrived) : (lastActivity, 0)
        return exchange.sink.receive(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    private func recordActivity() {
        isConnected = true
        lastActivity = Instant.monotonic.milliseconds
    }

    // MARK: - The end

    func result(_ code: CURLcode) -> TransportResult {
        switch code {
        case CURLE_OK:
            guard let head else { return failure(CURLE_GOT_NOTHING, "no response") }
            return .complete(head)
        case CURLE_WRITE_ERROR where isHeaderTooLong: return headerRefusal
        // libcurl has a limit for a single line. Above it, it reports CURLE_TOO_LARGE, or out of memory before 8.6.0, whose
        // header file does not define the other code.
        case CURLcode(rawValue: 100),
            CURLE_OUT_OF_MEMORY where isConnected && head == nil:
            return headerRefusal
        case CURLE_WRITE_ERROR:
            // The body of a redirect is not needed.
            if let head, head.redirect != nil { return .complete(head) }
            return .stopped
        case CURLE_ABORTED_BY_CALLBACK where isPeerRefused, CURLE_COULDNT_CONNECT where isPeerRefused:
            return .failed(exchange.trail.localRefusal, isTransient: false)
        case CURLE_OPERATION_TIMEDOUT: return exchange.timedOut(milliseconds: exceededMilliseconds)
        case CURLE_PARTIAL_FILE: return .cut
        case CURLE_BAD_CONTENT_ENCODING: return .undecodable
        default: return failure(code, message(for: code))
        }
    }

    private func failure(_ code: CURLcode, _ reason: String) -> TransportResult {
        let breaks = [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM]
        let (host, isTransient) = (exchange.address.host, breaks.contains(code))
        // The second one is the code for a version of HTTP.
        guard head == nil, code != CURLE_WEIRD_SERVER_REPLY, code != CURLE_UNSUPPORTED_PROTOCOL else {
            return .failed(.brokenResponse(host: host, reason: reason), isTransient: isTransient)
        }
        let problem: Failure.ConnectionProblem =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .noNetwork
            case CURLE_COULDNT_CONNECT where gifplay_easy_get_long(easy, CURLINFO_OS_ERRNO) == ENETUNREACH: .noNetwork
            case CURLE_COULDNT_CONNECT, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING: .noAnswer
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: .certificate
            default: .other
            }
        return .failed(.unreachable(host: host, reason: reason, problem), isTransient: isTransient)
    }

    private var headerRefusal: TransportResult {
        let error = Failure.responseRefused(host: exchange.address.host, reason: "an overlong response header")
        return .failed(error, isTransient: false)
    }

    /// Nil for the timeout of the whole request. libcurl has the same result code for it and for the connect timeout.
    private var exceededMilliseconds: Int? {
        let whole = exchange.wholeMilliseconds ?? .max
        return isConnected || whole <= options.connectMilliseconds ? nil : options.connectMilliseconds
    }

    /// Returns libcurl's detailed message for this failure. If that message is empty or repeats the URL's path and
    /// query, which can contain a key, returns libcurl's general message for the code.
    private func message(for code: CURLcode) -> String {
        let general = String(cString: gifplay_easy_strerror(code))
        let particular = String(cString: reason)
        let url = exchange.address.text
        let secret = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3)
        let containsURLPart = secret.contains { part in part.count > 3 && particular.contains(part) }
        return particular.isEmpty || containsURLPart ? general : particular
    }
}
