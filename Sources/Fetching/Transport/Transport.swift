import CCurl
import Catalog

/// The result of a request after its redirects were followed.
enum TransportResult: Equatable, Sendable {
    /// The request succeeded with this final head. The sink has received the body.
    case complete(ResponseHead)
    /// The sink aborted the response and knows the reason.
    case stopped
    /// The body ended before its announced length.
    case cut
    /// The request failed. If `isTransient`, a retry may succeed.
    case failed(HTTPError, isTransient: Bool)
}

/// The time limit of a request with all its redirects and retries, in milliseconds.
struct Deadline: Sendable {
    /// The time when the limit expires, in milliseconds on the clock of ``FetchOptions``.
    var at: Int
    /// The length of the whole time limit, for errors.
    var whole: Int
}

/// A request, including the redirects that follow it.
struct TransportRequest: Sendable {
    var address: ParsedURL
    /// Header fields that are sent only to the origin of the address, because they may contain a key.
    var headers: [String: String]
    /// Header fields that request a range of the file. They are also sent to every redirect target.
    var rangeHeaders: [String: String] = [:]
    /// The form to send with POST; nil for a GET request. A form is sent only to the address itself, because redirects
    /// of a form are refused.
    var form: String?
    var acceptsCompression: Bool
    /// The time limit for all redirects together.
    var deadline: Deadline?
    /// Whether the user specified the address, so that it may point to this machine or its network.
    var mayBeLocal = true
}

/// Sends requests and follows their redirects, using one ``TransferLoop``.
final class Transport: Sendable {
    let options: FetchOptions
    private let loop: TransferLoop

    init(_ options: FetchOptions) {
        self.options = options
        loop = TransferLoop(options)
    }

    deinit { loop.stop() }

    /// Ends every request and waits until libcurl has cleaned up.
    func close() {
        loop.stop()
        loop.join()
    }

    /// The user agent that is sent. It includes libcurl's version if libcurl can be loaded.
    var userAgent: String {
        gifplay_curl_load(options.library) == nil ? options.fullUserAgent : options.userAgent
    }

    /// Parses a URL that comes from outside this module. The first call loads libcurl.
    /// - Throws: ``HTTPError/invalidURL``, or ``HTTPError/unreachable(host:reason:)`` if libcurl cannot be loaded.
    func address(_ url: String) throws(HTTPError) -> ParsedURL {
        if let reason = gifplay_curl_load(options.library) {
            throw .unreachable(host: Self.approximateHost(url), reason: String(cString: reason))
        }
        guard let address = ParsedURL(url), address.isWeb else { throw .invalidURL }
        return address
    }

    /// Returns the host of a URL for an error message. Searches the text for it, because libcurl may be missing.
    private static func approximateHost(_ url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, let last = parts[2].split(separator: "@").last else { return "" }
        return last.split(whereSeparator: { $0 == ":" || $0 == "?" || $0 == "#" }).first.map(String.init) ?? ""
    }

    /// Sends a request and follows its redirects. The bodies of redirects are discarded.
    func send(_ request: TransportRequest, sink: any ExchangeSink) async -> TransportResult {
        var trail = RedirectTrail(
            from: request.address, hasProxy: options.hasProxy, mayBeLocal: request.mayBeLocal,
            isLocal: options.isLocalAddress)
        do throws(HTTPError) { try trail.checkFirstAddress() } catch { return .failed(error, isTransient: false) }
        let deadline = request.deadline
        while true {
            let left = deadline.map { $0.at - options.clock.milliseconds }
            if let left, left <= 0 { return result(of: .timedOut(milliseconds: nil), trail, deadline) }
            let present = trail
            let ownHeaders = trail.isAtOrigin ? Self.lines(request.headers) : []
            let exchangeRequest = ExchangeRequest(
                address: trail.current, headers: ownHeaders + Self.lines(request.rangeHeaders),
                form: request.form, acceptsCompression: request.acceptsCompression, wholeMilliseconds: left,
                allowsPeer: { present.allowsPeer($0) })
            let end = await loop.run(exchangeRequest, sink: RedirectFilter(before: sink))
            guard case .complete(let head) = end, let location = head.redirect else {
                return result(of: end, trail, deadline)
            }
            guard request.form == nil else {
                let refusal = HTTPError.redirectRefused(host: trail.current.host, reason: "a redirect of a POST")
                return .failed(refusal, isTransient: false)
            }
            do throws(HTTPError) {
                try trail.follow(location, peer: head.peer)
            } catch {
                return .failed(error, isTransient: false)
            }
        }
    }

    private func result(
        of end: ExchangeEnd, _ trail: RedirectTrail, _ deadline: Deadline?
    ) -> TransportResult {
        let host = trail.current.host
        switch end {
        case .complete(let head):
            if head.status == 429 { options.onTooManyRequests(host) }
            return .complete(head)
        case .stopped: return .stopped
        case .cut: return .cut
        case .peerRefused: return .failed(trail.localRefusal, isTransient: false)
        case .timedOut(let milliseconds):
            let span = milliseconds ?? deadline?.whole ?? 0
            return .failed(.timedOut(host: host, milliseconds: span), isTransient: true)
        case .broken(let reason, let isTransient):
            return .failed(.unreachable(host: host, reason: reason), isTransient: isTransient)
        case .cancelled: return .failed(.cancelled, isTransient: false)
        }
    }

    /// Formats header lines. Omits fields that contain control characters other than tabs, because a line break would
    /// add a header.
    private static func lines(_ headers: [String: String]) -> [String] {
        headers.filter { !($0.key + $0.value).utf8.contains { $0 < 0x20 && $0 != 0x09 } }
            .map { "\($0.key): \($0.value)" }
    }
}

/// Forwards a response to a sink, but discards the bodies of redirects.
private final class RedirectFilter: ExchangeSink {
    /// The maximum size of a redirect's body, in bytes. A body is read to its end so that the connection can be reused,
    /// but an endless body must be stopped.
    private static let limit = 64 << 10

    private let sink: any ExchangeSink
    private let discarded = DiscardedByteCounter()

    init(before sink: any ExchangeSink) {
        self.sink = sink
    }

    func begin(_ head: ResponseHead) -> Bool {
        guard head.redirect == nil else {
            discarded.start()
            return true
        }
        return sink.begin(head)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let total = discarded.add(bytes.count) else { return sink.receive(bytes) }
        return total <= Self.limit
    }
}
