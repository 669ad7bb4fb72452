import Base
import CCurl

/// One transfer on the transfer thread: libcurl's handle, set up, and what it calls back.
final class Transfer {
    let exchange: Exchange
    let easy: UnsafeMutableRawPointer
    private let options: FetchOptions
    private let reason: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var parser = HeadParser()
    private var head: ResponseHead?
    private var peer = ""
    private var isConnected = false
    private var isPeerRefused = false
    private let started = Instant.monotonic.milliseconds
    private var lastActivity: Int

    /// - Returns: nil when libcurl gives no handle or takes not what it must take.
    init?(_ exchange: Exchange, options: FetchOptions) {
        guard let easy = gifplay_easy_init() else { return nil }
        self.exchange = exchange
        self.easy = easy
        self.options = options
        reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
        reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        lastActivity = started
        guard setUp() else { return nil }
    }

    deinit {
        gifplay_easy_cleanup(easy)
        gifplay_slist_free(headers)
        reason.deallocate()
    }

    /// When the silence has lasted too long. Until the connection is made, its own bound comes first. Until the answer
    /// begins, a bound for the whole request stands in: a service may take longer to search than a server to send.
    var stallDeadline: Int {
        guard head != nil || exchange.request.wholeMilliseconds == nil else { return .max }
        return (isConnected ? lastActivity : started + options.connectMilliseconds) + options.stallMilliseconds
    }

    // MARK: - Setting up

    /// - Returns: false when an option that safety rests on is not taken.
    private func setUp() -> Bool {
        let request = exchange.request
        guard gifplay_easy_restrict_protocols(easy) == CURLE_OK,
            gifplay_easy_set_string(easy, CURLOPT_URL, request.address.text) == CURLE_OK,
            set(CURLOPT_FOLLOWLOCATION, 0), set(CURLOPT_NOSIGNAL, 1), setUpTLS()
        else { return false }
        set(CURLOPT_CONNECTTIMEOUT_MS, options.connectMilliseconds)
        set(CURLOPT_TIMEOUT_MS, request.wholeMilliseconds ?? 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Without TLS no connection takes several requests: a silent one would hold up all others of a proxy.
        set(CURLOPT_PIPEWAIT, request.address.scheme == "https" ? 1 : 0)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        // A name that is being looked up does not hold up the removal of its transfer. 7.87 and later.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_BUFFERSIZE, 64 << 10)
        _ = gifplay_easy_set_string(easy, CURLOPT_USERAGENT, options.fullUserAgent)
        // Empty means every compression that libcurl was built with.
        if request.acceptsCompression { _ = gifplay_easy_set_string(easy, CURLOPT_ACCEPT_ENCODING, "") }
        if case .fixed(let proxy) = options.proxy { _ = gifplay_easy_set_string(easy, CURLOPT_PROXY, proxy) }
        if case .none = options.proxy { _ = gifplay_easy_set_string(easy, CURLOPT_PROXY, "") }
        for line in request.headers { headers = gifplay_slist_append(headers, line) ?? headers }
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
        return gifplay_easy_set_string(easy, CURLOPT_CAINFO, file) == CURLE_OK
    }

    @discardableResult
    private func set(_ option: CURLoption, _ value: Int) -> Bool {
        gifplay_easy_set_long(easy, option, value) == CURLE_OK
    }

    /// The context is unowned: the table keeps this object for as long as libcurl has its handle.
    private func setUpCallbacks() -> Bool {
        let code = gifplay_easy_set_callbacks(
            easy,
            { bytes, size, count, context in Transfer.at(context)?.takeHeader(bytes, count: size * count) ?? 0 },
            { bytes, size, count, context in Transfer.at(context)?.takeBody(bytes, count: size * count) ?? 0 },
            { context, peer, _, _, _ in Transfer.at(context)?.connect(peer) ?? 1 },
            { context, peer in Transfer.at(context)?.allows(String(cString: peer)) == true ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque(), reason)
        // Whom a kept connection leads to is asked of libcurls from 7.80 on; older ones ask before a new one alone.
        return code == CURLE_OK || code == CURLE_UNKNOWN_OPTION
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - What libcurl calls

    /// - Returns: 1 to let no request go out to this peer.
    private func connect(_ peer: UnsafeMutablePointer<CChar>?) -> Int32 {
        isConnected = true
        lastActivity = Instant.monotonic.milliseconds
        self.peer = peer.map { String(cString: $0) } ?? ""
        return allows(self.peer) ? 0 : 1
    }

    private func allows(_ peer: String) -> Bool {
        isPeerRefused = !exchange.request.allowsPeer(peer)
        return !isPeerRefused
    }

    /// - Returns: `count`, or anything else to end the transfer.
    private func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, count: Int) -> Int {
        touch()
        switch parser.take(UnsafeRawBufferPointer(start: bytes, count: count)) {
        case .more: return count
        case .tooLong: return 0
        case .complete(var head):
            head.peer = peer
            self.head = head
            return !exchange.isEnded && exchange.sink.begin(head) ? count : 0
        }
    }

    private func takeBody(_ bytes: UnsafeMutablePointer<CChar>?, count: Int) -> Int {
        touch()
        guard count > 0 else { return 0 }
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        return !exchange.isEnded && exchange.sink.receive(bytes) ? count : 0
    }

    private func touch() {
        isConnected = true
        lastActivity = Instant.monotonic.milliseconds
    }

    // MARK: - The end

    /// What libcurl's code means here.
    func end(_ code: CURLcode) -> ExchangeEnd {
        switch code {
        case CURLE_OK:
            return head.map { .complete($0) } ?? .broken(reason: "no answer", isTransient: true)
        case CURLE_WRITE_ERROR: return .stopped
        case CURLE_ABORTED_BY_CALLBACK where isPeerRefused, CURLE_COULDNT_CONNECT where isPeerRefused:
            return .peerRefused
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(milliseconds: exceededMilliseconds)
        case CURLE_PARTIAL_FILE: return .cut
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return .broken(reason: sentence(code), isTransient: true)
        default:
            return .broken(reason: sentence(code), isTransient: false)
        }
    }

    /// libcurl has one code for both of its bounds; nil is the whole request's.
    private var exceededMilliseconds: Int? {
        let whole = exchange.request.wholeMilliseconds ?? .max
        return isConnected || whole <= options.connectMilliseconds ? nil : options.connectMilliseconds
    }

    /// libcurl's own words, unless they repeat the URL, which may carry a key.
    private func sentence(_ code: CURLcode) -> String {
        let general = String(cString: gifplay_easy_strerror(code))
        let particular = String(cString: reason)
        let address = exchange.request.address
        let secret = address.text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3)
        let isTelling = secret.contains { part in part.count > 3 && particular.contains(part) }
        return particular.isEmpty || isTelling ? general : particular
    }
}
