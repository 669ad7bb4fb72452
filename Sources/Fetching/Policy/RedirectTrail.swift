import Catalog

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
        from first: ParsedURL, mayBeLocal: Bool = true,
        usesProxy: @escaping @Sendable (ParsedURL) -> Bool = { _ in false },
        isLocal: @escaping @Sendable (String) -> Bool
    ) {
        self.first = first
        self.usesProxy = usesProxy
        self.mayBeLocal = mayBeLocal
        self.isLocal = isLocal
        current = first
    }

    /// ``TransportRequest/headers`` are sent only to the origin of the first address.
    var isAtOrigin: Bool { current.origin == first.origin }

    /// Whether the request for the current address is allowed to be sent to the IP address `peer`.
    func allowsPeer(_ peer: String) -> Bool {
        (count == 0 && mayBeLocal) || isLocalOrigin || usesProxy(current) || !isLocal(peer)
    }

    /// Throws if the first address must not be local, but its host is `localhost` or a local IP address.
    func checkFirstAddress() throws(HTTPError) {
        if !mayBeLocal, let literal = LocalAddress.literal(host: first.host), isLocal(literal) { throw localRefusal }
    }

    /// - Parameter peer: the IP address of the server that sent the redirect.
    /// - Throws: ``HTTPError/responseRefused(host:reason:)``.
    mutating func follow(_ location: String, peer: String, cookies: [String] = []) throws(HTTPError) {
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

    private var redirectIntoLocal: HTTPError { refusal("a redirect into the local network") }

    /// Either the text of the current address or the peer's IP address shows that the target is local.
    var localRefusal: HTTPError {
        guard count == 0 else { return redirectIntoLocal }
        let reason = "it is in the local network, and you did not specify it yourself"
        return .unreachable(host: current.host, reason: reason)
    }

    private func refusal(_ reason: String) -> HTTPError { .responseRefused(host: current.host, reason: reason) }
}
