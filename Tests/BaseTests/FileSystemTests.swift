import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Base

@Suite(.timeLimit(.minutes(5))) final class FileSystemTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/gifplay-base-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure.system("mkdtemp") }
        folder = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    private func content(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }

    private func makeFile(_ path: String, _ text: String, mode: mode_t) {
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
        #expect(chmod(path, mode) == 0)
    }

    // MARK: - Writing

    /// The values that the writing thread and the test share.
    private struct Progress {
        var thread: pthread_t?
        var result: Result<Void, Failure>?
        var mayEnd = false
    }

    @Test("A write to a full pipe completes even if signals interrupt it")
    func interruptedWrites() throws {
        // SIGURG is ignored by default, so it interrupts a write only if a handler is installed. Without SA_RESTART,
        // the interrupted write is short or fails with EINTR.
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        #expect(sigaction(SIGURG, &action, nil) == 0)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let progress = Monitor(Progress())
        let isStarted = DetachedThread.start {
            let thread = pthread_self()
            progress.withLock { $0.thread = thread }
            let result = Result { () throws(Failure) in try FileSystem.writeAll(bytes, to: writer) }
            close(writer)
            progress.withLock { $0.result = result }
            // Wait until the test has sent its last signal. To signal a thread that has ended is undefined behaviour.
            _ = progress.wait { $0.mayEnd ? true : nil }
        }
        try #require(isStarted)
        let thread = progress.wait { $0.thread }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_000)
        while true {
            pthread_kill(thread, SIGURG)
            let count = read(reader, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        #expect(progress.wait { $0.result }.map { true } == .success(true))
        progress.withLock { $0.mayEnd = true }
        close(reader)
        #expect(received == bytes)
        signal(SIGURG, SIG_DFL)
    }

    @Test("A failed write reports its system error")
    func failedWrite() {
        #expect(throws: Failure.system("write", EBADF)) { try FileSystem.writeAll([1], to: -1) }
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(throws: Failure.system("write", ENOSPC)) { try FileSystem.writeAll([1], to: full) }
        #expect(Failure.system("write", ENOSPC).message == "No space left on device")
    }

    // MARK: - Replacing

    @Test("A private file is readable only by the user, even if others could read the old file")
    func replacement() throws {
        let path = folder + "/file"
        try FileSystem.writeOutput(Array("first".utf8), to: path)
        #expect(content(path) == Array("first".utf8) && mode(path) == 0o600)
        makeFile(path, "old and longer", mode: 0o644)
        try FileSystem.writeOutput(Array("new".utf8), to: path, isSynchronized: false)
        #expect(content(path) == Array("new".utf8) && mode(path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }

    @Test("A replaced file passes on its mode and, if root writes, its owner", arguments: [0o600, 0o640, 0o444])
    func inherited(mode old: mode_t) throws {
        let path = folder + "/file"
        makeFile(path, "old", mode: old)
        if geteuid() == 0 { #expect(chown(path, 65_534, 65_533) == 0) }
        try FileSystem.writeOutput(Array("new".utf8), to: path, isPrivate: false)
        var status = stat()
        #expect(content(path) == Array("new".utf8) && mode(path) == old && stat(path, &status) == 0)
        #expect(geteuid() != 0 || status.st_uid == 65_534 && status.st_gid == 65_533)
    }

    @Test("Output through links of the user goes to the file to which they lead, which need not exist")
    func links() throws {
        try FileSystem.makeDirectory(folder + "/deep")
        makeFile(folder + "/deep/old", "old", mode: 0o640)
        let links = [("a", "deep/old"), ("b", "a"), ("c", folder + "/deep/new"), ("loop", "loop")]
        for (link, target) in links { #expect(symlink(target, "\(folder)/\(link)") == 0) }
        for name in ["b", "c"] {
            try FileSystem.writeOutput(Array(name.utf8), to: "\(folder)/\(name)", isPrivate: false)
        }
        #expect(content(folder + "/deep/old") == Array("b".utf8) && mode(folder + "/deep/old") == 0o640)
        #expect(content(folder + "/deep/new") == Array("c".utf8))
        #expect(try FileSystem.linkTarget(folder + "/b") == folder + "/deep/old")
        #expect(throws: Failure.system("readlink", ELOOP)) {
            try FileSystem.writeOutput([], to: folder + "/loop")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/deep").sorted() == ["new", "old"])
    }

    @Test("While a file is written, there is no file in its folder, so a killed process leaves none")
    func nameless() throws {
        let file = try OutputFile(folder + "/file")
        try file.write(Array("part".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        try file.commit()
        #expect(content(folder + "/file") == Array("part".utf8))
    }

    @Test("A new file gets the first free name, and replaces none on a file system without hard links")
    func freeName() throws {
        makeFile(folder + "/taken", "old", mode: 0o644)
        for isNameless in [true, false] {
            let file = try OutputFile(newIn: folder, isNameless: isNameless)
            try file.write(Array("new".utf8))
            let paths = ["taken", "free-\(isNameless)"].map { "\(folder)/\($0)" }
            #expect(try file.commit(asFirstFreeOf: paths.prefix(1)) == nil)
            #expect(try file.commit(asFirstFreeOf: paths) == paths[1])
            #expect(content(paths[1]) == Array("new".utf8))
        }
        do {
            let file = try OutputFile(newIn: folder, isNameless: false)
            #expect(try !file.replaceReserved(folder + "/taken") && file.replaceReserved(folder + "/reserved"))
            #expect(throws: Failure.self) { try file.replaceReserved(self.folder + "/other") }
        }
        #expect(content(folder + "/taken") == Array("old".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                "free-false", "free-true", "reserved", "taken",
            ])
    }

    @Test("The old file keeps its bytes and mode if the new one cannot be written")
    func failedReplacement() throws {
        // No process can create a file in /proc.
        let path = "/proc/self/limits"
        let (old, oldMode) = (content(path), mode(path))
        let error = thrown(Failure.self) {
            try FileSystem.writeOutput(Array("new".utf8), to: path)
        }
        #expect(error == .system("open", try #require(error?.systemCode)))
        #expect(content(path) == old && old?.isEmpty == false && mode(path) == oldMode)
    }

    @Test("Nothing, a broken link and a file that cannot be reached are told apart")
    func presence() throws {
        #expect(try FileSystem.status(folder + "/missing/file") == nil)
        for (link, target) in [("broken", "missing"), ("loop", "loop")] {
            #expect(symlink(target, "\(folder)/\(link)") == 0)
        }
        for path in ["broken", "broken/file"] {
            #expect(throws: Failure.brokenLink) { try FileSystem.status("\(folder)/\(path)") }
        }
        #expect(Failure.brokenLink.message == "the link leads nowhere")
        #expect(throws: Failure.system("stat", ELOOP)) { try FileSystem.status(folder + "/loop/file") }
        makeFile(folder + "/file", "", mode: 0o600)
        #expect(try FileSystem.status(folder + "/file/a") == nil)
        #expect(try FileSystem.status("") == nil && FileSystem.status("missing") == nil)
        #expect(try FileSystem.status(folder + "//missing//") == nil && FileSystem.status(folder + "//") != nil)
        for path in ["broken/", "broken//a/b", "./broken/../broken/c"] {
            #expect(throws: Failure.brokenLink) { try FileSystem.status("\(folder)/\(path)") }
        }
    }

    @Test("A file can have the longest name that the file system allows")
    func longName() throws {
        let path = folder + "/" + String(repeating: "a", count: 255)
        try FileSystem.writeOutput(Array("new".utf8), to: path)
        #expect(content(path) == Array("new".utf8))
    }

    @Test("A folder is not replaced, and no file remains")
    func failedRename() throws {
        let path = folder + "/directory"
        try FileSystem.makeDirectory(path)
        #expect(throws: Failure.system("open", EISDIR)) {
            try FileSystem.writeOutput(Array("new".utf8), to: path)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["directory"])
    }

    @Test("Output to a regular file replaces it by a new file, and output to a FIFO is written into the FIFO")
    func output() throws {
        let path = folder + "/file"
        try FileSystem.writeOutput(Array("first".utf8), to: path, isPrivate: false)
        makeFile(folder + "/private", "old", mode: 0o644)
        try FileSystem.writeOutput(Array("new".utf8), to: folder + "/private")
        #expect(content(path) == Array("first".utf8) && mode(folder + "/private") == 0o600)
        let new = open(folder + "/new", O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        close(new)
        #expect(mode(path) == mode(folder + "/new"))

        let fifo = folder + "/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        let reader = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        try FileSystem.writeOutput(Array("piped".utf8), to: fifo)
        #expect(try FileSystem.read(reader, limit: 100) == Array("piped".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["fifo", "file", "new", "private"])
    }

    // MARK: - Reading

    @Test("A file is read to its end, or until the limit is exceeded")
    func reading() throws {
        let path = folder + "/file"
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
        #expect(try FileSystem.read(path, limit: bytes.count) == bytes)
        let start = try FileSystem.read(path, limit: 1000)
        #expect(start.count > 1000 && bytes.starts(with: start))
        #expect(FileManager.default.createFile(atPath: path, contents: Data()))
        #expect(try FileSystem.read(path, limit: 0).isEmpty)
    }

    @Test("A missing file and a folder cannot be read, and a FIFO without a writer is empty if the call must not wait")
    func unreadable() throws {
        #expect(throws: Failure.system("open", ENOENT)) { try FileSystem.read(self.folder + "/no", limit: 9) }
        #expect(throws: Failure.system("read", EISDIR)) { try FileSystem.read(self.folder, limit: 9) }
        #expect(mkfifo(folder + "/fifo", 0o600) == 0)
        #expect(try FileSystem.read(folder + "/fifo", limit: 9, waits: false).isEmpty)
    }

    // MARK: - Directories

    @Test(
        "The parent of a path is its directory, also of a relative path",
        arguments: [
            ("/a/b/c", "/a/b"), ("/a", "/"), ("/", "/"), ("a/b", "a"), ("a", "."), ("/a/b/", "/a"), ("../a", ".."),
        ])
    func parents(path: String, parent: String) {
        #expect(FileSystem.parent(of: path) == parent)
    }

    @Test("A new directory and its new parents are accessible only to the user")
    func directories() throws {
        try FileSystem.makeDirectory(folder + "/a/b/c")
        try FileSystem.makeDirectory(folder + "/a/b/c")
        #expect(mode(folder + "/a") == 0o700 && mode(folder + "/a/b/c") == 0o700)
        makeFile(folder + "/file", "", mode: 0o600)
        #expect(throws: Failure.system("mkdir", ENOTDIR)) {
            try FileSystem.makeDirectory(folder + "/file/a")
        }
    }

    @Test(
        "A base directory is the path in its XDG variable if that path is absolute, and otherwise a path below HOME",
        arguments: [
            (XDGDirectory.cache, ["XDG_CACHE_HOME": "/c", "HOME": "/h"], "/c"),
            (.cache, ["XDG_CACHE_HOME": "c", "HOME": "/h"], "/h/.cache"),
            (.configuration, ["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config"),
            (.configuration, ["XDG_CONFIG_HOME": "/c"], "/c"), (.data, ["HOME": "/h"], "/h/.local/share"),
            (.data, ["XDG_DATA_HOME": "d", "HOME": "h"], nil), (.data, [:], nil),
        ] as [(XDGDirectory, [String: String], String?)])
    func baseDirectories(directory: XDGDirectory, environment: [String: String], path: String?) {
        #expect(directory.path(environment: environment) == path)
    }
}
