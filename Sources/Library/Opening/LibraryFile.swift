import Base
import Gallery
import Glibc

/// Where the library lies, and the directory and the file made as nobody else may read them.
///
/// In comes a path; out comes an empty file or the one that is there, and a lock for who opens it.
enum LibraryFile {
    /// Makes what is missing of the way to the file, mode 0700, and the file, mode 0600.
    ///
    /// SQLite would make it with the umask's mode; the files that it adds take after this one. What was there with
    /// wider rights is narrowed, unless it is a link, behind which other things may stand.
    static func make(_ path: String) throws(StoreError) {
        let folder = folder(of: path)
        do throws(SystemError) {
            try FileSystem.makeDirectory(folder)
        } catch {
            throw .cannotOpen(path: path, reason: error.message)
        }
        try narrow(folder, to: 0o700, for: path)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotOpen(path: path, reason: SystemError.message()) }
        close(file)
        try narrow(path, to: 0o600, for: path)
    }

    /// - Throws: where it is another user's, who could put anything in its place.
    private static func narrow(_ place: String, to mode: mode_t, for path: String) throws(StoreError) {
        var status = stat()
        guard lstat(place, &status) == 0, status.st_uid == geteuid() else {
            throw .cannotOpen(path: path, reason: "\(place) is another user's")
        }
        // A sticky directory is shared on purpose.
        guard status.st_mode & S_IFMT != S_IFLNK, status.st_mode & S_ISVTX == 0, status.st_mode & 0o077 != 0 else {
            return
        }
        let descriptor = open(place, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        fchmod(descriptor, mode)
        close(descriptor)
    }

    /// Lets one process at a time make, convert and migrate the database.
    ///
    /// Two that found the same migration missing would both run it. The kernel takes the lock from a process that
    /// dies. A file system without locks is used without.
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
