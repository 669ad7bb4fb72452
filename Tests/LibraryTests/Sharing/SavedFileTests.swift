import Base
import Catalog
import FoundationEssentials
import Glibc
import TestServer
import Testing

@testable import Library

@Suite(.timeLimit(.minutes(15))) struct SavedFileTests {
    private let folder: TemporaryDirectory
    private let key = GIFKey(provider: "giphy", id: "abc123")

    init() throws { folder = try TemporaryDirectory() }

    private func save(_ title: String, _ bytes: [UInt8] = [1, 2, 3], key: GIFKey? = nil) throws -> String {
        let path = try SavedFile.write(bytes, title: title, key: key ?? self.key, in: folder.path).path
        #expect(path.hasPrefix(folder.path + "/"))
        return String(path.dropFirst(folder.path.count + 1))
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: folder.path + "/" + name)))
    }

    @Test(
        "A title becomes a safe file name",
        arguments: [
            ("Dancing cat", "Dancing-cat.gif"), ("  a / b\\c: d ", "a-b-c-d.gif"), ("猫が踊る", "猫が踊る.gif"),
            ("Café — l'été!", "Café-lété.gif"), ("नमस्ते दुनिया", "नमस्ते-दुनिया.gif"), ("-rf *", "rf.gif"),
            (".bashrc", "bashrc.gif"), ("../../etc/passwd", "etc-passwd.gif"), ("..", "giphy-abc123.gif"),
            ("", "giphy-abc123.gif"), ("🎉🎉", "giphy-abc123.gif"), ("a\u{0}b\u{1B}[31m\u{202E}c\nd", "a-b-31m-c-d.gif"),
            ("\u{301}\u{302}x", "x.gif"), ("con", "gif-con.gif"), ("LPT1", "gif-LPT1.gif"), ("Console", "Console.gif"),
            ("cat.gif", "cat.gif"), ("a b.gif", "a b.gif"), ("Über (1), v2.0.GIF", "Über (1), v2.0.gif"),
            ("../../.ssh/a.gif", "ssh-a.gif"), ("-rf.gif", "rf.gif"), ("a:b*c?.gif", "a-b-c.gif"),
            ("aux.gif", "gif-aux.gif"),
            (".gif", "giphy-abc123.gif"), ("x.gif.gif", "x.gif.gif"), ("a\u{1B}[31m\u{202E}b\nc.gif", "ab c.gif"),
        ])
    func titles(title: String, name: String) throws {
        #expect(try save(title) == name)
        #expect(folder.names() == [name])
    }

    @Test("A hostile identifier becomes a safe file name")
    func hostileIdentifiers() throws {
        #expect(try save("", key: GIFKey(provider: "r/gifs", id: "../../../x")) == "r-gifs-x.gif")
        #expect(try save("/", key: GIFKey(provider: "..", id: "/")) == "gif.gif")
    }

    @Test(
        "A long title is shortened without splitting a character, so that a number can be appended",
        arguments: ["x", "é", "猫", "👩‍👩‍👧a", "e\u{301}"])
    func longTitles(piece: String) throws {
        let title = String(repeating: piece, count: 400)
        for byte in UInt8(1)...2 {
            let name = try save(title, [byte])
            #expect(name.utf8.count <= 255 && name.hasSuffix(".gif"))
            let stem = name.prefix { $0 != "." && $0 != " " }
            #expect(stem.utf8.count > 200 && stem.allSatisfy { piece.contains($0) || $0 == "-" })
        }
        #expect(folder.names().count == 2)
    }

    @Test("A title of one character with too many combining marks is not used as a file name")
    func excessiveMarks() throws {
        #expect(try save("a" + String(repeating: "\u{301}", count: 400)) == "giphy-abc123.gif")
    }

    @Test("An existing file is never replaced")
    func existingFiles() throws {
        try folder.write([9], to: "Cat.gif")
        symlink("/etc/hostname", folder.path + "/Cat (2).gif")
        symlink("/nowhere", folder.path + "/Cat (3).gif")
        mkdir(folder.path + "/Cat (4).gif", 0o755)
        #expect(try save("Cat") == "Cat (5).gif")
        #expect(try save("Cat") == "Cat (6).gif")
        #expect(try bytes("Cat.gif") == [9] && bytes("Cat (5).gif") == [1, 2, 3])
        #expect(folder.names().count == 6)
    }

    @Test("A GIF that is already saved is not saved again, even if the file has a number")
    func alreadySaved() throws {
        let names = [try save("Cat", [1]), try save("Cat", [2])]
        #expect(names == ["Cat.gif", "Cat (2).gif"])
        for byte in UInt8(1)...2 {
            let outcome = try SavedFile.write([byte], title: "Cat", key: key, in: folder.path)
            let content = try bytes(String(outcome.path.split(separator: "/").last ?? ""))
            #expect(!outcome.isNew && content == [byte])
        }
        #expect(folder.names().count == 2)
    }

    @Test("Concurrent writes create files with different names")
    func concurrentWrites() async throws {
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<16 { group.addTask { try save("Cat", [UInt8](repeating: UInt8(number), count: 5_000)) } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(Set(names).count == 16 && folder.names() == names.sorted())
        let contents = try names.map { try bytes($0) }
        #expect(Set(contents.compactMap(\.first)).count == 16)
        #expect(contents.allSatisfy { $0.count == 5_000 && Set($0).count == 1 })
    }

    @Test("The file has the mode 0644, restricted by the umask")
    func fileMode() throws {
        // Read the umask from /proc. The function umask() would change it for all threads.
        let fields = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        let line = try #require(fields.first { $0.hasPrefix("Umask:") })
        let mask = try #require(mode_t(line.drop { !$0.isNumber }, radix: 8))
        var status = stat()
        stat(folder.path + "/" + (try save("Cat")), &status)
        #expect(status.st_mode & 0o777 == 0o644 & ~mask)
    }

    @Test("A file can be saved in a folder that is named by a symbolic link")
    func linkedFolder() throws {
        let link = folder.path + "/link"
        mkdir(folder.path + "/real", 0o755)
        symlink("real", link)
        #expect(try SavedFile.write([1], title: "Cat", key: key, in: link + "/").path == link + "/Cat.gif")
        #expect(folder.names(in: "real") == ["Cat.gif"])
    }

    @Test("A missing folder is reported with its path")
    func missingFolder() {
        let missing = folder.path + "/missing"
        #expect(throws: Failure.notSaved(.system("open", ENOENT), in: missing)) {
            try SavedFile.write([1], title: "Cat", key: key, in: missing)
        }
    }

    /// A file size limit of 4 KiB simulates a full disk: the first write is short, and the next write fails.
    @Test("A failed write leaves no file")
    func failedWrite() throws {
        let child = try ChildProcess(
            ChildProcess.product("share-helper"), ["save", folder.path, "Cat", "100000", "4096"])
        #expect(child.readLine() == "File too large (\(folder.path))")
        #expect(folder.names().isEmpty)
        let small = try ChildProcess(ChildProcess.product("share-helper"), ["save", folder.path, "Cat", "100000"])
        #expect(small.readLine() == folder.path + "/Cat.gif" && folder.names() == ["Cat.gif"])
    }
}

@Suite struct DownloadDirectoryTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func path(_ more: [String: String] = [:], dirs: String? = nil) throws -> String? {
        if let dirs {
            mkdir(home.path + "/.config", 0o755)
            try home.write(Array(dirs.utf8), to: ".config/user-dirs.dirs")
        }
        let found = SavedFile.downloadDirectory(environment: ["HOME": home.path].merging(more) { $1 })
        return found.map { $0.replacing(home.path, with: "~") }
    }

    @Test("The download folder is taken from the environment, user-dirs.dirs, ~/Downloads or HOME, in this order")
    func precedence() throws {
        #expect(try path() == "~")
        for name in ["Downloads", "Geladenes", "env", "conf"] { mkdir(home.path + "/" + name, 0o755) }
        #expect(try path() == "~/Downloads")
        let dirs = "# written by hand\nXDG_DESKTOP_DIR=\"$HOME/env\"\n  XDG_DOWNLOAD_DIR=\"$HOME/Geladenes\"\n"
        #expect(try path(dirs: dirs) == "~/Geladenes")
        #expect(try path(["XDG_DOWNLOAD_DIR": home.path + "/env"]) == "~/env")
        #expect(try path(["XDG_DOWNLOAD_DIR": home.path + "/to/be/made"]) == "~/to/be/made")
        #expect(try path(["XDG_DOWNLOAD_DIR": "env"]) == "~/Geladenes")
        try home.write(Array("XDG_DOWNLOAD_DIR=\"\(home.path)/env\"".utf8), to: "conf/user-dirs.dirs")
        #expect(try path(["XDG_CONFIG_HOME": home.path + "/conf"]) == "~/env")
    }

    @Test(
        "user-dirs.dirs is parsed in the format of xdg-user-dirs",
        arguments: [
            ("XDG_DOWNLOAD_DIR=\"$HOME/gone\"", "~/Downloads"), ("XDG_DOWNLOAD_DIR=\"relative\"", "~/Downloads"),
            ("XDG_DOWNLOAD_DIR=$HOME/a", "~/Downloads"), ("XDG_DOWNLOAD_DIR=\"$HOME/\"", "~/"), ("", "~/Downloads"),
            ("XDG_DOWNLOAD_DIR=\"$HOME/a \\\"b\\\"\"", "~/a \"b\""), ("#XDG_DOWNLOAD_DIR=\"$HOME/a\"", "~/Downloads"),
            ("XDG_DOWNLOAD_DIR=\"$HOME/a\"\nXDG_DOWNLOAD_DIR=\"$HOME/b\"", "~/b"), ("\u{0}\u{1}", "~/Downloads"),
        ])
    func userDirsFile(dirs: String, expected: String) throws {
        for name in ["Downloads", "a", "b", "a \"b\""] { mkdir(home.path + "/" + name, 0o755) }
        #expect(try path(dirs: dirs) == expected)
    }

    @Test("If HOME is missing or relative, there is no download folder")
    func missingHome() {
        #expect(SavedFile.downloadDirectory(environment: [:]) == nil)
        #expect(SavedFile.downloadDirectory(environment: ["HOME": "relative"]) == nil)
    }
}
