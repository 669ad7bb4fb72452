import CTerminal
import Glibc

/// File operations that need more than one system call.
public enum FileSystem {
    /// Writes all bytes to a blocking descriptor. Continues after short and interrupted writes.
    public static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Failure) {
        var remaining = bytes
        while !remaining.isEmpty {
            let count = write(descriptor, remaining.baseAddress, remaining.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Failure.system("write", count < 0 ? errno : ENOSPC) }
            remaining = UnsafeRawBufferPointer(rebasing: remaining.dropFirst(count))
        }
    }

    public static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(Failure) in try writeAll(bytes, to: descriptor) }
        }
        try result.get()
    }

    /// Reads a file to its end, or until more than `limit` bytes were read. The path `-` is standard input.
    /// - Parameter waits: whether to wait for the writer of a FIFO.
    public static func read(_ path: String, limit: Int, waits: Bool = true) throws(Failure) -> [UInt8] {
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (waits ? 0 : O_NONBLOCK)
        let descriptor = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path.systemPath, flags)
        guard descriptor >= 0 else { throw Failure.system("open") }
        defer { close(descriptor) }
        return try read(descriptor, limit: limit)
    }

    /// Reads a blocking descriptor to its end, or until more than `limit` bytes were read.
    public static func read(_ descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        var (bytes, status) = ([UInt8](), stat())
        if fstat(descriptor, &status) == 0 { bytes.reserveCapacity(min(Int(status.st_size), limit)) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure.system("read") }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
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

    /// Returns the properties of a file; nil if there is nothing at this path, as below `/dev/null`.
    /// - Throws: also if the path contains a link that leads nowhere, because then something else is missing.
    public static func status(_ path: String) throws(Failure) -> stat? {
        var status = stat()
        if stat(path.systemPath, &status) == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR else { throw Failure.system("stat") }
        // Bisects for the longest beginning of the path that exists: each shorter one exists as well.
        var name = path.systemPath
        let ends = name.indices.dropFirst().filter { name[$0] == 0 || name[$0] == CChar(UInt8(ascii: "/")) }
        func exists(_ end: Int, followsLink: Bool) -> Bool {
            let byte = name[end]
            name[end] = 0
            defer { name[end] = byte }
            return followsLink ? stat(name, &status) == 0 : lstat(name, &status) == 0
        }
        var (low, high) = (0, ends.count)
        while case let middle = (low + high) / 2, low < high {
            if exists(ends[middle], followsLink: false) { low = middle + 1 } else { high = middle }
        }
        if low > 0, !exists(ends[low - 1], followsLink: true) { throw .brokenLink }
        return nil
    }

    /// Returns the directory that contains a file: `.` for a name without slash, `/` for the root.
    public static func parent(of path: String) -> String {
        // By bytes, because a slash and a mark after it are one character.
        let slash = UInt8(ascii: "/")
        let path = path.utf8.count > 1 && path.utf8.last == slash ? path.utf8.dropLast() : path.utf8[...]
        guard let end = path.lastIndex(of: slash) else { return "." }
        return end == path.startIndex ? "/" : String(Substring(path[..<end]))
    }

    /// The last part of a path; the path itself if it has no parts.
    public static func lastName(of path: String) -> String {
        // Without the other parts, because a folder can have many thousand files.
        let slash = UInt8(ascii: "/")
        guard let end = path.utf8.lastIndex(where: { $0 != slash }) else { return path }
        let name = path.utf8[...end]
        return String(Substring(name.lastIndex(of: slash).map { name[name.index(after: $0)...] } ?? name))
    }

    /// The absolute path without symbolic links, `.` and `..`; nil if it does not exist.
    public static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path.systemPath, nil) else { return nil }
        defer { free(resolved) }
        return String(path: resolved)
    }

    /// Creates a directory and its missing parent directories, with mode 0700.
    ///
    /// Root creates none in the directory of a user, who could not use it: with sudo, HOME can be that of the user.
    public static func makeDirectory(_ path: String) throws(Failure) {
        var status = stat()
        if stat(path.systemPath, &status) == 0 { return }
        let parent = parent(of: path)
        if errno == ENOENT, parent != path { try makeDirectory(parent) }
        if geteuid() == 0, stat(parent.systemPath, &status) == 0, status.st_uid != 0 {
            throw Failure.system("mkdir", EACCES)
        }
        guard mkdir(path.systemPath, 0o700) == 0 || errno == EEXIST else { throw Failure.system("mkdir") }
    }
}

/// The user's base directories, as the XDG Base Directory Specification defines them.
public enum XDGDirectory: Sendable {
    case cache
    case configuration
    case data

    /// The directory in the XDG variable, or the default below HOME; nil if neither variable is an absolute path.
    public func path(environment: [String: String]) -> String? {
        let (variable, standard) = names
        return Self.absolute(environment[variable]) ?? Self.absolute(environment["HOME"]).map { $0 + "/" + standard }
    }

    /// Why there is no path.
    public var problem: String { "neither \(names.variable) nor HOME is an absolute path" }

    /// Nil for a relative path, because the specification requires that it is ignored.
    public static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else { return nil }
        return path
    }

    private var names: (variable: String, standard: String) {
        switch self {
        case .cache: ("XDG_CACHE_HOME", ".cache")
        case .configuration: ("XDG_CONFIG_HOME", ".config")
        case .data: ("XDG_DATA_HOME", ".local/share")
        }
    }
}
