import Base
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
        do throws(Failure) {
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

    @Test("A file with the name of standard input stays a file; a GIF and a too long name are no list")
    func noList() throws {
        #expect(try names(Array("-\0--help\0".utf8)) == ["./-", "--help"])
        let path = folder.path + "/list"
        for (bytes, problem) in [
            (Array("GIF89a\0".utf8), "is a GIF, not a list"),
            (Array("a\0".utf8) + Array(repeating: 0x61, count: 5_000), "entry 2 is too long for a path"),
        ] {
            try folder.write(bytes, to: "list")
            #expect(message(path)?.hasPrefix("--files0 \(path): \(problem)") == true)
        }
    }

    @Test("A list that contains no file name is an error", arguments: ["", "\0", "\0\0"])
    func empty(text: String) throws {
        try folder.write(Array(text.utf8), to: "list")
        let path = folder.path + "/list"
        #expect(message(path) == "--files0 \(path): the list contains no file")
    }

    @Test("An unreadable list is an error of its own only if no other file is named")
    func besides() throws {
        var errors: [Failure] = []
        let (list, file) = (folder.path + "/nosuch", folder.path)
        #expect(try FileList.names(in: nil, besides: [], &errors).isEmpty && errors.isEmpty)
        #expect(try FileList.names(in: list, besides: [Argument(file)], &errors).isEmpty)
        #expect(try FileList.names(in: list, besides: [], files: [file], &errors).isEmpty)
        #expect(errors.map(\.message) == Array(repeating: "--files0 \(list): No such file or directory", count: 2))
        for words: [String] in [[], ["cat"]] {
            #expect(throws: Failure.self) { try FileList.names(in: list, besides: words.map(Argument.init), &errors) }
        }
    }

    @Test("The error for an unreadable list contains the system's message")
    func unreadable() {
        #expect(message("/nonexistent/list") == "--files0 /nonexistent/list: No such file or directory")
        #expect(message(folder.path) == "--files0 \(folder.path): Is a directory")
    }
}
