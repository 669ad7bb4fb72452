import Base
import Crypto
import Glibc

/// An entry of the media cache that is being written, under a temporary name.
///
/// Dropping it before ``commit()`` leaves nothing behind; killing the process leaves a file that the
/// next one removes.
final class MediaWriter: MediaStoreWriter {
    private struct State {
        /// Nil once committed or given up.
        var file: Int32?
        var digest = SHA256()
        var length = 0
    }

    private let cache: MediaCache
    private let entry: String
    private let temporaryName: String
    private let state: Monitor<State>

    /// - Parameters:
    ///   - entry: the name that the file gets with its commit.
    ///   - number: of the writer within this process.
    init(cache: MediaCache, entry: String, number: Int) throws(FetchError) {
        self.cache = cache
        self.entry = entry
        let file: Int32
        (temporaryName, file) = try cache.begin { () throws(FetchError) in
            try Self.create(number: number, in: cache.directory)
        }
        state = Monitor(State(file: file))
        do throws(FetchError) {
            // Its place is kept by zeros, which are no header: an entry cut off here proves nothing.
            try Self.write([UInt8](repeating: 0, count: CacheEntry.headerLength), to: file)
        } catch {
            abandon()
            throw error
        }
    }

    deinit { abandon() }

    /// Whether a file is an entry that has not been committed, by its name.
    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".tmp") }

    /// - Throws: ``FetchError/cache(call:errno:)`` and ``FetchError/tooLargeForCache(limit:)``; the
    ///   entry is then given up.
    func append(_ bytes: UnsafeRawBufferPointer) throws(FetchError) {
        let failure: FetchError? = state.withLock { state in
            guard let file = state.file else { return nil }
            guard state.length + bytes.count + CacheEntry.headerLength <= cache.limit else {
                return .tooLargeForCache(limit: cache.limit)
            }
            state.digest.update(bufferPointer: bytes)
            state.length += bytes.count
            do throws(SystemError) {
                try FileSystem.writeAll(bytes, to: file)
                return nil
            } catch {
                return FetchError(error)
            }
        }
        guard let failure else { return }
        abandon()
        throw failure
    }

    /// Makes the entry visible, in place of an older one, and makes room for it.
    func commit() throws(FetchError) {
        let failure: FetchError? = state.withLock { state in
            guard let file = state.file else { return .cache(call: "write", errno: EBADF) }
            do throws(FetchError) {
                let header = CacheEntry.header(length: state.length, digest: state.digest.finalize())
                guard lseek(file, 0, SEEK_SET) == 0 else { throw .cache(call: "lseek", errno: errno) }
                try Self.write(header, to: file)
                // Before the rename, or a power cut could leave the name with nothing behind it.
                guard fsync(file) == 0 else { throw .cache(call: "fsync", errno: errno) }
                try cache.directory.rename(temporaryName, to: entry)
            } catch {
                return error
            }
            close(file)
            state.file = nil
            cache.ended(temporaryName)
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
            // Removed before the lock on it is let go with its descriptor.
            cache.directory.remove(temporaryName)
            cache.ended(temporaryName)
            close(file)
            state.file = nil
        }
    }

    /// A new file with a lock on it, which says that its writer lives.
    private static func create(
        number: Int, in directory: CacheDirectory
    ) throws(FetchError) -> (name: String, file: Int32) {
        while true {
            // The random part keeps processes of different PID namespaces apart.
            let name = ".\(getpid())-\(number)-\(UInt32.random(in: 0 ... .max)).tmp"
            let file = try directory.create(name)
            guard flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                close(file)
                continue
            }
            // Between the two calls another process may have taken it for a dead one's.
            var status = stat()
            if fstat(file, &status) == 0, status.st_nlink > 0 { return (name, file) }
            close(file)
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws(FetchError) {
        do throws(SystemError) { try FileSystem.writeAll(bytes, to: file) } catch { throw FetchError(error) }
    }
}
