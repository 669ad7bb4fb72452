import Base
import Catalog
import Glibc

/// Puts a GIF into a folder under a name of its own: all of it, or nothing.
public enum SavedFile {
    /// Writes the bytes and gives the path, whose name no file had before.
    ///
    /// They are written to a file without a name first, or under another one where the file system has no such
    /// files, so that nobody sees half a GIF, and neither a full disk nor a killed process leaves any.
    public static func write(
        _ bytes: [UInt8], title: String, key: GIFKey, in directory: String
    ) throws(SharingError) -> String {
        let folder = try SaveFolder(directory)
        let stem = FileName.stem(title: title, key: key, suffix: ".gif")
        let name: String
        if let linked = try writeNameless(bytes, stem, in: folder) {
            name = linked
        } else {
            name = try writeNamed(bytes, stem, in: folder)
        }
        folder.synchronize()
        return directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }

    /// - Returns: nil where the file system has no files without a name.
    private static func writeNameless(
        _ bytes: [UInt8], _ stem: String, in folder: SaveFolder
    ) throws(SharingError) -> String? {
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
        throw .tooManyOfTheName(stem + ".gif")
    }

    static func writeNamed(
        _ bytes: [UInt8], _ stem: String, in folder: SaveFolder
    ) throws(SharingError) -> String {
        let draft = ".gifplay-\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        do throws(SharingError) {
            try folder.create(draft, bytes)
            for number in 1...9_999 {
                let name = FileName.numbered(stem, number, suffix: ".gif")
                if try folder.move(draft, to: name) { return name }
            }
            throw SharingError.tooManyOfTheName(stem + ".gif")
        } catch {
            folder.remove(draft)
            throw error
        }
    }
}

/// An open folder, so that what is moved stays where it was written.
final class SaveFolder {
    private let path: String
    private let descriptor: Int32
    /// Whether hard links are tried; FAT has none.
    var hasLinks = true

    init(_ path: String) throws(SharingError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", path: path, errno: errno) }
    }

    deinit { close(descriptor) }

    /// A new file with these bytes, on the disk when this returns.
    func create(_ name: String, _ bytes: [UInt8]) throws(SharingError) {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failure("open") }
        var failed = fill(file, bytes)
        // Network file systems may tell only here that the disk is full.
        if close(file) != 0, failed == nil { failed = failure("close") }
        if let failed { throw failed }
    }

    /// A new file with these bytes that has no name and goes with its descriptor.
    /// - Returns: the descriptor, the caller's; nil where there are no such files.
    func createNameless(_ bytes: [UInt8]) throws(SharingError) -> Int32? {
        // O_TMPFILE, which Swift does not see: the same on all of Linux but for O_DIRECTORY in it.
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

    private func fill(_ file: Int32, _ bytes: [UInt8]) -> SharingError? {
        do throws(SystemError) {
            try FileSystem.writeAll(bytes, to: file)
        } catch {
            return .system(call: error.call, path: path, errno: error.code)
        }
        return fsync(file) == 0 ? nil : failure("fsync")
    }

    enum Linking {
        case done
        case taken
        case impossible
    }

    /// Gives a name to a file that has none.
    func link(_ file: Int32, to name: String) -> Linking {
        if linkat(AT_FDCWD, "/proc/self/fd/\(file)", descriptor, name, AT_SYMLINK_FOLLOW) == 0 { return .done }
        return errno == EEXIST ? .taken : .impossible
    }

    /// Gives a file another name; false if that one is taken.
    func move(_ draft: String, to name: String) throws(SharingError) -> Bool {
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

    /// Without links the name is taken by an empty file, which the GIF then replaces.
    private func moveReserving(_ draft: String, to name: String) throws(SharingError) -> Bool {
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

    /// Makes the new name outlast a power cut, where the file system can.
    func synchronize() { fsync(descriptor) }

    private func failure(_ call: String) -> SharingError { .system(call: call, path: path, errno: errno) }
}
