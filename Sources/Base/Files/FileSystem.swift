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

/// Paths as text. A path of the system is any sequence of bytes, but a string is Unicode.
///
/// Every byte that is not part of valid UTF-8 becomes a private scalar, U+10F780 for 0x80 to U+10F7FF for 0xFF, and back
/// when the path goes to the system, as PEP 383 does with surrogates. A name that contains one of these scalars is mapped
/// byte by byte, so that different names never have the same text. ``SafeText`` displays them as U+FFFD.
extension String {
    fileprivate static let byteScalars: ClosedRange<UInt32> = 0x10F780...0x10F7FF

    /// - Parameter bytes: a path of the system, without its NUL.
    public init(path bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        if let text = Self(validating: bytes, as: UTF8.self), !text.hasByteScalars {
            self = text
            return
        }
        var scalars = UnicodeScalarView()
        var rest = bytes[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            let text = Self(validating: rest.prefix(length), as: UTF8.self)
            let scalar = text?.unicodeScalars.first.flatMap { $0.isPathByte ? nil : $0 }
            let byteScalar = Unicode.Scalar(Self.byteScalars.lowerBound - 0x80 + UInt32(first))
            if let scalar = scalar ?? byteScalar { scalars.append(scalar) }
            rest = rest.dropFirst(scalar == nil ? 1 : length)
        }
        self = Self(scalars)
    }

    public init(path pointer: UnsafePointer<CChar>) {
        self.init(path: UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
    }

    /// The bytes of the path for the system.
    public var pathBytes: [UInt8] {
        guard hasByteScalars else { return Array(utf8) }
        return unicodeScalars.flatMap { $0.isPathByte ? [UInt8(truncatingIfNeeded: $0.value)] : Array(String($0).utf8) }
    }

    /// ``pathBytes`` as a C string.
    public var systemPath: [CChar] { pathBytes.map { CChar(bitPattern: $0) } + [0] }

    public var hasControlCharacter: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }

    /// Whether the bytes of the path are not UTF-8.
    public var isForeignPath: Bool { hasByteScalars }

    // The first byte of these scalars in UTF-8, which hardly any text contains.
    private var hasByteScalars: Bool { utf8.contains(0xF4) && unicodeScalars.contains(where: \.isPathByte) }
}

extension Unicode.Scalar {
    /// Whether it stands for a byte of a path; see ``Swift/String/init(path:)``.
    var isPathByte: Bool { String.byteScalars.contains(value) }
}

extension FileSystem {
    /// The arguments of the process, without its name, as paths.
    public static var arguments: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0].map { String(path: $0) } }
    }

    /// The name of an entry that readdir(3) has returned.
    public static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        // By reference, because an entry is shorter than the type.
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(path: $0) }
        }
    }
}

/// The order of names in which people count: `frame 2` before `frame 10`, and capitals beside small letters.
public struct NaturalOrder: Comparable {
    private let key: [UInt8]
    private let name: String

    public init(_ name: String) {
        self.name = name
        var (key, rest) = ([UInt8](), Array(name.lowercased().utf8)[...])
        while let byte = rest.first {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(max(1, digits.count))
            // A number is compared by its length before its digits.
            let number = digits.drop { $0 == 0x30 }
            key += digits.isEmpty ? [byte] : [0x30, UInt8(clamping: number.count)] + number
        }
        self.key = key
    }

    public static func < (one: NaturalOrder, other: NaturalOrder) -> Bool {
        one.key == other.key
            ? one.name.utf8.lexicographicallyPrecedes(other.name.utf8) : one.key.lexicographicallyPrecedes(other.key)
    }
}

/// The order of files.
public enum FileOrder: String, CaseIterable, Sendable {
    /// As people count; see ``NaturalOrder``.
    case name
    /// The newest first.
    case time
    /// The largest first.
    case size
    case random

    public func sorted(_ paths: [String]) -> [String] {
        switch self {
        case .name: return paths.map { ($0, NaturalOrder($0)) }.sorted { $0.1 < $1.1 }.map(\.0)
        case .random: return paths.shuffled()
        case .time, .size:
            let keyed = Self.name.sorted(paths).map { path in
                var status = stat()
                stat(path.systemPath, &status)
                let time = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
                return (path, self == .time ? time : (Int(status.st_size), 0))
            }
            return keyed.sorted { $0.1 > $1.1 }.map(\.0)
        }
    }

    /// Several arguments in the order in which shells expand a pattern get the natural order. Others keep theirs.
    public static func arrange(_ paths: [String]) -> [String] {
        func isSorted(_ names: [String]) -> Bool {
            zip(names, names.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        return isSorted(paths) || isSorted(paths.map { $0.lowercased() }) ? name.sorted(paths) : paths
    }
}
