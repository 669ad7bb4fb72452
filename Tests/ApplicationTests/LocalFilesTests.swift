import Base
import Glibc
import TestServer
import Testing

@testable import Application

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
