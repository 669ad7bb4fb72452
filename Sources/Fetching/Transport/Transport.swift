import CCurl
import Catalog

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

    /// Includes libcurl's version if libcurl can be loaded.
    var userAgent: String { gifplay_curl_load(options.library) == nil ? options.fullUserAgent : options.userAgent }

    /// The first call loads libcurl.
    /// - Throws: ``HTTPError/invalidURL``, or ``HTTPError/unreachable(host:reason:)`` if libcurl cannot be loaded.
    func address(_ url: String) throws(HTTPError) -> ParsedURL {
        if let reason = gifplay_curl_load(options.library) {
            let reason = "\(String(cString: reason)); install the package libcurl4"
            throw .unreachable(host: URLAuthority.approximateHost(url), reason: reason)
        }
        guard let address = ParsedURL(url), address.isWeb else { throw .invalidURL }
        return address
    }

    /// Follows redirects, whose bodies are discarded.
    func send(_ request: TransportRequest, sink: any ExchangeSink) async -> TransportResult {
        var trail = RedirectTrail(
            from: request.address, mayBeLocal: request.mayBeLocal,
            usesProxy: { [options] in options.proxy(for: $0) != nil }, isLocal: options.isLocalAddress)
        do throws(HTTPError) {
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
                    throw HTTPError.responseRefused(host: trail.current.host, reason: "a redirect of a POST")
                }
                try trail.follow(location, peer: head.peer, cookies: head.cookies)
            }
        } catch {
            return .failed(error, isTransient: false)
        }
    }
}

public enum CurlLibrary {
    /// - Returns: the names and versions of libcurl and its libraries, such as "libcurl/7.88.1 OpenSSL/3.0.11 …", or
    ///   the reason why libcurl cannot be loaded.
    public static func load() -> (versions: String?, problem: String?) {
        if let problem = gifplay_curl_load(nil) { return (nil, String(cString: problem)) }
        return (String(cString: gifplay_curl_version()), nil)
    }
}
