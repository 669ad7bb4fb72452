import Base
import Glibc
import Synchronization

/// GIFs kept on disk by URL, within a bound; the least recently used go first.
///
/// Two processes may share a directory without a lock: an entry appears whole by rename or not at
/// all, and is proven by its digest whenever it is read. Not for services that forbid keeping.
public final class MediaCache: MediaStore {
    /// What lies in the cache.
    public struct Statistics: Equatable, Sendable {
        public var entries: Int
        /// On disk, headers included.
        public var bytes: Int
        /// In bytes.
        public var limit: Int
    }

    /// The bound, in bytes.
    public let limit: Int
    let directory: CacheDirectory
    private let counter = Atomic<Int>(0)
    /// The temporary names of what is being written; nil once ended.
    private let unfinished = Monitor<Set<String>?>([])

    /// Opens the cache, making its directory with mode 0700, and removes what dead processes left.
    /// - Parameters:
    ///   - directory: a path; its last component may not be a link.
    ///   - limit: in bytes.
    public init(directory: String, limit: Int = 512 << 20) throws(FetchError) {
        self.directory = try CacheDirectory(path: directory)
        self.limit = limit
        removeStale()
    }

    /// The cache's default directory: gifplay/media under XDG_CACHE_HOME or ~/.cache.
    /// - Returns: nil if the environment sets neither XDG_CACHE_HOME nor HOME.
    public static func directory(environment: [String: String]) -> String? {
        XDGDirectory.cache.path(environment: environment).map { $0 + "/gifplay/media" }
    }

    // MARK: - Reading and writing

    /// The GIF that was kept for a URL, and from now on the most recently used one.
    /// - Returns: nil when there is none. One that is damaged is removed, and there is none.
    public func read(_ url: String) -> [UInt8]? {
        let name = CacheEntry.name(url: url)
        guard let file = directory.open(name) else { return nil }
        defer { close(file) }
        guard let bytes = readAll(file), let content = CacheEntry.content(of: bytes) else {
            directory.remove(name, ifStill: file)
            return nil
        }
        futimens(file, nil)
        return content
    }

    /// A new entry for the URL that can be written piece by piece; nobody sees it before its commit.
    public func writer(for url: String) throws(FetchError) -> any MediaStoreWriter {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        return try MediaWriter(cache: self, entry: CacheEntry.name(url: url), number: number)
    }

    /// Removes what is not yet written and takes in nothing more; reading goes on.
    ///
    /// Before the process ends: writers that are given up on another thread may come too late to tidy up.
    public func end() {
        let left = unfinished.withLock { names in
            defer { names = nil }
            return names
        }
        for name in left ?? [] { directory.remove(name) }
    }

    /// Makes a file that ``end()`` knows of.
    func begin(
        _ create: () throws(FetchError) -> (name: String, file: Int32)
    ) throws(FetchError) -> (name: String, file: Int32) {
        try unfinished.withLock { (names) throws(FetchError) in
            guard names != nil else { throw .cache(call: "open", errno: ECANCELED) }
            let made = try create()
            names?.insert(made.name)
            return made
        }
    }

    /// What was begun has its last name, or none.
    func ended(_ name: String) { _ = unfinished.withLock { $0?.remove(name) } }

    // MARK: - The whole

    /// The entries whose content begins with these bytes, each proven by its digest; not counted as a use.
    public func contents(beginning start: [UInt8]) -> [[UInt8]] {
        guard let files = try? directory.files() else { return [] }
        return files.filter { CacheEntry.isName($0.name) }.compactMap { entry in
            guard let file = directory.open(entry.name) else { return nil }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: start.count)
            let count = pread(file, &bytes, bytes.count, CacheEntry.headerLength)
            guard count == start.count, bytes == start, let whole = readAll(file) else { return nil }
            return CacheEntry.content(of: whole)
        }
    }

    /// Removes every entry. One that is being written appears all the same.
    public func clear() throws(FetchError) {
        for file in try directory.files() where CacheEntry.isName(file.name) { directory.remove(file.name) }
        removeStale()
    }

    /// Counts what lies in the cache now.
    public func statistics() throws(FetchError) -> Statistics {
        let entries = try directory.files().filter { CacheEntry.isName($0.name) }
        return Statistics(entries: entries.count, bytes: entries.reduce(0) { $0 + $1.size }, limit: limit)
    }

    /// Makes room, sparing the entry that was written last.
    func evict(sparing name: String) {
        guard let files = try? directory.files() else { return }
        let entries = files.filter { CacheEntry.isName($0.name) }
        var total = entries.reduce(0) { $0 + $1.size }
        guard total > limit else { return }
        // Another process may evict the same ones now; what is gone counts as gone.
        for file in entries.sorted(by: { ($0.used, $0.name) < ($1.used, $1.name) }) where file.name != name {
            if directory.remove(file.name) { total -= file.size }
            if total <= limit { return }
        }
    }

    /// Removes unfinished files whose writer is dead: it held a lock on them, which the kernel has let go.
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
        let size = Int(status.st_size)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = Glibc.read(file, buffer.baseAddress.map { $0 + count }, size - count)
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { return }
                count += got
            }
        }
    }
}
