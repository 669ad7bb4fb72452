import Base
import Catalog
import Glibc

/// Creates the directory and the file of the library so that only their owner can read them. Also locks the directory,
/// so that two processes do not open the library at the same time.
enum LibraryFile {
    /// Creates the missing directories of the path (mode 0700) and the file (mode 0600).
    ///
    /// SQLite must not create the file, because the umask would then determine its mode. The files that SQLite adds
    /// later get the mode of this file. If other users can access an existing file or directory of the library, its
    /// permissions are restricted. The target of a symbolic link and a directory with the sticky bit are not changed,
    /// because others might use them too.
    static func create(_ path: String) throws(StoreError) {
        let folder = folder(of: path)
        do throws(SystemError) {
            try FileSystem.makeDirectory(folder)
        } catch {
            throw .cannotOpen(path: path, reason: error.message)
        }
        try restrict(folder, to: 0o700, for: path)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotOpen(path: path, reason: SystemError.message()) }
        close(file)
        try restrict(path, to: 0o600, for: path)
    }

    /// If other users can access `item`, a file or directory, changes its permissions to `mode`.
    /// - Throws: if `item` belongs to another user, because that user could replace it with anything.
    private static func restrict(_ item: String, to mode: mode_t, for path: String) throws(StoreError) {
        var status = stat()
        guard lstat(item, &status) == 0, status.st_uid == geteuid() else {
            throw .cannotOpen(path: path, reason: "\(item) belongs to another user")
        }
        // A directory with the sticky bit is shared intentionally, so do not change its permissions.
        guard status.st_mode & S_IFMT != S_IFLNK, status.st_mode & S_ISVTX == 0, status.st_mode & 0o077 != 0 else {
            return
        }
        let descriptor = open(item, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        fchmod(descriptor, mode)
        close(descriptor)
    }

    /// Runs `body` with an exclusive lock on the directory, so that only one process at a time creates or migrates the
    /// database.
    ///
    /// Without this lock, two processes that find the same missing migration would both run it. If a process dies, the
    /// kernel releases its lock. On a file system that does not support locks, `body` runs without a lock.
    static func locked<Value>(
        _ path: String, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let directory = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        while directory >= 0, flock(directory, LOCK_EX) != 0, errno == EINTR {}
        return try body()
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
