import Base
import Glibc

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

/// Content from the internet must not cause requests to addresses of this machine or its network.
enum LocalAddress {
    /// True for loopback, private, link-local, multicast and other addresses for local or special use.
    static func isLocal(_ text: String) -> Bool {
        if let bytes = bytes(text, family: AF_INET, count: 4) { return isLocal4(bytes) }
        if let bytes = bytes(text, family: AF_INET6, count: 16) { return isLocal6(bytes) }
        return false
    }

    /// Returns the IP address of a URL's host if no DNS query is needed: the host itself if it is an IP address, and
    /// 127.0.0.1 for `localhost` and its subdomains. Returns nil for all other names.
    static func literal(host: String) -> String? {
        var name = host.lowercased()
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        while name.hasSuffix(".") { name.removeLast() }
        if localNames.contains(name) || name.hasSuffix(".localhost") { return "127.0.0.1" }
        // Every form that a resolver takes for an address, such as 0x7f.1: behind a proxy, no IP address is checked.
        var address = in_addr()
        if !name.contains(where: \.isWhitespace), inet_aton(name, &address) != 0 {
            return withUnsafeBytes(of: &address) { $0.map { "\($0)" }.joined(separator: ".") }
        }
        return bytes(name, family: AF_INET6, count: 16) != nil ? name : nil
    }

    private static let localNames: Set<String> = [
        "localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback",
    ]

    /// Whether an IP address in text form is in a block such as `10.0.0.0/8`.
    static func isAddress(_ text: String, in block: String) -> Bool {
        let parts = block.split(separator: "/")
        guard parts.count == 2, let prefix = Int(outside: parts[1], in: 0...128) else { return false }
        return [(AF_INET, 4), (AF_INET6, 16)].contains { family, count in
            guard prefix <= count * 8, let network = bytes(String(parts[0]), family: family, count: count),
                let address = bytes(text, family: family, count: count)
            else { return false }
            return address.indices.allSatisfy { index in
                (address[index] ^ network[index]) >> (8 - min(max(prefix - index * 8, 0), 8)) == 0
            }
        }
    }

    private static func bytes(_ text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    private static func isLocal4(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let blocks: [(network: UInt32, prefix: UInt32)] = [
            (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
            (0xAC10_0000, 12), (0xC000_0000, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xE000_0000, 3),
        ]
        return blocks.contains { (address ^ $0.network) >> (32 - $0.prefix) == 0 }
    }

    private static func isLocal6(_ bytes: [UInt8]) -> Bool {
        // IPv4-mapped and IPv4-compatible addresses and the well-known NAT64 prefix contain an IPv4 address to check.
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        let isCompatible = bytes[..<12].allSatisfy { $0 == 0 }
        let isTranslated = bytes[..<12].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
        if isMapped || isCompatible || isTranslated { return isLocal4(bytes[12...]) }
        // Further forms with an IPv4 address: IPv4-translated (::ffff:0:a.b.c.d), NAT64 64:ff9b:1::/48 and 6to4.
        let isStateless = bytes[..<8].allSatisfy { $0 == 0 } && bytes[8..<12].elementsEqual([0xFF, 0xFF, 0, 0])
        let isOwnTranslation = bytes[..<6].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 1])
        if isStateless || isOwnTranslation { return isLocal4(bytes[12...]) }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return isLocal4(bytes[2..<6]) }
        return bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0x80 == 0x80) || bytes[0] == 0xFF
    }
}
