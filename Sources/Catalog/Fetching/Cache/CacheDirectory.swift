import Base
import Glibc

/// The open directory of the media cache. Access to its files does not follow symbolic links.
final class CacheDirectory: Sendable {
    struct File {
        var name: String
        var size: Int
        /// The time of the last use (write or read), in nanoseconds since 1970.
        var used: Int
    }

    private let descriptor: Int32

    /// Creates the directory with mode 0700, and its parent directories if they are missing.
    ///
    /// - Throws: ``Failure/unsafeCacheDirectory``, for example if another user owns the directory. The parent
    ///   must belong to this user or root, because its owner can replace the directory. If the parent is a link, the
    ///   owner of the link itself is checked.
    /// - Parameter isExisting: whether the directory exists and must not be changed.
    init(path: String, isExisting: Bool) throws(Failure) {
        if !isExisting {
            do throws(Failure) { try FileSystem.makeDirectory(path) } catch { throw .cache(error) }
        }
        guard Self.isOwnedByUserOrRoot(FileSystem.parent(of: path)) else { throw .unsafeCacheDirectory }
        descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let isUnsafe = errno == ELOOP || errno == ENOTDIR
            throw isUnsafe ? .unsafeCacheDirectory : .cache("open")
        }
        // An existing directory must belong to this user. Its permissions can be wider than 0700, so restrict them.
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
            isExisting || fchmod(descriptor, 0o700) == 0
        else {
            close(descriptor)
            throw .unsafeCacheDirectory
        }
    }

    /// If the file is a link, the owner of the link itself is checked.
    private static func isOwnedByUserOrRoot(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && (status.st_uid == geteuid() || status.st_uid == 0)
    }

    deinit { close(descriptor) }

    // MARK: - Files

    /// - Returns: a descriptor for reading and writing, which the caller must close. The file has mode 0600.
    func create(_ name: String) throws(Failure) -> Int32 {
        let file = openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cache("open") }
        return file
    }

    /// - Returns: a descriptor that the caller must close; nil unless `name` is a regular file that this user owns.
    func open(_ name: String) -> Int32? {
        // Without O_NONBLOCK, this call would block if the file is a FIFO.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        var status = stat()
        // Reject the files of other users, who could have created them while the directory had wider permissions.
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            close(file)
            return nil
        }
        return file
    }

    /// Replaces an existing file with the new name atomically.
    func rename(_ name: String, to newName: String) throws(Failure) {
        guard renameat(descriptor, name, descriptor, newName) == 0 else { throw .cache("rename") }
    }

    /// - Returns: true if the file was removed or did not exist.
    @discardableResult
    func remove(_ name: String) -> Bool { unlinkat(descriptor, name, 0) == 0 || errno == ENOENT }

    /// Removes the file `name`, unless another process has replaced it since it was opened as the descriptor `file`.
    func remove(_ name: String, ifStill file: Int32) {
        var opened = stat()
        var named = stat()
        guard fstat(file, &opened) == 0, fstatat(descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0,
            opened.st_ino == named.st_ino, opened.st_dev == named.st_dev
        else { return }
        remove(name)
    }

    /// Returns every regular file, or everything else. Omits what disappears during the call.
    func files(areRegular: Bool = true) throws(Failure) -> [File] {
        // Open a second descriptor, because fdopendir takes ownership of its descriptor, and readdir moves in it.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw .cache("opendir") }
        defer { closedir(stream) }
        var files: [File] = []
        errno = 0
        while let entry = readdir(stream) {
            defer { errno = 0 }
            let name = FileSystem.name(of: entry)
            var status = stat()
            guard ![".", ".."].contains(name), fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                (status.st_mode & S_IFMT == S_IFREG) == areRegular
            else { continue }
            // Sparse files and dates can have any number.
            let seconds = Int(clamping: status.st_mtim.tv_sec, to: 0...1 << 33)
            let size = Int(clamping: Int(status.st_size), to: 0...Int.outsideRange.upperBound)
            files.append(File(name: name, size: size, used: seconds * 1_000_000_000 + status.st_mtim.tv_nsec))
        }
        guard errno == 0 else { throw .cache("readdir") }
        return files
    }
}
