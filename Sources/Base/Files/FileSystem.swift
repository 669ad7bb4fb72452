import CTerminal
import Glibc

public struct SystemError: Error, Equatable, Sendable {
    /// The name of the function, for example "open".
    public var call: String
    public var code: Int32

    public init(call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    /// For example "No such file or directory".
    public var message: String { Self.message(code) }

    public static func message(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}

/// File operations that need more than one system call.
public enum FileSystem {
    /// Writes all bytes to a blocking descriptor. Continues after short and interrupted writes.
    public static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
        var remaining = bytes
        while !remaining.isEmpty {
            let count = write(descriptor, remaining.baseAddress, remaining.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw SystemError(call: "write", code: count < 0 ? errno : ENOSPC) }
            remaining = UnsafeRawBufferPointer(rebasing: remaining.dropFirst(count))
        }
    }

    public static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try writeAll(bytes, to: descriptor) }
        }
        try result.get()
    }

    /// Reads a file to its end, or until more than `limit` bytes were read. The path `-` is standard input.
    /// - Parameter waits: whether to wait for the writer of a FIFO.
    public static func read(_ path: String, limit: Int, waits: Bool = true) throws(SystemError) -> [UInt8] {
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (waits ? 0 : O_NONBLOCK)
        let descriptor = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, flags)
        guard descriptor >= 0 else { throw SystemError(call: "open") }
        defer { close(descriptor) }
        return try read(descriptor, limit: limit)
    }

    /// Reads a blocking descriptor to its end, or until more than `limit` bytes were read.
    public static func read(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
        var (bytes, status) = ([UInt8](), stat())
        if fstat(descriptor, &status) == 0 { bytes.reserveCapacity(min(Int(status.st_size), limit)) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError(call: "read") }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Creates a file or replaces it atomically. Others see the old or the complete new file, after a failure the old.
    /// - Parameters:
    ///   - isSynchronized: whether to flush the bytes to disk before the new file replaces the old file.
    ///   - isPrivate: whether the file gets mode 0600. Otherwise, the umask determines the mode.
    public static func replaceFile(
        at path: String, with bytes: [UInt8], isSynchronized: Bool = true, isPrivate: Bool = true
    ) throws(SystemError) {
        // A name that contains the name of the file could exceed the limit of 255 bytes.
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        var temporaryPath = Array("\(folder).gifplay-XXXXXX".utf8CString)
        var file = gifplay_temporary_file(&temporaryPath)
        guard file >= 0 else { throw SystemError(call: "mkstemp") }
        if !isPrivate {
            // mkstemp always creates the file with mode 0600. Create the file again with open, which applies the umask.
            close(file)
            unlink(temporaryPath)
            file = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard file >= 0 else { throw SystemError(call: "open") }
        }
        do throws(SystemError) {
            defer { close(file) }
            try writeAll(bytes, to: file)
            guard !isSynchronized || fsync(file) == 0 else { throw SystemError(call: "fsync") }
            guard rename(temporaryPath, path) == 0 else { throw SystemError(call: "rename") }
        } catch {
            unlink(temporaryPath)
            throw error
        }
    }

    /// Describes a file that is not regular, such as "a folder"; nil for a regular file.
    public static func irregularKind(_ mode: mode_t) -> String? {
        switch mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a folder"
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }

    /// Returns the directory that contains a file: `.` for a name without slash, `/` for the root.
    public static func parent(of path: String) -> String {
        let path = path.utf8.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The absolute path without symbolic links, `.` and `..`; nil if it does not exist.
    public static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Creates a directory and its missing parent directories, with mode 0700.
    public static func makeDirectory(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let parent = parent(of: path)
        guard errno == ENOENT, parent != path else { throw SystemError(call: "mkdir") }
        try makeDirectory(parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError(call: "mkdir") }
    }
}

extension FileSystem {
    /// Writes all bytes to a file that the user has named.
    ///
    /// Creates the file, or replaces a regular file or a link to one, as
    /// ``replaceFile(at:with:isSynchronized:isPrivate:)`` does. Writes into a pipe, a device, or a file that is open as
    /// standard output or standard error without replacing it, because otherwise a regular file would replace
    /// `/dev/stdout` for all programs.
    /// - Parameter isPrivate: whether a new file gets mode 0600. Otherwise, the umask determines the mode.
    public static func writeOutput(
        _ bytes: [UInt8], to path: String, isPrivate: Bool = true
    ) throws(SystemError) {
        // A new descriptor would write at the start of the file, and a socket cannot be opened by name.
        if let stream = standardStream(at: path) { return try writeAll(bytes, to: stream) }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
            return try replaceFile(at: path, with: bytes, isPrivate: isPrivate)
        }
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw SystemError(call: "open") }
        defer { close(file) }
        try writeAll(bytes, to: file)
    }

    /// Returns the descriptor of standard output or standard error if it is open on the file at `path`.
    private static func standardStream(at path: String) -> Int32? {
        var (named, opened) = (stat(), stat())
        guard stat(path, &named) == 0 else { return nil }
        return [STDOUT_FILENO, STDERR_FILENO].first { stream in
            fstat(stream, &opened) == 0 && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
        }
    }
}
