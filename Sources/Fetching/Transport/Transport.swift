import CCurl
import Catalog

/// How a request ended after its redirects.
enum Answer: Equatable, Sendable {
    /// The final head; the sink has the body.
    case complete(ResponseHead)
    /// The sink wanted no more, and knows why.
    case stopped
    /// The body broke off before its announced length.
    case cut
    /// Transient: the same request may go well in a moment.
    case failed(HTTPError, isTransient: Bool)
}

/// When a request must be over with all its hops and retries, in milliseconds.
struct Deadline: Sendable {
    /// On the clock of the options.
    var at: Int
    /// The span that it closes, for errors.
    var whole: Int
}

/// What is asked of a server, and of those it sends us on to.
struct Question: Sendable {
    var address: WebAddress
    /// Sent to the origin of the address only, as they may carry a key.
    var headers: [String: String]
    /// Sent to every hop: which part of the answer is wanted.
    var rangeHeaders: [String: String] = [:]
    /// Sent with POST to the address alone: no redirect leads it anywhere.
    var form: String?
    var acceptsCompression: Bool
    /// For all hops together.
    var deadline: Deadline?
    /// Whether the user gave the address, so that it may be of this machine or its network.
    var isUsersOwn = true
}

/// Requests with their redirects, over one ``TransferLoop``.
final class Transport: Sendable {
    let options: FetchOptions
    private let loop: TransferLoop

    init(_ options: FetchOptions) {
        self.options = options
        loop = TransferLoop(options)
    }

    deinit { loop.stop() }

    /// Ends everything and waits until libcurl has put its things away.
    func close() {
        loop.stop()
        loop.join()
    }

    /// What is sent as user agent, with libcurl's version where libcurl can be loaded.
    var userAgent: String {
        gifplay_curl_load(options.library) == nil ? options.fullUserAgent : options.userAgent
    }

    /// Takes a URL from outside. Loads libcurl, the first time.
    /// - Throws: ``HTTPError/invalidURL``, and ``HTTPError/unreachable(host:reason:)`` without libcurl.
    func address(_ url: String) throws(HTTPError) -> WebAddress {
        if let reason = gifplay_curl_load(options.library) {
            throw .unreachable(host: Self.roughHost(url), reason: String(cString: reason))
        }
        guard let address = WebAddress(url), address.isWeb else { throw .invalidURL }
        return address
    }

    /// The host as far as it can be told without libcurl.
    private static func roughHost(_ url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, let last = parts[2].split(separator: "@").last else { return "" }
        return last.split(whereSeparator: { $0 == ":" || $0 == "?" || $0 == "#" }).first.map(String.init) ?? ""
    }

    /// Asks, and goes where the answers send it; what redirects carry as bodies is thrown away.
    func ask(_ question: Question, sink: any ExchangeSink) async -> Answer {
        var trail = RedirectTrail(
            from: question.address, hasProxy: options.hasProxy, isUsersOwn: question.isUsersOwn,
            isLocal: options.isLocalAddress)
        do throws(HTTPError) { try trail.begin() } catch { return .failed(error, isTransient: false) }
        let deadline = question.deadline
        while true {
            let left = deadline.map { $0.at - options.clock.milliseconds }
            if let left, left <= 0 { return answer(.timedOut(milliseconds: nil), trail, deadline) }
            let present = trail
            let ownHeaders = trail.isAtOrigin ? Self.lines(question.headers) : []
            let request = ExchangeRequest(
                address: trail.current, headers: ownHeaders + Self.lines(question.rangeHeaders),
                form: question.form, acceptsCompression: question.acceptsCompression, wholeMilliseconds: left,
                allowsPeer: { present.allowsPeer($0) })
            let end = await loop.run(request, sink: RedirectFilter(before: sink))
            guard case .complete(let head) = end, let location = head.redirect else {
                return answer(end, trail, deadline)
            }
            guard question.form == nil else {
                let refusal = HTTPError.redirectRefused(host: trail.current.host, reason: "a redirect of a form")
                return .failed(refusal, isTransient: false)
            }
            do throws(HTTPError) {
                try trail.follow(location, peer: head.peer)
            } catch {
                return .failed(error, isTransient: false)
            }
        }
    }

    private func answer(_ end: ExchangeEnd, _ trail: RedirectTrail, _ deadline: Deadline?) -> Answer {
        let host = trail.current.host
        switch end {
        case .complete(let head):
            if head.status == 429 { options.noteTooManyRequests(host) }
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

    /// Names and values with a line end in them are left out: they would be headers of their own.
    private static func lines(_ headers: [String: String]) -> [String] {
        headers.filter { !($0.key + $0.value).utf8.contains { $0 < 0x20 && $0 != 0x09 } }
            .map { "\($0.key): \($0.value)" }
    }
}

/// Keeps the bodies of redirects from the sink behind it.
private final class RedirectFilter: ExchangeSink {
    /// A redirect's body is read to its end, so that the connection can be used again, but not an
    /// endless one.
    private static let limit = 64 << 10

    private let sink: any ExchangeSink
    private let discarded = Counter()

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
