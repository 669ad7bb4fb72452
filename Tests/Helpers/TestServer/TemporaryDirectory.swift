import Glibc

/// A new directory that is removed when this object is released.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        var template = Array("/tmp/gifplay-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ServerError.system(call: "mkdtemp", errno: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        for name in names(at: path) {
            let inner = path + "/" + name
            if unlink(inner) != 0 { remove(inner) }
        }
        rmdir(path)
    }

    /// Writes a file with mode 0600.
    public func write(_ bytes: [UInt8], to name: String) throws {
        let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ServerError.system(call: "open", errno: errno) }
        defer { close(file) }
        guard bytes.withUnsafeBytes({ Glibc.write(file, $0.baseAddress, $0.count) }) == bytes.count else {
            throw ServerError.system(call: "write", errno: errno)
        }
    }

    /// Returns the sorted names in the directory, or in its subdirectory `folder`, including dot files.
    public func names(in folder: String = "") -> [String] {
        Self.names(at: path + "/" + folder)
    }

    private static func names(at path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }
}
