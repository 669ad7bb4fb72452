import Application
import Base
import Glibc
import TestServer
import Testing

@testable import gifplay

@Suite("Files of folders") struct LocalFilesTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        for name in ["b", "b/deep", "a"] { try FileSystem.makeDirectory(folder.path + "/" + name) }
        for name in ["z.gif", "b/1.gif", "b/deep/2.GIF", "a/3.gif", "a/.hidden.gif", "a/note.txt"] {
            try folder.write([1], to: name)
        }
    }

    private func paths(isRecursive: Bool) -> (paths: [String], errors: [CommandError]) {
        var errors: [CommandError] = []
        let paths = LocalFiles.paths(at: folder.path, isRecursive: isRecursive, errors: &errors)
        return (paths.map { String($0.dropFirst(folder.path.count + 1)) }, errors)
    }

    @Test("The GIFs of subfolders follow those of their folder, in the order of the folder names")
    func recursion() {
        #expect(paths(isRecursive: false).paths == ["z.gif"])
        #expect(paths(isRecursive: true).paths == ["z.gif", "a/3.gif", "b/1.gif", "b/deep/2.GIF"])
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
