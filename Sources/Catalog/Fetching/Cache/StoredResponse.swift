import Base

/// The part of a response that decides how long its GIF may be reused, and how to ask whether it has changed (RFC
/// 9111). A part of the GIF's entry. GIFs of services, and those that an older version has stored, have none.
public struct StoredResponse: Equatable, Sendable {
    /// The header fields that are stored.
    static let fieldNames = ["age", "cache-control", "date", "etag", "expires", "last-modified"]
    /// Without any header field for it, in seconds.
    private static let usualSeconds = 60

    /// The SHA-256 of the address that sent the GIF, after redirects, because an address can contain a key.
    private var source: String
    /// When the response arrived, or the latest one that has confirmed it, in seconds since 1970.
    public let received: Int
    /// How long the redirects to the address may be reused.
    let redirectSeconds: Int
    private(set) var headers: [String: String]

    init(_ head: ResponseHead, at now: Int) {
        self.init(address: head.address, received: now, redirectSeconds: head.redirectSeconds, headers: head.headers)
    }

    init(address: String, received: Int, redirectSeconds: Int = .max, headers: [String: String]) {
        (source, self.received) = (CacheEntry.name(url: address), received)
        self.redirectSeconds = min(redirectSeconds, Int.outsideRange.upperBound)
        self.headers = headers.filter { Self.fieldNames.contains($0.key) }
    }

    /// The response that a status 304 (not modified) has confirmed. Fields that it lacks keep their values.
    func renewed(by head: ResponseHead, at now: Int) -> StoredResponse {
        var renewed = StoredResponse(head, at: now)
        renewed.headers.merge(headers.filter { $0.key != "age" && $0.key != "date" }) { new, _ in new }
        return renewed
    }

    // MARK: - Rules

    /// - Parameter now: in seconds since 1970. If the clock was set back, the response is stale.
    public func isFresh(at now: Int) -> Bool {
        let lifetime = min(redirectSeconds, Self.freshSeconds(headers, receivedAt: received))
        return now >= received && now - received < lifetime
    }

    /// Whether the GIF must not be displayed without asking the server.
    public var mustBeValidated: Bool { Self.elements(headers["cache-control"]).contains("must-revalidate") }

    /// The header fields of a request to this address that has the answer 304 if the GIF has not changed. None for
    /// another address than that of the GIF, for which its validators mean nothing.
    func conditions(at address: String) -> [String: String] {
        guard source == CacheEntry.name(url: address) else { return [:] }
        return ["If-None-Match": headers["etag"], "If-Modified-Since": headers["last-modified"]].compactMapValues(
            \.self)
    }

    /// The time in seconds for which a response may be reused without a request, from its arrival on.
    ///
    /// Dates are compared only with the server's own date, so a wrong clock of this machine has no effect.
    /// - Parameter usual: for a response without any header field for it.
    static func freshSeconds(_ headers: [String: String], receivedAt now: Int, usual: Int = usualSeconds) -> Int {
        let directives = Self.elements(headers["cache-control"])
        guard !directives.contains("no-cache"), !directives.contains("no-store") else { return 0 }
        let range = 0...Int.outsideRange.upperBound
        let date = headers["date"].flatMap(HTTPDate.unixSeconds) ?? now
        var lifetime = usual
        if let maximum = directives.first(where: { $0.hasPrefix("max-age=") }) {
            lifetime = Int(outside: maximum.dropFirst("max-age=".count), clampedTo: range) ?? 0
        } else if let expires = headers["expires"] {
            lifetime = (HTTPDate.unixSeconds(expires) ?? 0) - date
        } else if let modified = headers["last-modified"].flatMap(HTTPDate.unixSeconds) {
            lifetime = min((date - modified) / 10, 86_400)
        }
        return max(0, lifetime - (headers["age"].flatMap { Int(outside: $0, clampedTo: range) } ?? 0))
    }

    /// How long a redirect may be followed without asking for it again: a temporary one only if the server says so.
    static func redirectSeconds(_ head: ResponseHead, at now: Int) -> Int {
        let usual = [301, 308].contains(head.status) ? Int.outsideRange.upperBound : 0
        return freshSeconds(head.headers.filter { $0.key != "last-modified" }, receivedAt: now, usual: usual)
    }

    // MARK: - Storage

    /// A line for each property, then one for each header field. No value contains a line break.
    var bytes: [UInt8] {
        let fields = headers.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
        return Array((["\(received)", "\(redirectSeconds)", source] + fields).joined(separator: "\n").utf8)
    }

    init?(_ bytes: some Collection<UInt8>) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.count >= 3, let received = Int(outside: lines[0], in: Int.outsideRange),
            let seconds = Int(outside: lines[1], in: Int.outsideRange)
        else { return nil }
        let fields = lines.dropFirst(3).map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
        self.init(
            address: "", received: received, redirectSeconds: seconds,
            headers: Dictionary(fields.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first })
        source = lines[2]
    }
}
