import Glibc

/// A file that is written in parts, and that appears or replaces an older file only when it is complete.
///
/// The parts go to a file without a name, so a killed process leaves nothing behind. On a file system without such files,
/// they go to a hidden file in the same folder. A pipe, a device, or a file that is open as standard output or standard
/// error gets the parts directly, because otherwise a regular file would replace `/dev/stdout` for all programs.
public final class OutputFile {
    /// Nil if the parts are written directly.
    private let path: String?
    private let descriptor: Int32
    private let isOwner: Bool
    /// The path of the hidden file; nil if there is none.
    private var temporaryPath: String?

    /// Writes directly to an open descriptor, which stays open.
    public init(descriptor: Int32) { (path, self.descriptor, isOwner) = (nil, descriptor, false) }

    /// Follows a link of the user or of root; a link of another user is replaced. An older file passes on its permissions
    /// and, where possible, its owner.
    /// - Parameter isPrivate: whether the file gets mode 0600. Otherwise, the umask determines the mode of a new file.
    public init(_ path: String, isPrivate: Bool = true) throws(Failure) {
        if let stream = Self.standardStream(at: path) {
            // A new descriptor would write at the start of the file, and a socket cannot be opened by name.
            (self.path, descriptor, isOwner) = (nil, stream, false)
            return
        }
        isOwner = true
        var old = stat()
        let exists = stat(path.systemPath, &old) == 0
        if exists, old.st_mode & S_IFMT != S_IFREG {
            self.path = nil
            descriptor = open(path.systemPath, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { throw Failure.system("open") }
            return
        }
        let target = try FileSystem.linkTarget(path)
        self.path = target
        let folder = FileSystem.parent(of: target)
        (descriptor, temporaryPath) = try Self.create(in: folder, mode: isPrivate ? 0o600 : 0o666)
        guard exists else { return }
        if fchown(descriptor, old.st_uid, old.st_gid) != 0 { _ = fchown(descriptor, .max, old.st_gid) }
        fchmod(descriptor, old.st_mode & (isPrivate ? 0o600 : 0o777))
    }

    /// A new file for ``commit(asFirstFreeOf:)``, which has mode 0644 unless the umask restricts it.
    public init(newIn folder: String, isNameless: Bool = true) throws(Failure) {
        (path, isOwner) = (nil, true)
        (descriptor, temporaryPath) = try Self.create(in: folder, mode: 0o644, isNameless: isNameless)
    }

    deinit {
        if let temporaryPath { unlink(temporaryPath.systemPath) }
        if isOwner { close(descriptor) }
    }

    public func write(_ bytes: [UInt8]) throws(Failure) { try FileSystem.writeAll(bytes, to: descriptor) }

    /// Makes the file visible under its name. Must be called once, after the last part.
    /// - Parameter isSynchronized: whether to flush the bytes to the disk before.
    public func commit(isSynchronized: Bool = true) throws(Failure) {
        guard let path else { return }
        guard !isSynchronized || fsync(descriptor) == 0 else { throw Failure.system("fsync") }
        if temporaryPath == nil {
            if try link(to: path) { return }
            // A link cannot replace a file, so the new file needs a name of its own for a moment.
            let name = Self.temporaryName(in: FileSystem.parent(of: path))
            guard try link(to: name) else { throw Failure.system("link", EEXIST) }
            temporaryPath = name
        }
        guard let name = temporaryPath, rename(name.systemPath, path.systemPath) == 0 else {
            throw Failure.system("rename")
        }
        temporaryPath = nil
    }

    /// Flushes the file to the disk, and makes it visible under the first of these paths that does not exist. The paths
    /// must be in the folder of the file.
    /// - Returns: nil if all paths exist.
    public func commit(asFirstFreeOf paths: some Sequence<String>) throws(Failure) -> String? {
        guard fsync(descriptor) == 0 else { throw Failure.system("fsync") }
        for path in paths {
            guard try isPlaced(at: path) else { continue }
            // Makes the new name survive a power failure, if the file system supports this.
            let folder = open(FileSystem.parent(of: path).systemPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            fsync(folder)
            close(folder)
            return path
        }
        return nil
    }

    /// Returns false if the path exists.
    private func isPlaced(at path: String) throws(Failure) -> Bool {
        do throws(Failure) { return try link(to: path) } catch {
            // Some file systems, such as FAT, have no hard links.
            guard temporaryPath != nil, [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.systemCode) else {
                throw error
            }
            return try replaceReserved(path)
        }
    }

    /// Creates an empty file to reserve the path, and then replaces that file. Returns false if the path exists.
    func replaceReserved(_ path: String) throws(Failure) -> Bool {
        let reserved = open(path.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard reserved >= 0 else {
            if errno == EEXIST { return false }
            throw Failure.system("open")
        }
        close(reserved)
        guard let name = temporaryPath, rename(name.systemPath, path.systemPath) == 0 else {
            let error = Failure.system("rename")
            unlink(path.systemPath)
            throw error
        }
        temporaryPath = nil
        return true
    }

    /// Returns false if the path exists.
    private func link(to path: String) throws(Failure) -> Bool {
        let source = temporaryPath ?? "/proc/self/fd/\(descriptor)"
        let flags = temporaryPath == nil ? AT_SYMLINK_FOLLOW : 0
        if linkat(AT_FDCWD, source.systemPath, AT_FDCWD, path.systemPath, flags) == 0 { return true }
        guard errno == EEXIST else { throw Failure.system("link") }
        return false
    }

    /// - Returns: the descriptor, and the path if the file has a name.
    private static func create(
        in folder: String, mode: mode_t, isNameless: Bool = true
    ) throws(Failure) -> (Int32, String?) {
        // This is O_TMPFILE, which Swift does not import. Its own bits are the same on all supported architectures.
        let nameless = 0o20_000_000 | O_DIRECTORY
        if isNameless, access("/proc/self/fd", X_OK) == 0 {
            let file = open(folder.systemPath, O_WRONLY | nameless | O_CLOEXEC, mode)
            if file >= 0 { return (file, nil) }
            guard [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(errno) else { throw Failure.system("open") }
        }
        let name = temporaryName(in: folder)
        let file = open(name.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard file >= 0 else { throw Failure.system("open") }
        return (file, name)
    }

    /// Does not contain the name of the file, because that could exceed the limit of 255 bytes.
    private static func temporaryName(in folder: String) -> String {
        "\(folder)/.gifplay-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    /// Returns the descriptor of standard output or standard error if it is open on the file at `path`.
    private static func standardStream(at path: String) -> Int32? {
        guard let named = FileIdentity(path: path) else { return nil }
        return [STDOUT_FILENO, STDERR_FILENO].first { FileIdentity(descriptor: $0) == named }
    }
}

/// Identifies a file under all its names: links, hard links and `/dev/fd`.
public struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t
    /// Whether the file is neither a directory, a pipe nor a device.
    public let isRegular: Bool

    /// Nil if there is no such file.
    public init?(path: String) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else { return nil }
        self.init(status)
    }

    public init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        (device, number, isRegular) = (status.st_dev, status.st_ino, status.st_mode & S_IFMT == S_IFREG)
    }
}

extension FileSystem {
    /// Creates a file or replaces it; see ``OutputFile``. Others see the old or the complete new file.
    public static func writeOutput(
        _ bytes: [UInt8], to path: String, isPrivate: Bool = true, isSynchronized: Bool = true
    ) throws(Failure) {
        let file = try OutputFile(path, isPrivate: isPrivate)
        try file.write(bytes)
        try file.commit(isSynchronized: isSynchronized)
    }

    /// Returns the file to which a link leads, which need not exist; `path` if it is no link, or the link of another
    /// user. As in the kernel's protection of shared folders, such a link could lead to a file that must not change.
    static func linkTarget(_ path: String) throws(Failure) -> String {
        var (path, status) = (path, stat())
        for _ in 0..<40 {
            guard lstat(path.systemPath, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
                status.st_uid == geteuid() || status.st_uid == 0
            else { return path }
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            guard readlink(path.systemPath, &buffer, buffer.count - 1) >= 0 else { throw Failure.system("readlink") }
            let text = String(path: buffer)
            path = text.hasPrefix("/") ? text : parent(of: path) + "/" + text
        }
        throw Failure.system("readlink", ELOOP)
    }
}
