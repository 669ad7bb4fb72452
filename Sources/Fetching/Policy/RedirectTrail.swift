import Catalog

/// The redirects of one request, and the rules for the next one.
///
/// gifplay follows redirects itself because libcurl's rules allow more. It allows at most ``limit`` redirects, only
/// to http and https, never from https to http, and never from outside to this machine or its network. Only an
/// address that the user specified may point to that network.
struct RedirectTrail {
    /// The maximum number of redirects of one request.
    static let limit = 5

    private(set) var current: ParsedURL
    private let first: ParsedURL
    private let hasProxy: Bool
    private let mayBeLocal: Bool
    private let isLocal: @Sendable (String) -> Bool
    private var count = 0
    /// Whether the URL that the user specified points to this machine or network. Redirects to such addresses are then
    /// harmless.
    private var isLocalOrigin = false

    /// - Parameters:
    ///   - hasProxy: whether the peer may be a proxy, whose address does not identify the target.
    ///   - mayBeLocal: whether the first address may be local, because the user specified it, and not a service or a
    ///     document.
    ///   - isLocal: whether an IP address in text form belongs to this machine or its network.
    init(
        from first: ParsedURL, hasProxy: Bool, mayBeLocal: Bool = true, isLocal: @escaping @Sendable (String) -> Bool
    ) {
        self.first = first
        self.hasProxy = hasProxy
        self.mayBeLocal = mayBeLocal
        self.isLocal = isLocal
        current = first
    }

    /// Whether the current address has the origin of the first one, to which the request's own headers may be sent.
    var isAtOrigin: Bool { current.origin == first.origin }

    /// Whether the request for the current address may be sent to this IP address.
    func allowsPeer(_ peer: String) -> Bool {
        (count == 0 && mayBeLocal) || isLocalOrigin || hasProxy || !isLocal(peer)
    }

    /// Checks the text of the first address before any connection.
    func checkFirstAddress() throws(HTTPError) {
        if !mayBeLocal, let literal = LocalAddress.literal(host: first.host), isLocal(literal) { throw localRefusal }
    }

    /// Follows a redirect to `location`.
    /// - Parameter peer: the IP address of the server that sent the redirect.
    /// - Throws: ``HTTPError/redirectRefused(host:reason:)``.
    mutating func follow(_ location: String, peer: String) throws(HTTPError) {
        if count == 0, mayBeLocal {
            let literal = LocalAddress.literal(host: first.host)
            isLocalOrigin = literal.map(isLocal) ?? (!hasProxy && isLocal(peer))
        }
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

    private var redirectIntoLocal: HTTPError { refusal("a redirect into the local network") }

    /// The error if the current address points to the local network, by its text or by the peer it connects to.
    var localRefusal: HTTPError {
        guard count == 0 else { return redirectIntoLocal }
        let reason = "it is in the local network, and you did not specify it yourself"
        return .unreachable(host: current.host, reason: reason)
    }

    private func refusal(_ reason: String) -> HTTPError { .redirectRefused(host: current.host, reason: reason) }
}
