import Base
import Catalog

/// The part of a response that decides how long its GIF may be reused, and how to ask whether it has changed (RFC
/// 9111). An entry of its own beside the GIF. GIFs of services, and those that an older version has stored, have none.
public struct StoredResponse: Equatable, Sendable {
    /// The header fields that are stored.
    static let fieldNames = ["age", "cache-control", "date", "etag", "expires", "last-modified"]
    /// Without any header field for it, in seconds.
    private static let usualSeconds = 60
    private static let start = "gifplay response 1"

    /// The address that sent the GIF, after redirects. Its validators are meaningless for any other address.
    let address: String
    /// When the response arrived, or the latest one that has confirmed it, in seconds since 1970.
    public let received: Int
    /// How long the redirects to the address may be reused.
    let redirectSeconds: Int
    /// The SHA-256 of the GIF, because another process can replace the GIF between two writes of this one.
    var digest = ""
    private(set) var headers: [String: String]

    init(_ head: ResponseHead, at now: Int) {
        self.init(address: head.address, received: now, redirectSeconds: head.redirectSeconds, headers: head.headers)
    }

    init(address: String, received: Int, redirectSeconds: Int = .max, headers: [String: String]) {
        (self.address, self.received) = (address, received)
        self.redirectSeconds = min(redirectSeconds, Int.outsideRange.upperBound)
        self.headers = headers.filter { Self.fieldNames.contains($0.key) }
    }

    /// The response that a status 304 (not modified) has confirmed. Fields that it lacks keep their values.
    func renewed(by head: ResponseHead, at now: Int) -> StoredResponse {
        var renewed = StoredResponse(head, at: now)
        renewed.digest = digest
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
    public var mustBeValidated: Bool { StorageRule.elements(headers["cache-control"]).contains("must-revalidate") }

    /// The header fields of a request that has the answer 304 if the GIF has not changed.
    var conditions: [String: String] {
        ["If-None-Match": headers["etag"], "If-Modified-Since": headers["last-modified"]].compactMapValues(\.self)
    }

    /// The time in seconds for which a response may be reused without a request, from its arrival on.
    ///
    /// Dates are compared only with the server's own date, so a wrong clock of this machine has no effect.
    /// - Parameter usual: for a response without any header field for it.
    static func freshSeconds(_ headers: [String: String], receivedAt now: Int, usual: Int = usualSeconds) -> Int {
        let directives = StorageRule.elements(headers["cache-control"])
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

    static func key(_ url: String) -> String { "response:" + url }

    /// A line for each property, then one for each header field. No value contains a line break.
    var bytes: [UInt8] {
        let fields = headers.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
        let lines = [Self.start, digest, "\(received)", "\(redirectSeconds)", address] + fields
        return Array(lines.joined(separator: "\n").utf8)
    }

    init?(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.count >= 5, lines[0] == Self.start, let received = Int(outside: lines[2], in: Int.outsideRange),
            let seconds = Int(outside: lines[3], in: Int.outsideRange)
        else { return nil }
        let fields = lines.dropFirst(5).map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
        self.init(
            address: lines[4], received: received, redirectSeconds: seconds,
            headers: Dictionary(fields.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first })
        digest = lines[1]
    }
}

extension MediaStore {
    /// The stored GIF for a URL, and its response unless that belongs to another GIF.
    public func entry(_ url: String) -> (bytes: [UInt8], response: StoredResponse?)? {
        guard let bytes = read(url) else { return nil }
        guard let response = read(StoredResponse.key(url)).flatMap({ StoredResponse($0) }) else { return (bytes, nil) }
        var digest = SHA256()
        bytes.withUnsafeBytes { digest.update($0) }
        return (bytes, response.digest == digest.digest().hexadecimal ? response : nil)
    }

    public func write(_ response: StoredResponse, for url: String) throws(FetchError) {
        let writer = try writer(for: StoredResponse.key(url))
        let failure: FetchError? = response.bytes.withUnsafeBytes { bytes in
            do throws(FetchError) { try writer.append(bytes) } catch { return error }
            return nil
        }
        if let failure { throw failure }
        try writer.commit()
    }
}
