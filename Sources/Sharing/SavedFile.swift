import Catalog
import Glibc

/// Puts a GIF into a folder under a name of its own: all of it, or nothing.
public enum SavedFile {
    /// Writes the bytes and gives the path, whose name no file had before.
    ///
    /// They are written under another name first, so that nobody sees half a GIF, and a full disk
    /// leaves nothing.
    public static func write(
        _ bytes: [UInt8], title: String, key: GIFKey, in directory: String
    ) throws(SharingError) -> String {
        let folder = try SaveFolder(directory)
        let draft = ".gifplay-\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        do throws(SharingError) {
            try folder.create(draft, bytes)
            let name = try place(draft, stem: FileName.stem(title: title, key: key, suffix: ".gif"), in: folder)
            folder.synchronize()
            return directory.hasSuffix("/") ? directory + name : directory + "/" + name
        } catch {
            folder.remove(draft)
            throw error
        }
    }

    private static func place(_ draft: String, stem: String, in folder: SaveFolder) throws(SharingError) -> String {
        for number in 1...9_999 {
            let name = FileName.numbered(stem, number, suffix: ".gif")
            if try folder.move(draft, to: name) { return name }
        }
        throw .tooManyOfTheName(stem + ".gif")
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
        var failed: SharingError?
        var rest = bytes[...]
        while failed == nil, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { failed = failure("write") }
        }
        if failed == nil, fsync(file) != 0 { failed = failure("fsync") }
        // Network file systems may tell only here that the disk is full.
        if close(file) != 0, failed == nil { failed = failure("close") }
        if let failed { throw failed }
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
