import TestServer
import Testing

@testable import Application

@Suite struct FileListTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func names(_ bytes: [UInt8]) throws -> [String] {
        try folder.write(bytes, to: "list")
        return try FileList.names(in: folder.path + "/list")
    }

    private func message(_ path: String) -> String? {
        do throws(CommandError) {
            _ = try FileList.names(in: path)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("File names are separated by NUL, so they can contain spaces and line breaks")
    func separators() throws {
        #expect(try names(Array("a b.gif\0c\nd.gif\0".utf8)) == ["a b.gif", "c\nd.gif"])
        #expect(try names(Array("a.gif".utf8)) == ["a.gif"])
        #expect(try names(Array("\0\0a.gif\0\0b.gif\0".utf8)) == ["a.gif", "b.gif"])
    }

    @Test("A list that contains no file name is an error", arguments: ["", "\0", "\0\0"])
    func empty(text: String) throws {
        try folder.write(Array(text.utf8), to: "list")
        let path = folder.path + "/list"
        #expect(message(path) == "--files0 \(path): the list contains no file")
    }

    @Test("The error for an unreadable list contains the system's message")
    func unreadable() {
        #expect(message("/nonexistent/list") == "--files0 /nonexistent/list: No such file or directory")
        #expect(message(folder.path) == "--files0 \(folder.path): Is a directory")
    }
}
