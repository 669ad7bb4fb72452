import Base

/// A store of complete GIFs, with the URL as the key.
public protocol MediaStore: AnyObject, Sendable {
    /// Returns the stored GIF for a URL; nil if there is none.
    func entry(_ url: String) -> StoredGIF?

    /// Returns a writer for a new entry. The entry becomes visible when the writer commits it.
    func writer(for url: String) throws(Failure) -> any MediaStoreWriter
}

public struct StoredGIF: Sendable {
    public var bytes: [UInt8]
    /// Nil for the GIF of a service, and for one that an older version has stored.
    public var response: StoredResponse?

    public init(bytes: [UInt8], response: StoredResponse?) { (self.bytes, self.response) = (bytes, response) }
}

extension MediaStore {
    public func read(_ url: String) -> [UInt8]? { entry(url)?.bytes }

    public func write(_ gif: StoredGIF, for url: String) throws(Failure) {
        let writer = try writer(for: url)
        let failure: Failure? = gif.bytes.withUnsafeBytes { bytes in
            do throws(Failure) { try writer.append(bytes) } catch { return error }
            return nil
        }
        if let failure { throw failure }
        try writer.commit(gif.response)
    }
}

/// Writes one entry. If the writer is deallocated before its commit, the entry is discarded.
public protocol MediaStoreWriter: AnyObject, Sendable {
    /// Appends bytes to the entry. After an error, the entry is incomplete and must not be committed.
    func append(_ bytes: UnsafeRawBufferPointer) throws(Failure)

    /// Makes the entry visible in place of an older entry for the same URL, which stays if this fails.
    func commit(_ response: StoredResponse?) throws(Failure)
}

extension MediaStoreWriter {
    public func commit() throws(Failure) { try commit(nil) }
}

/// Stores GIFs in memory, for services that forbid longer storage, and if the media cache cannot be opened.
public final class SessionMediaStore: MediaStore {
    private struct Entry {
        var gif: StoredGIF
        /// The sequence number of the latest use.
        var used: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var bytes = 0
        var uses = 0
    }

    private let limit: Int
    private let state = Monitor(State())

    /// - Parameter limit: in bytes. Above it, the least recently used GIFs are removed first.
    public init(limit: Int = 32 << 20) { self.limit = limit }

    public func entry(_ url: String) -> StoredGIF? {
        state.withLock { state in
            state.uses += 1
            state.entries[url]?.used = state.uses
            return state.entries[url]?.gif
        }
    }

    public func writer(for url: String) -> any MediaStoreWriter { SessionMediaWriter(self, url: url, limit: limit) }

    fileprivate func insert(_ gif: StoredGIF, for url: String) {
        state.withLock { state in
            state.uses += 1
            state.bytes += gif.bytes.count - (state.entries[url]?.gif.bytes.count ?? 0)
            state.entries[url] = Entry(gif: gif, used: state.uses)
            while state.bytes > limit, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
                state.bytes -= oldest.value.gif.bytes.count
                state.entries[oldest.key] = nil
            }
        }
    }
}

private final class SessionMediaWriter: MediaStoreWriter {
    private let store: SessionMediaStore
    private let url: String
    private let limit: Int
    private let content = Monitor<[UInt8]>([])

    init(_ store: SessionMediaStore, url: String, limit: Int) {
        (self.store, self.url, self.limit) = (store, url, limit)
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        let fits = content.withLock { content in
            guard content.count + bytes.count <= limit else { return false }
            content.append(contentsOf: bytes)
            return true
        }
        if !fits { throw .tooLargeForCache(limit: limit) }
    }

    func commit(_ response: StoredResponse?) {
        store.insert(StoredGIF(bytes: content.withLock { $0 }, response: response), for: url)
    }
}

/// Whether a GIF may stay in the media cache after this run, by the header fields of its response (RFC 9111).
///
/// The GIF of a URL that the user has typed is validated when it is stale, see ``StoredResponse``, so only `no-store` and
/// `Vary: *` keep it out. The GIF of a service is reused without a request, even if it is stale, because its URL names
/// one file. Section 4.2.4 allows this if the client accepts stale responses, as with the request directive `max-stale`.
/// A response that forbids such a reuse, or that is stale on arrival, is kept in memory only, as a part of the history of
/// this run (section 6).
///
/// `public`, `s-maxage` and `proxy-revalidate` concern shared caches, and the media cache is private. All requests for a
/// URL have the same header fields, so `Vary` matters only as `*`.
extension StoredResponse {
    /// Only for these statuses, a response without explicit permission may be stored.
    static func allowsDisk(_ head: ResponseHead, unixSeconds now: Int, isValidated: Bool) -> Bool {
        [200, 203, 206].contains(head.status) && CachePolicy(ofFilesAt: head.address) == .persistent
            && allowsDisk(head.headers, unixSeconds: now, isValidated: isValidated)
    }

    /// - Parameters:
    ///   - now: used in place of a missing header `Date`.
    ///   - isValidated: whether the GIF is validated before a later use.
    static func allowsDisk(_ headers: [String: String], unixSeconds now: Int, isValidated: Bool = false) -> Bool {
        if elements(headers["vary"]).contains("*") { return false }
        // Commas in quoted texts also separate elements here. This can only forbid the cache, never allow it.
        let directives = elements(headers["cache-control"])
        if isValidated { return !directives.contains("no-store") }
        // `no-cache="Set-Cookie"` forbids only the reuse of that field, which is not stored.
        guard !directives.contains(where: { ["no-store", "no-cache", "must-revalidate"].contains($0) }) else {
            return false
        }
        // `max-age` has priority over `Expires`. An invalid value of either means a stale response.
        if let age = directives.first(where: { $0.hasPrefix("max-age=") }) {
            let digits = age.dropFirst("max-age=".count)
            return digits.allSatisfy { ("0"..."9").contains($0) } && digits.contains { $0 != "0" }
        }
        guard let expires = headers["expires"] else { return true }
        return HTTPDate.unixSeconds(expires) ?? 0 > headers["date"].flatMap(HTTPDate.unixSeconds) ?? now
    }

    /// In lower case.
    static func elements(_ field: String?) -> [String] {
        (field ?? "").split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" }.lowercased() }
    }
}

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
