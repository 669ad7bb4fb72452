import Foundation
import Testing

/// A temporary directory that is removed on deinitialization.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("gifplay-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Makes a folder and the folders around it.
    @discardableResult
    func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// Writes a file, and makes the folders around it.
    /// - Returns: the path of the file.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    /// Makes a named pipe, and returns its path.
    @discardableResult
    func makePipe(_ name: String) throws -> String {
        try #require(mkfifo(path(name), 0o600) == 0)
        return path(name)
    }

    /// Writes the configuration `config/gifplay/config`.
    /// - Returns: the variable that makes gifplay use it.
    func configure(_ text: String) throws -> [String: String] {
        try write(text, to: "config/gifplay/config")
        return ["XDG_CONFIG_HOME": path("config")]
    }

    /// Writes an executable script and returns its path.
    ///
    /// A program cannot start while a descriptor for writing it is open. Other tests could inherit such a descriptor of
    /// this process when they start programs, so another process writes the file.
    @discardableResult
    func writeProgram(_ script: String, to name: String) throws -> String {
        let text = try write(script, to: name + ".text")
        let program = url.appendingPathComponent(name).path
        let result = try run("/usr/bin/install", ["-m", "755", text, program])
        guard result.status == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["reason": result.errors]) }
        unlink(text)
        return program
    }
}
