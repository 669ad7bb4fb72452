import Glibc

extension FileSystem {
    /// Writes all bytes to a file that the user has named.
    ///
    /// Creates the file, or replaces a regular file as ``replaceFile(at:with:isSynchronized:isPrivate:)`` does. If the
    /// path is a symbolic link to a regular file, replaces the link. Writes into an existing pipe or device, or into a
    /// file that is open as standard output or standard error, without replacing it. Otherwise, a regular file would
    /// replace `/dev/stdout` for all programs.
    /// - Parameter isPrivate: whether a new file gets mode 0600. Otherwise, the umask determines the mode.
    public static func writeOutput(
        _ bytes: [UInt8], to path: String, isPrivate: Bool = true
    ) throws(SystemError) {
        // Use the open descriptor. A new descriptor would write at the start of the file, and a socket cannot be opened
        // by name.
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
