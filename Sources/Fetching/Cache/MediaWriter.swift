import Base
import Glibc

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
    init(cache: MediaCache, entry: String, number: Int) throws(FetchError) {
        self.cache = cache
        self.entry = entry
        let file: Int32
        (temporaryName, file) = try cache.createTemporaryFile { () throws(FetchError) in
            try Self.create(number: number, in: cache.directory)
        }
        state = Monitor(State(file: file))
        do throws(FetchError) {
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
    func append(_ bytes: UnsafeRawBufferPointer) throws(FetchError) {
        let failure: FetchError? = state.withLock { state in
            guard let file = state.file else { return nil }
            guard state.length + bytes.count + CacheEntry.headerLength <= cache.limit else {
                return .tooLargeForCache(limit: cache.limit)
            }
            state.digest.update(bytes)
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

    /// Evicts other entries if the cache is over its limit.
    func commit() throws(FetchError) {
        let failure: FetchError? = state.withLock { state in
            guard let file = state.file else { return .cache(call: "write", errno: EBADF) }
            do throws(FetchError) {
                let header = CacheEntry.header(length: state.length, digest: state.digest.digest())
                guard lseek(file, 0, SEEK_SET) == 0 else { throw .cache(call: "lseek", errno: errno) }
                try Self.write(header, to: file)
                // Without fsync before the rename, a power failure could leave an empty file under the entry's name.
                guard fsync(file) == 0 else { throw .cache(call: "fsync", errno: errno) }
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
    ) throws(FetchError) -> (name: String, file: Int32) {
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

    private static func write(_ bytes: [UInt8], to file: Int32) throws(FetchError) {
        do throws(SystemError) { try FileSystem.writeAll(bytes, to: file) } catch { throw FetchError(error) }
    }
}
