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
