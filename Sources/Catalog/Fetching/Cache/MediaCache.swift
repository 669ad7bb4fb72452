import Base
import Glibc
import Synchronization

/// A cache of GIFs on disk, by URL. Above the size limit, it evicts the least recently used entries first.
///
/// Several processes can share a directory without locking it, because a rename makes an entry visible only when it is
/// complete, and every read verifies the digest. Do not use this cache for services that forbid storing their GIFs.
public final class MediaCache: MediaStore {
    public struct Statistics: Equatable, Sendable {
        public var entries: Int
        /// The size on disk, including the headers of the entries.
        public var bytes: Int
        /// In bytes.
        public var limit: Int
    }

    /// In bytes.
    public let limit: Int
    let directory: CacheDirectory
    private let counter = Atomic<Int>(0)
    /// The temporary names of the entries that are being written; nil after ``end()``.
    private let unfinished = Monitor<Set<String>?>([])

    /// Opens the cache, creates its directory with mode 0700 if needed, and removes temporary files of dead processes.
    /// - Parameter directory: its last component must not be a link.
    public init(directory: String, limit: Int = 512 << 20) throws(Failure) {
        self.directory = try CacheDirectory(path: directory, isExisting: false)
        self.limit = limit
        removeStale()
    }

    /// Opens the cache without creating or changing anything; nil if there is none.
    public init?(existing directory: String, limit: Int) throws(Failure) {
        do throws(Failure) { guard try FileSystem.status(directory) != nil else { return nil } } catch {
            throw .cache(error)
        }
        self.directory = try CacheDirectory(path: directory, isExisting: true)
        self.limit = limit
    }

    /// The directory gifplay/media under XDG_CACHE_HOME or ~/.cache; nil if neither XDG_CACHE_HOME nor HOME is set.
    public static func directory(environment: [String: String]) -> String? {
        XDGDirectory.cache.path(environment: environment).map { $0 + "/gifplay/media" }
    }

    // MARK: - Reading and writing

    /// Marks the GIF as the most recently used one. Deletes a corrupt entry and returns nil.
    public func entry(_ url: String) -> StoredGIF? {
        let name = CacheEntry.name(url: url)
        guard let file = directory.open(name) else { return nil }
        defer { close(file) }
        guard let bytes = readAll(file), let entry = CacheEntry.entry(of: bytes) else {
            directory.remove(name, ifStill: file)
            return nil
        }
        futimens(file, nil)
        return entry
    }

    public func writer(for url: String) throws(Failure) -> any MediaStoreWriter {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        return try MediaWriter(cache: self, entry: CacheEntry.name(url: url), number: number)
    }

    /// Removes incomplete entries and rejects new ones.
    ///
    /// Call this before the process exits, because a writer removes its entry only when it is deallocated.
    public func end() {
        for name in unfinished.exchange(for: nil) ?? [] { directory.remove(name) }
    }

    /// Calls `create` and registers the new file for removal by ``end()``.
    func createTemporaryFile(
        _ create: () throws(Failure) -> (name: String, file: Int32)
    ) throws(Failure) -> (name: String, file: Int32) {
        try unfinished.withLock { (names) throws(Failure) in
            guard names != nil else { throw .cache("open", ECANCELED) }
            let made = try create()
            names?.insert(made.name)
            return made
        }
    }

    /// Unregisters a temporary file after it was renamed or removed.
    func unregisterTemporaryFile(_ name: String) { _ = unfinished.withLock { $0?.remove(name) } }

    // MARK: - The whole cache

    /// Returns every cached GIF that begins with the bytes `start`. Skips entries whose digest is wrong. Does not
    /// change which entries are evicted first.
    public func contents(beginning start: [UInt8]) -> [[UInt8]] {
        (try? entries())?.compactMap { entry in
            guard let file = directory.open(entry.name) else { return nil }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: start.count)
            let count = pread(file, &bytes, bytes.count, CacheEntry.headerLength)
            guard count == start.count, bytes == start, let whole = readAll(file) else { return nil }
            return CacheEntry.content(of: whole)
        } ?? []
    }

    /// Removes complete entries and old temporary files. An entry that is being written stays.
    /// - Throws: if an entry cannot be removed; the others are removed.
    public func clear() throws(Failure) {
        var failure: Failure?
        for entry in try entries() where !directory.remove(entry.name) {
            failure = .cache("unlink")
        }
        removeStale()
        if let failure { throw failure }
    }

    public func statistics() throws(Failure) -> Statistics {
        let entries = try entries()
        return Statistics(entries: entries.count, bytes: entries.reduce(0) { $0 + $1.size }, limit: limit)
    }

    /// Names what is in the directory but not of this cache: files with other names, folders, pipes and links; nil if
    /// there is nothing.
    public func foreignNames() throws(Failure) -> String? {
        let files = try directory.files().map(\.name).filter { !CacheEntry.isName($0) && !MediaWriter.isTemporary($0) }
        let names = try (files + directory.files(areRegular: false).map(\.name)).sorted()
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        return names.isEmpty ? nil : names.prefix(3).joined(separator: ", ") + more
    }

    /// Reads every entry and compares its content with its header. Removes none, unlike ``read(_:)``.
    public func countDamagedEntries() throws(Failure) -> Int {
        try entries().count { entry in
            guard let file = directory.open(entry.name) else { return false }
            defer { close(file) }
            return readAll(file).flatMap { CacheEntry.content(of: $0) } == nil
        }
    }

    /// Removes the least recently used entries until the cache is within its limit. Never removes the entry `name`.
    func evict(sparing name: String) {
        guard let entries = try? entries() else { return }
        var total = entries.reduce(0) { $0 + $1.size }
        guard total > limit else { return }
        // Another process might evict the same entries at the same time. A file that is already gone counts as removed.
        for file in entries.sorted(by: { ($0.used, $0.name) < ($1.used, $1.name) }) where file.name != name {
            if directory.remove(file.name) { total -= file.size }
            if total <= limit { return }
        }
    }

    private func entries() throws(Failure) -> [CacheDirectory.File] {
        try directory.files().filter { CacheEntry.isName($0.name) }
    }

    /// Removes temporary files whose writer no longer exists. A writer holds a lock on its file, and the kernel
    /// releases the lock when the process ends.
    private func removeStale() {
        guard let files = try? directory.files() else { return }
        for file in files where MediaWriter.isTemporary(file.name) {
            guard let descriptor = directory.open(file.name) else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { directory.remove(file.name) }
            close(descriptor)
        }
    }

    private func readAll(_ file: Int32) -> [UInt8]? {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size <= limit + CacheEntry.headerLength else { return nil }
        return try? FileSystem.read(file, limit: Int(status.st_size))
    }
}

/// The file format of a media cache entry: a header of 48 bytes, then the GIF. The fields of the header, each with its
/// offset and its length in bytes:
///
///     0   8  "GIFPLAY", then a byte with the format version
///     8   8  length of the content in bytes, little-endian
///     16  32 SHA-256 of the content
///
/// In version 2, a ``StoredResponse`` follows the content. The SHA-256 is that of both, and of the length.
enum CacheEntry {
    /// In bytes.
    static let headerLength = 48
    private static let magic = Array("GIFPLAY".utf8)

    /// - Parameters:
    ///   - length: that of the content.
    ///   - digest: of the content.
    ///   - response: the bytes that follow the content; empty if there is no response.
    static func header(length: Int, digest: SHA256, response: [UInt8]) -> [UInt8] {
        var digest = digest
        let length = (0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
        if !response.isEmpty { (response + length).withUnsafeBytes { digest.update($0) } }
        return magic + [response.isEmpty ? 1 : 2] + length + digest.digest()
    }

    static func content(of file: [UInt8]) -> [UInt8]? { entry(of: file)?.bytes }

    /// - Returns: nil if any byte of the entry has changed since it was written.
    static func entry(of file: [UInt8]) -> StoredGIF? {
        guard file.count >= headerLength else { return nil }
        let length = file[8..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard (0...file.count - headerLength).contains(length) else { return nil }
        let (content, response) = (file[headerLength...].prefix(length), Array(file[(headerLength + length)...]))
        var digest = SHA256()
        content.withUnsafeBytes { digest.update($0) }
        guard file.starts(with: header(length: length, digest: digest, response: response)) else { return nil }
        return StoredGIF(bytes: Array(content), response: StoredResponse(response))
    }

    /// A digest, because a URL can contain a key.
    static func name(url: String) -> String {
        var digest = SHA256()
        Array(url.utf8).withUnsafeBytes { digest.update($0) }
        return digest.digest().hexadecimal
    }

    /// The name of an entry has 64 lower-case hexadecimal digits.
    static func isName(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// Writes one entry of the media cache to a file with a temporary name.
///
/// If the writer is deallocated before ``commit()``, it removes the file. If the process is killed, the file stays
/// until another process opens the cache.
final class MediaWriter: MediaStoreWriter {
    private struct State {
        /// The descriptor of the file; nil after the entry was committed or discarded.
        var file: Int32?
        var digest = SHA256()
        var length = 0
    }

    private let cache: MediaCache
    private let entry: String
    private let temporaryName: String
    private let state: Monitor<State>

    /// - Parameters:
    ///   - entry: the name of the committed file.
    ///   - number: unique within this process.
    init(cache: MediaCache, entry: String, number: Int) throws(Failure) {
        self.cache = cache
        self.entry = entry
        let file: Int32
        (temporaryName, file) = try cache.createTemporaryFile { () throws(Failure) in
            try Self.create(number: number, in: cache.directory)
        }
        state = Monitor(State(file: file))
        do throws(Failure) {
            // Reserve space for the header. Zeros are not a valid header, so an incomplete file is never accepted.
            try Self.write([UInt8](repeating: 0, count: CacheEntry.headerLength), to: file)
        } catch {
            abandon()
            throw error
        }
    }

    deinit { abandon() }

    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".tmp") }

    /// An error discards the entry.
    func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        let failure: Failure? = state.withLock { state in
            guard let file = state.file else { return nil }
            guard state.length + bytes.count + CacheEntry.headerLength <= cache.limit else {
                return .tooLargeForCache(limit: cache.limit)
            }
            state.digest.update(bytes)
            state.length += bytes.count
            do throws(Failure) { try FileSystem.writeAll(bytes, to: file) } catch { return .cache(error) }
            return nil
        }
        guard let failure else { return }
        abandon()
        throw failure
    }

    /// Evicts other entries if the cache is over its limit.
    func commit(_ response: StoredResponse?) throws(Failure) {
        let failure: Failure? = state.withLock { state in
            guard let file = state.file else { return .cache("write", EBADF) }
            do throws(Failure) {
                let tail = response?.bytes ?? []
                try Self.write(tail, to: file)
                let header = CacheEntry.header(length: state.length, digest: state.digest, response: tail)
                guard lseek(file, 0, SEEK_SET) == 0 else { throw .cache("lseek") }
                try Self.write(header, to: file)
                // Without fsync before the rename, a power failure could leave an empty file under the entry's name.
                guard fsync(file) == 0 else { throw .cache("fsync") }
                try cache.directory.rename(temporaryName, to: entry)
            } catch {
                return error
            }
            close(file)
            state.file = nil
            cache.unregisterTemporaryFile(temporaryName)
            return nil
        }
        if let failure {
            abandon()
            throw failure
        }
        cache.evict(sparing: entry)
    }

    private func abandon() {
        state.withLock { state in
            guard let file = state.file else { return }
            // Remove the file before closing it, because closing releases the lock.
            cache.directory.remove(temporaryName)
            cache.unregisterTemporaryFile(temporaryName)
            close(file)
            state.file = nil
        }
    }

    /// The lock shows that the writer still exists.
    private static func create(
        number: Int, in directory: CacheDirectory
    ) throws(Failure) -> (name: String, file: Int32) {
        while true {
            // The random part avoids equal names if processes in different PID namespaces have the same PID.
            let name = ".\(getpid())-\(number)-\(UInt32.random(in: 0 ... .max)).tmp"
            let file = try directory.create(name)
            guard flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                close(file)
                continue
            }
            // Before the file was locked, another process could have mistaken it for the file of a dead process and
            // removed it. If so, create another file.
            var status = stat()
            if fstat(file, &status) == 0, status.st_nlink > 0 { return (name, file) }
            close(file)
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        do throws(Failure) { try FileSystem.writeAll(bytes, to: file) } catch { throw .cache(error) }
    }
}
