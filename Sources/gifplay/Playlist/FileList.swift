import Application
import Base
import Glibc

/// A list of file names that are separated by NUL bytes, as `find -print0` writes it.
enum FileList {
    /// The maximum size of a list, in bytes.
    private static let limit = 64 << 20

    /// Reads the names in the list at `path`; `-` is standard input.
    /// - Throws: ``CommandError`` if the list cannot be read, is too large, or contains no name.
    static func names(in path: String) throws(CommandError) -> [String] {
        let subject = "--files0 \(path)"
        if path == "-", isatty(STDIN_FILENO) == 1 {
            throw CommandError("\(subject): standard input is a terminal; pipe a list from 'find -print0'")
        }
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandError("\(subject): \(SystemError.message())") }
        defer { close(descriptor) }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.read(descriptor, limit: limit)
        } catch {
            throw CommandError("\(subject): \(error.message)")
        }
        guard bytes.count <= limit else { throw CommandError("\(subject): the list is larger than 64 MiB") }
        let names = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard !names.isEmpty else { throw CommandError("\(subject): the list contains no file") }
        return names
    }
}
