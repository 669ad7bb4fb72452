import Base
import CCurl

/// One transfer on the transfer thread. It owns a configured libcurl easy handle and contains the callbacks for
/// libcurl.
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

    /// - Returns: nil if libcurl cannot create a handle or rejects a required option.
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

    /// The time at which the transfer counts as stalled, in milliseconds. Before the connection is made, this time
    /// includes the connect timeout.
    ///
    /// A request with a total timeout cannot stall before the response begins, because a service may need more time for
    /// a search than a server needs to send data.
    var stallDeadline: Int {
        guard head != nil || exchange.request.wholeMilliseconds == nil else { return .max }
        return (isConnected ? lastActivity : started + options.connectMilliseconds) + options.stallMilliseconds
    }

    // MARK: - Setting up

    /// - Returns: false if libcurl rejects an option that is required for security.
    private func setUp() -> Bool {
        let request = exchange.request
        guard gifplay_easy_restrict_protocols(easy) == CURLE_OK,
            gifplay_easy_set_string(easy, CURLOPT_URL, request.address.text) == CURLE_OK,
            set(CURLOPT_FOLLOWLOCATION, 0), set(CURLOPT_NOSIGNAL, 1), setUpTLS()
        else { return false }
        set(CURLOPT_CONNECTTIMEOUT_MS, options.connectMilliseconds)
        set(CURLOPT_TIMEOUT_MS, request.wholeMilliseconds ?? 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // With PIPEWAIT, a transfer waits for a connection that it can share. Without TLS, transfers cannot share a
        // connection, and waiting for a silent connection would block all other requests through the same proxy.
        set(CURLOPT_PIPEWAIT, request.address.scheme == "https" ? 1 : 0)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        // With this option, removing a transfer does not wait for its name lookup. The option requires libcurl 7.87.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_BUFFERSIZE, 64 << 10)
        _ = gifplay_easy_set_string(easy, CURLOPT_USERAGENT, options.fullUserAgent)
        // The empty string enables every encoding that libcurl was built with.
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

    /// Passes this object to libcurl as the context, without retaining it. This is safe, because `TransferTable` keeps
    /// this object while libcurl has its handle.
    private func setUpCallbacks() -> Bool {
        let code = gifplay_easy_set_callbacks(
            easy,
            { bytes, size, count, context in Transfer.at(context)?.receiveHeader(bytes, count: size * count) ?? 0 },
            { bytes, size, count, context in Transfer.at(context)?.receiveBody(bytes, count: size * count) ?? 0 },
            { context, peer, _, _, _ in Transfer.at(context)?.connect(peer) ?? 1 },
            { context, peer in Transfer.at(context)?.allows(String(cString: peer)) == true ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque(), reason)
        // With libcurl 7.80 and later, gifplay can also check the peer of a reused connection. With older versions, it
        // can check only new connections.
        return code == CURLE_OK || code == CURLE_UNKNOWN_OPTION
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
        isPeerRefused = !exchange.request.allowsPeer(peer)
        return !isPeerRefused
    }

    /// - Returns: `count`, or another number to end the transfer.
    private func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, count: Int) -> Int {
        recordActivity()
        switch parser.append(UnsafeRawBufferPointer(start: bytes, count: count)) {
        case .more: return count
        case .tooLong: return 0
        case .complete(var head):
            head.peer = peer
            self.head = head
            return !exchange.isEnded && exchange.sink.begin(head) ? count : 0
        }
    }

    private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, count: Int) -> Int {
        recordActivity()
        guard count > 0 else { return 0 }
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        return !exchange.isEnded && exchange.sink.receive(bytes) ? count : 0
    }

    private func recordActivity() {
        isConnected = true
        lastActivity = Instant.monotonic.milliseconds
    }

    // MARK: - The end

    /// Converts libcurl's result code to the end of the exchange.
    func end(_ code: CURLcode) -> ExchangeEnd {
        switch code {
        case CURLE_OK:
            return head.map { .complete($0) } ?? .broken(reason: "no response", isTransient: true)
        case CURLE_WRITE_ERROR: return .stopped
        case CURLE_ABORTED_BY_CALLBACK where isPeerRefused, CURLE_COULDNT_CONNECT where isPeerRefused:
            return .peerRefused
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(milliseconds: exceededMilliseconds)
        case CURLE_PARTIAL_FILE: return .cut
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return .broken(reason: message(for: code), isTransient: true)
        default:
            return .broken(reason: message(for: code), isTransient: false)
        }
    }

    /// The timeout that was exceeded; nil for the timeout of the whole request. libcurl has one result code for both
    /// timeouts.
    private var exceededMilliseconds: Int? {
        let whole = exchange.request.wholeMilliseconds ?? .max
        return isConnected || whole <= options.connectMilliseconds ? nil : options.connectMilliseconds
    }

    /// Returns libcurl's detailed message for this failure. If that message is empty or repeats the URL's path and
    /// query, which may contain a key, returns libcurl's general message for the code.
    private func message(for code: CURLcode) -> String {
        let general = String(cString: gifplay_easy_strerror(code))
        let particular = String(cString: reason)
        let address = exchange.request.address
        let secret = address.text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3)
        let containsURLPart = secret.contains { part in part.count > 3 && particular.contains(part) }
        return particular.isEmpty || containsURLPart ? general : particular
    }
}
