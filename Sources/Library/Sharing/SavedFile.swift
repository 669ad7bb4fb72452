import Base
import Catalog
import FoundationEssentials
import Glibc

/// Saves a GIF as a new file in a folder, completely or not at all.
public enum SavedFile {
    public struct Outcome: Equatable, Sendable {
        public var path: String
        /// False if the file already contained the bytes.
        public var isNew: Bool

        public init(path: String, isNew: Bool = true) { (self.path, self.isNew) = (path, isNew) }
    }

    /// Writes the bytes to a new file, unless a file of this name, or of a number after it, already contains them. Never
    /// replaces an existing file.
    ///
    /// The bytes are first written to an unnamed file, so no program sees a partial GIF, and neither a full disk nor a
    /// killed process leaves one. If the file system does not support unnamed files, a draft with a temporary name is
    /// written, which is removed after an error but remains if the process is killed.
    public static func write(
        _ bytes: [UInt8], title: String, key: GIFKey, in directory: String
    ) throws(Failure) -> Outcome {
        let folder = try SaveFolder(directory)
        let stem = FileName.stem(title: title, key: key, suffix: ".gif")
        let prefix = directory.hasSuffix("/") ? directory : directory + "/"
        for number in 1...9_999 {
            let path = prefix + FileName.numbered(stem, number, suffix: ".gif")
            guard access(path, F_OK) == 0 else { break }
            let content = try? FileSystem.read(path, limit: bytes.count + 1, waits: false)
            if content == bytes { return Outcome(path: path, isNew: false) }
        }
        let name: String
        if let linked = try writeNameless(bytes, stem, in: folder) {
            name = linked
        } else {
            name = try writeNamed(bytes, stem, in: folder)
        }
        folder.synchronize()
        return Outcome(path: prefix + name)
    }

    /// - Returns: the name of the file; nil if an unnamed file cannot be created or cannot get a name in this folder.
    private static func writeNameless(
        _ bytes: [UInt8], _ stem: String, in folder: SaveFolder
    ) throws(Failure) -> String? {
        guard let file = try folder.createNameless(bytes) else { return nil }
        defer { close(file) }
        for number in 1...9_999 {
            let name = FileName.numbered(stem, number, suffix: ".gif")
            switch folder.link(file, to: name) {
            case .done: return name
            case .taken: break
            case .impossible: return nil
            }
        }
        throw .noFreeName(stem + ".gif")
    }

    static func writeNamed(
        _ bytes: [UInt8], _ stem: String, in folder: SaveFolder
    ) throws(Failure) -> String {
        let draft = ".gifplay-\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        do throws(Failure) {
            try folder.create(draft, bytes)
            for number in 1...9_999 {
                let name = FileName.numbered(stem, number, suffix: ".gif")
                if try folder.move(draft, to: name) { return name }
            }
            throw Failure.noFreeName(stem + ".gif")
        } catch {
            folder.remove(draft)
            throw error
        }
    }
}

/// An open folder. All operations use its descriptor, so that a file is renamed in the folder in which it was written,
/// even if the path of the folder changes.
final class SaveFolder {
    private let path: String
    private let descriptor: Int32
    /// Whether to try hard links. Some file systems, such as FAT, do not support them.
    var hasLinks = true

    init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notSaved(call: "open", path: path, errno: errno) }
    }

    deinit { close(descriptor) }

    /// When this function returns, the bytes are on the disk.
    func create(_ name: String, _ bytes: [UInt8]) throws(Failure) {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failure("open") }
        var failed = fill(file, bytes)
        // Network file systems might not report a full disk until the file is closed.
        if close(file) != 0, failed == nil { failed = failure("close") }
        if let failed { throw failed }
    }

    /// Creates an unnamed file with these bytes. The system deletes the file when its descriptor is closed.
    /// - Returns: the descriptor, which the caller must close; nil if the file system does not support unnamed files.
    func createNameless(_ bytes: [UInt8]) throws(Failure) -> Int32? {
        // This is O_TMPFILE, which Swift does not import. Its own bits are the same on all supported architectures.
        let nameless = 0o20_000_000 | O_DIRECTORY
        let file = openat(descriptor, ".", O_WRONLY | nameless | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            if errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT { return nil }
            throw failure("open")
        }
        guard let failed = fill(file, bytes) else { return file }
        close(file)
        throw failed
    }

    private func fill(_ file: Int32, _ bytes: [UInt8]) -> Failure? {
        do throws(Failure) { try FileSystem.writeAll(bytes, to: file) } catch {
            return .notSaved(call: "write", path: path, errno: error.systemCode ?? 0)
        }
        return fsync(file) == 0 ? nil : failure("fsync")
    }

    enum HardLinkResult {
        case done
        case taken
        case impossible
    }

    func link(_ file: Int32, to name: String) -> HardLinkResult {
        if linkat(AT_FDCWD, "/proc/self/fd/\(file)", descriptor, name, AT_SYMLINK_FOLLOW) == 0 { return .done }
        return errno == EEXIST ? .taken : .impossible
    }

    /// Returns false if the new name already exists.
    func move(_ draft: String, to name: String) throws(Failure) -> Bool {
        if hasLinks {
            if linkat(descriptor, draft, descriptor, name, 0) == 0 {
                remove(draft)
                return true
            }
            if errno == EEXIST { return false }
            guard errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK else {
                throw failure("link")
            }
            hasLinks = false
        }
        return try moveReserving(draft, to: name)
    }

    /// Creates an empty file to reserve the name, and then replaces that file with the draft.
    private func moveReserving(_ draft: String, to name: String) throws(Failure) -> Bool {
        let reserved = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard reserved >= 0 else {
            if errno == EEXIST { return false }
            throw failure("open")
        }
        close(reserved)
        guard renameat(descriptor, draft, descriptor, name) == 0 else {
            let error = failure("rename")
            remove(name)
            throw error
        }
        return true
    }

    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// Makes the new name survive a power failure, if the file system supports this.
    func synchronize() { fsync(descriptor) }

    private func failure(_ call: String) -> Failure { .notSaved(call: call, path: path, errno: errno) }
}

/// Makes a file name from an untrusted title: words of letters and digits, joined by dashes. The name of a GIF file keeps
/// its spaces and its punctuation.
enum FileName {
    /// On Linux file systems, in bytes.
    static let longest = 255

    /// Short enough to append the number and the suffix.
    static func stem(title: String, key: GIFKey, suffix: String) -> String {
        // Reserve space for ` (9999)` and the suffix.
        let room = longest - 7 - suffix.utf8.count
        let candidates = [title, "\(key.provider) \(key.id)", "gif"]
        let stem =
            candidates.lazy.map { cut(fileStem($0, suffix) ?? slug($0), to: room) }.first { !$0.isEmpty } ?? "gif"
        return isReserved(stem) ? "gif-" + stem : stem
    }

    /// Nil if the title is not the name of a file with this ending.
    private static func fileStem(_ title: String, _ suffix: String) -> String? {
        guard title.lowercased().hasSuffix(suffix) else { return nil }
        // Other systems do not allow these characters. A name that begins with a dash would be an option of programs.
        let name = SafeText.line(String(title.dropLast(suffix.count))).map { "/\\:*?\"<>|".contains($0) ? "-" : $0 }
        return String(name.drop { ". -".contains($0) })
    }

    /// Returns a file name for a stem and a number from 1, for example `cat.gif` for 1 and `cat (2).gif` for 2.
    static func numbered(_ stem: String, _ number: Int, suffix: String) -> String {
        number == 1 ? stem + suffix : "\(stem) (\(number))\(suffix)"
    }

    /// Joins words by dashes. Drops apostrophes; all other characters except letters, digits and marks separate words.
    /// The result has no control characters, slashes or dots, and no dash at either end.
    private static func slug(_ text: String) -> String {
        var words: [String.UnicodeScalarView] = [.init()]
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber, .letterNumber, .otherNumber:
                words[words.count - 1].append(scalar)
            case .nonspacingMark, .spacingMark, .enclosingMark:
                // A combining mark belongs to the character before it. A mark at the start of a word is dropped.
                if !words[words.count - 1].isEmpty { words[words.count - 1].append(scalar) }
            case _ where scalar == "'" || scalar == "’": continue
            default: if !words[words.count - 1].isEmpty { words.append(.init()) }
            }
        }
        return words.filter { !$0.isEmpty }.map { String($0) }.joined(separator: "-")
    }

    private static func cut(_ text: String, to bytes: Int) -> String {
        var result = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            guard count <= bytes else { break }
            result.append(character)
        }
        while let last = result.last, ". -".contains(last) { result.removeLast() }
        return result
    }

    /// Windows reserves these names for devices. USB sticks and network shares often use a Windows file system.
    private static func isReserved(_ stem: String) -> Bool {
        let name = stem.lowercased()
        if ["con", "prn", "aux", "nul"].contains(name) { return true }
        return name.count == 4 && (name.hasPrefix("com") || name.hasPrefix("lpt")) && name.last?.isNumber == true
    }
}

public enum DownloadDirectory {
    /// Returns the value of the environment variable XDG_DOWNLOAD_DIR if it contains an absolute path, even if that
    /// directory does not exist yet. Otherwise returns the first of these paths that is a directory: XDG_DOWNLOAD_DIR
    /// in user-dirs.dirs, ~/Downloads, the home directory. Returns nil if none of them is a directory.
    public static func path(environment: [String: String]) -> String? {
        // The variable comes first, because it was set for this run. The file user-dirs.dirs might be years old.
        if let named = XDGDirectory.absolute(environment["XDG_DOWNLOAD_DIR"]) { return named }
        let home = XDGDirectory.absolute(environment["HOME"])
        let configured = XDGDirectory.configuration.path(environment: environment)
            .flatMap { userDirectory(in: $0 + "/user-dirs.dirs", home: home) }
        let candidates = [configured, home.map { $0 + "/Downloads" }, home]
        return candidates.compactMap(\.self).first(where: isDirectory)
    }

    /// Whether the path is a directory. Follows symbolic links, because the user might have moved the directory.
    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func userDirectory(in file: String, home: String?) -> String? {
        // Do not read an empty file, because Foundation (6.3) leaks the memory page into which it reads an empty file.
        var status = stat()
        guard stat(file, &status) == 0, status.st_size > 0,
            let text = try? String(contentsOfFile: file, encoding: .utf8)
        else { return nil }
        // Shells source this file. If several lines set the variable, a shell uses the last one, and so does gifplay.
        return text.split(separator: "\n").compactMap { value(of: $0, home: home) }.last
    }

    /// Returns the path in a line such as `XDG_DOWNLOAD_DIR="$HOME/…"`, which is the form that xdg-user-dirs writes.
    /// Instead of `$HOME/…`, the line may contain an absolute path. Returns nil for any other line.
    private static func value(of line: Substring, home: String?) -> String? {
        let bare = line.drop { $0 == " " || $0 == "\t" }
        let name = "XDG_DOWNLOAD_DIR=\""
        guard bare.hasPrefix(name) else { return nil }
        var value = ""
        var isEscaped = false
        for character in bare.dropFirst(name.count) {
            if isEscaped {
                value.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                break
            } else {
                value.append(character)
            }
        }
        guard value.hasPrefix("$HOME/") || value == "$HOME" else { return XDGDirectory.absolute(value) }
        return home.map { $0 + value.dropFirst(5) }
    }
}
