import Catalog

/// The hops of one request, and where the next one may lead.
///
/// Followed by our own hands because libcurl's rules are wider than ours: http and https only,
/// never from https down to http, never from outside into this machine or its network, and at most
/// ``limit`` of them. Into that network leads only an address that the user gave himself.
struct RedirectTrail {
    /// Redirects of one request.
    static let limit = 5

    private(set) var current: WebAddress
    private let first: WebAddress
    private let hasProxy: Bool
    private let isUsersOwn: Bool
    private let isLocal: @Sendable (String) -> Bool
    private var count = 0
    /// Whether the user's own URL was of this machine or network, which makes redirects to such
    /// places harmless.
    private var isLocalOrigin = false

    /// - Parameters:
    ///   - hasProxy: the peer is then the proxy, whose address says nothing of the target's.
    ///   - isUsersOwn: whether the user gave the first address, and not a service or a document.
    ///   - isLocal: judges an IP address in text.
    init(
        from first: WebAddress, hasProxy: Bool, isUsersOwn: Bool = true, isLocal: @escaping @Sendable (String) -> Bool
    ) {
        self.first = first
        self.hasProxy = hasProxy
        self.isUsersOwn = isUsersOwn
        self.isLocal = isLocal
        current = first
    }

    /// Whether the present hop goes where the user's own headers are meant to go.
    var isAtOrigin: Bool { current.origin == first.origin }

    /// Whether the present hop may be connected to this IP address.
    func allowsPeer(_ peer: String) -> Bool {
        (count == 0 && isUsersOwn) || isLocalOrigin || hasProxy || !isLocal(peer)
    }

    /// Judges the first address by its text, before anything is connected.
    func begin() throws(HTTPError) {
        if !isUsersOwn, let literal = LocalAddress.literal(host: first.host), isLocal(literal) { throw localRefusal }
    }

    /// Goes on to `location`.
    /// - Parameter peer: the IP address that gave the redirect.
    /// - Throws: ``HTTPError/redirectRefused(host:reason:)``.
    mutating func follow(_ location: String, peer: String) throws(HTTPError) {
        if count == 0, isUsersOwn {
            let literal = LocalAddress.literal(host: first.host)
            isLocalOrigin = literal.map(isLocal) ?? (!hasProxy && isLocal(peer))
        }
        guard count < Self.limit else { throw refusal("more than \(Self.limit) redirects") }
        guard let next = current.resolving(location) else { throw refusal("a redirect to what is no address") }
        guard next.isWeb else { throw refusal("a redirect to \(next.scheme):") }
        guard !(current.scheme == "https" && next.scheme == "http") else {
            throw refusal("a redirect from https down to http")
        }
        if !isLocalOrigin, let literal = LocalAddress.literal(host: next.host), isLocal(literal) {
            throw redirectIntoLocal
        }
        count += 1
        current = next
    }

    private var redirectIntoLocal: HTTPError { refusal("a redirect into the local network") }

    /// The present hop leads into the local network, by its text or by whom it connects to.
    var localRefusal: HTTPError {
        guard count == 0 else { return redirectIntoLocal }
        let reason = "it is in the local network, and it was not you who named it"
        return .unreachable(host: current.host, reason: reason)
    }

    private func refusal(_ reason: String) -> HTTPError { .redirectRefused(host: current.host, reason: reason) }
}
