import Application
import TestServer
import Testing

@testable import gifplay

@Suite("Library exchange") struct LibraryExchangeTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func message(_ path: String) -> String? {
        do throws(CommandError) {
            _ = try LibraryImport.read(path)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("An import reads the whole file")
    func read() throws {
        let bytes = [UInt8](repeating: 7, count: 100_000)
        try folder.write(bytes, to: "a.json")
        #expect(try LibraryImport.read(folder.path + "/a.json") == bytes)
    }

    @Test("The error for an unreadable file contains its path")
    func unreadable() {
        #expect(message(folder.path + "/a.json") == "\(folder.path)/a.json: No such file or directory")
        #expect(message(folder.path) == "\(folder.path): Is a directory")
    }

    @Test("The options of export, import and clear are parsed")
    func parsing() throws {
        let settings = try Settings(given: Invocation(["library", "clear", "--all", "--yes"]))
        #expect(settings.clearsAll && settings.isConfirmed)
        #expect(try Invocation(["library", "import", "a.json"]).operands == ["a.json"])
    }
}
