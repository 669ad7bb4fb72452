import Base
import Glibc

/// The open directory of the media cache; every file of it is reached from here, without following
/// links.
final class CacheDirectory: Sendable {
    /// A file of the directory.
    struct File {
        var name: String
        /// In bytes.
        var size: Int
        /// When it was last written or read, in nanoseconds since 1970.
        var used: Int
    }

    private let descriptor: Int32

    /// Makes the directory, mode 0700, with what leads to it.
    ///
    /// - Throws: ``FetchError/unsafeCacheDirectory(_:)`` also where the directory, or a link above it, is another
    ///   user's: he could put anything in its place.
    init(path: String) throws(FetchError) {
        do throws(SystemError) { try FileSystem.makeDirectory(path) } catch { throw FetchError(error) }
        guard Self.isOwn(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))) else {
            throw .unsafeCacheDirectory(path)
        }
        descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let isUnsafe = errno == ELOOP || errno == ENOTDIR
            throw isUnsafe ? .unsafeCacheDirectory(path) : .cache(call: "open", errno: errno)
        }
        // One that was there with wider rights is narrowed. Who is not its owner may not do that.
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), fchmod(descriptor, 0o700) == 0 else {
            close(descriptor)
            throw .unsafeCacheDirectory(path)
        }
    }

    /// Whether what stands there is this user's or the system's, a link as such.
    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return path.isEmpty || lstat(path, &status) == 0 && (status.st_uid == geteuid() || status.st_uid == 0)
    }

    deinit { close(descriptor) }

    // MARK: - Files

    /// - Returns: a descriptor of the caller's.
    func create(_ name: String) throws(FetchError) -> Int32 {
        let file = openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cache(call: "open", errno: errno) }
        return file
    }

    /// - Returns: a descriptor of the caller's; nil when there is no such regular file.
    func open(_ name: String) -> Int32? {
        // O_NONBLOCK: a fifo in our place would hold us up.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        var status = stat()
        // Another user's was put there while the directory was open to him.
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            close(file)
            return nil
        }
        return file
    }

    /// Puts a file in the place of another in one step.
    func rename(_ name: String, to newName: String) throws(FetchError) {
        guard renameat(descriptor, name, descriptor, newName) == 0 else {
            throw .cache(call: "rename", errno: errno)
        }
    }

    /// What is not there any more is no failure.
    @discardableResult
    func remove(_ name: String) -> Bool {
        unlinkat(descriptor, name, 0) == 0 || errno == ENOENT
    }

    /// Removes the file only if it still is the one that is open as `file`, and not a newer one that
    /// another process has put in its place.
    func remove(_ name: String, ifStill file: Int32) {
        var opened = stat()
        var named = stat()
        guard fstat(file, &opened) == 0, fstatat(descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0,
            opened.st_ino == named.st_ino, opened.st_dev == named.st_dev
        else { return }
        remove(name)
    }

    /// Every regular file. What vanishes meanwhile is left out.
    func files() throws(FetchError) -> [File] {
        // A descriptor of its own, as fdopendir takes it over and moves its position.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw .cache(call: "opendir", errno: errno) }
        defer { closedir(stream) }
        var files: [File] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
            else { continue }
            let used = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
            files.append(File(name: name, size: Int(status.st_size), used: used))
        }
        return files
    }
}
