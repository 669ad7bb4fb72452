import Base
import Catalog
import Glibc
import Pixels
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Argument") struct ArgumentTests {
    @Test("An argument is recognised once: what it addresses is a part of it")
    func address() throws {
        let folder = try TemporaryDirectory()
        try folder.write([1], to: "cats")
        let (file, missing) = (Argument(folder.path + "/cats"), Argument(folder.path + "/dogs.gif"))
        #expect(file.exists && file.address == nil && file.paths == [file.text] && file.isNamed && !file.isAddress)
        #expect(!missing.exists && missing.paths == [missing.text] && missing.isNamed && !missing.isAddress)
        #expect(Argument("file://" + file.text).paths == [file.text])
        #expect(Argument("https://a.example/b c.gif").address == .web("https://a.example/b%20c.gif"))
        #expect(Argument("data:;base64,R0lG").address == .data(Array("GIF".utf8)) && Argument("ftp://a/b").isAddress)
        let words = ["cats and dogs", "and/or", "what?"].map(Argument.init)
        #expect(words.allSatisfy { !$0.isNamed && $0.address == nil && !$0.exists })
    }

    @Test("A link that leads nowhere is a file that exists, and a name that is too long is none")
    func unreachable() throws {
        let folder = try TemporaryDirectory()
        #expect(symlink("nowhere", folder.path + "/link") == 0)
        #expect(Argument(folder.path + "/link").exists)
        #expect(!Argument(String(repeating: "x", count: 5_000)).exists)
    }

    @Test("A data: URL is played from its bytes, without a download")
    func data() throws {
        let bytes = Array("GIF89a".utf8)
        var errors: [Failure] = []
        let items = try PlaylistResolver.items(at: Argument("data:image/gif,GIF89a"), &errors)
        #expect(items == [.data("data:image/gif,GIF89a", bytes)] && errors.isEmpty)
        #expect(FetchedItem(items[0]).bytes(limit: 100) == bytes && !items[0].needsDownload && !items[0].isResult)
        let error = thrown(GIFError.self) {
            try FetchedItem(items[0]).reader(limits: DecodeLimits()).next(into: IndexedFrame())
        }
        #expect(error != .empty)
    }
}

@Suite struct FileListTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func names(_ bytes: [UInt8]) throws -> [String] {
        try folder.write(bytes, to: "list")
        return try FileList.names(in: folder.path + "/list")
    }

    private func message(_ path: String) -> String? {
        thrown(Failure.self) { try FileList.names(in: path) }?.message
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

@Suite("Files of folders") struct LocalFilesTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        for name in ["b", "b/deep", "a"] { try FileSystem.makeDirectory(folder.path + "/" + name) }
        for name in ["z.gif", "b/1.gif", "b/deep/2.GIF", "a/3.gif", "a/.hidden.gif", "a/note.txt"] {
            try folder.write([1], to: name)
        }
    }

    private func paths(isRecursive: Bool) -> (paths: [String], errors: [Failure]) {
        var errors: [Failure] = []
        let paths = LocalFiles.paths(at: folder.path, isRecursive: isRecursive, errors: &errors)
        return (paths.map { String($0.dropFirst(folder.path.count + 1)) }, errors)
    }

    @Test("The GIFs of subfolders follow those of their folder, in the order of the folder names")
    func recursion() {
        #expect(paths(isRecursive: false).paths == ["z.gif"])
        #expect(paths(isRecursive: true).paths == ["z.gif", "a/3.gif", "b/1.gif", "b/deep/2.GIF"])
    }

    @Test("Files and folders are in natural order, and names that are not UTF-8 are found")
    func naturalOrder() throws {
        let odd = String(path: Array("e".utf8) + [0xE9] + Array(".gif".utf8))
        for name in ["frame 10.gif", "frame 2.gif", "Frame 1.gif", "Zebra.gif", "banana.gif"] {
            try folder.write([1], to: name)
        }
        let file = open((folder.path + "/" + odd).systemPath, O_CREAT | O_WRONLY, 0o600)
        #expect(file >= 0 && close(file) == 0)
        #expect(
            paths(isRecursive: false).paths
                == ["banana.gif", odd, "Frame 1.gif", "frame 2.gif", "frame 10.gif", "z.gif", "Zebra.gif"])
    }

    @Test(
        "Files are sorted by time, size or at random; several arguments keep their order unless a shell has sorted them"
    )
    func orders() throws {
        for (index, name) in ["c.gif", "a.gif", "b.gif"].enumerated() {
            try folder.write([UInt8](repeating: 1, count: [2, 3, 1][index]), to: name)
            var times = [timespec(tv_sec: 1_000 + index, tv_nsec: 0), timespec(tv_sec: 1_000 + index, tv_nsec: index)]
            #expect(utimensat(AT_FDCWD, folder.path + "/" + name, &times, 0) == 0)
        }
        let paths = ["a", "b", "c"].map { "\(folder.path)/\($0).gif" }
        let letters = { (paths: [String]) in paths.map { $0.dropLast(4).last.map(String.init) ?? "" }.joined() }
        #expect(letters(FileOrder.time.sorted(paths)) == "bac" && letters(FileOrder.size.sorted(paths)) == "acb")
        #expect(letters(FileOrder.name.sorted(paths.reversed())) == "abc")
        #expect(FileOrder.random.sorted(paths).sorted() == paths)
        #expect(FileOrder.arrange(["f1", "f10", "f2"]) == ["f1", "f2", "f10"])
        #expect(FileOrder.arrange(["B", "a", "c10", "c9"]) == ["a", "B", "c9", "c10"])
        #expect(FileOrder.arrange(["f10", "f2", "f1"]) == ["f10", "f2", "f1"])
    }

    @Test("Links to files are followed; links to folders and pipes are not, so that a loop of links ends")
    func links() {
        #expect(symlink("..", folder.path + "/b/up") == 0 && symlink("../z.gif", folder.path + "/b/link.gif") == 0)
        #expect(
            symlink("nowhere", folder.path + "/b/broken.gif") == 0 && mkfifo(folder.path + "/b/pipe.gif", 0o600) == 0)
        let (paths, errors) = paths(isRecursive: true)
        #expect(paths == ["z.gif", "a/3.gif", "b/1.gif", "b/link.gif", "b/deep/2.GIF"] && errors.isEmpty)
    }
}
