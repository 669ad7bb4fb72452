import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct SecurityFileTests {
    private let folder: TemporaryFolder
    private var root: String { folder.url.path }

    init() throws { folder = try TemporaryFolder() }

    private var environment: [String: String] {
        ["GIFPLAY_OFFLINE": "0", "XDG_CACHE_HOME": root + "/cache", "XDG_DATA_HOME": root + "/data"]
    }

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    /// Returns the paths of all files and directories below a directory.
    private func all(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).map { folder + "/" + $0 }
    }

    /// Plays a GIF from a server, so that gifplay stores the GIF in the cache.
    private func cached(_ additions: [String: String] = [:], from site: FakeSite? = nil) throws -> ProgramResult {
        let site = try site ?? FakeSite { _, _ in try .gif("campfire") }
        return try runGifplay(
            ["--animate", "--size", "2x2", "\(site.base)/a.gif"], environment: environment.merging(additions) { $1 })
    }

    private let precious = Array("precious".utf8)

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("Even with umask 0, only the user can access the cache, the library and the stored failures")
    func modes() throws {
        let failing = try FakeSite { request, base in
            request.path.hasSuffix(".gif") ? try .gif("campfire") : .text("", status: 404)
        }
        let commands = """
            umask 0
            '\(Binary.path)' --animate --size 2x2 \(failing.base)/a.gif > /dev/null
            '\(Binary.path)' --list octopus > /dev/null
            """
        let pane = try ShellPane(columns: 120)
        try pane.play("browse cat", environment: failing.environment(environment), preparation: commands)
        try pane.tmux.wait(forText: "Dancing cat")
        try pane.tmux.press("f", until: "added to favourites")
        try pane.tmux.quit()
        let made = try all(root + "/cache") + all(root + "/data")
        for name in ["failures.json", "library.sqlite", "media"] {
            #expect(made.contains { $0.hasSuffix(name) }, "\(made)")
        }
        for path in made {
            #expect(mode(path) == (mode(path) & 0o100 == 0 ? 0o600 : 0o700), "\(path) \(mode(path))")
        }
    }

    @Test("If others can access gifplay's directories or library file, gifplay restricts the permissions to the user")
    func narrowed() throws {
        #expect(try cached().status == 0)
        try StoredLibrary.fill(root + "/data")
        let places = [("cache/gifplay/media", 0o700), ("data/gifplay", 0o700), ("data/gifplay/library.sqlite", 0o600)]
        for (place, _) in places { chmod("\(root)/\(place)", 0o777) }
        #expect(try cached().status == 0)
        _ = try runGifplay(["library"], environment: environment)
        for (place, expected) in places { #expect(mode("\(root)/\(place)") == expected, "\(place)") }
    }

    @Test("A symbolic link in place of the cache directory is not used, and its target stays unchanged")
    func linkedCache() throws {
        let elsewhere = root + "/elsewhere"
        mkdir(elsewhere, 0o755)
        mkdir(root + "/cache", 0o700)
        mkdir(root + "/cache/gifplay", 0o700)
        // This name has the form of a cache entry's name.
        let name = String(repeating: "ab", count: 32)
        let target = try folder.write(precious, to: "elsewhere/" + name)
        symlink(elsewhere, root + "/cache/gifplay/media")
        #expect(try cached().status == 0)
        for arguments in [["cache"], ["cache", "--clear"]] {
            try expectError(arguments, "is a symbolic link", environment: environment)
        }
        #expect(try text(target) == "precious" && all(elsewhere) == [target] && mode(elsewhere) == 0o755)
    }

    @Test("A symbolic link in the cache is not read and not counted as a file, and its target stays unchanged")
    func linkedEntries() throws {
        let site = try FakeSite { _, _ in try .gif("campfire") }
        #expect(try cached(from: site).status == 0)
        #expect(try cached(from: site).status == 0)
        #expect(site.requestLines.count == 1, "the cache is not used")
        let media = root + "/cache/gifplay/media"
        let entry = try #require(try all(media).first)
        let content = try Data(contentsOf: URL(fileURLWithPath: entry))
        let copy = try folder.write(Array(content), to: "copy")
        let target = try folder.write(precious, to: "precious")
        unlink(entry)
        symlink(copy, entry)
        symlink(target, media + "/" + String(repeating: "cd", count: 32))
        symlink(target, media + "/.1-1-1.tmp")
        symlink("/etc/passwd", media + "/" + String(repeating: "ef", count: 32))
        // gifplay does not read the link. It downloads the GIF again and replaces the link with the new entry.
        #expect(try cached(from: site).status == 0)
        #expect(site.requestLines.count == 2)
        #expect(try runGifplay(["cache"], environment: environment).text.contains("1 file, "))
        let before = try text("/etc/passwd")
        #expect(try runGifplay(["cache", "--clear"], environment: environment).status == 0)
        #expect(try text(target) == "precious" && text("/etc/passwd") == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == content)
    }

    @Test(
        "A cache or library that belongs to another user is not used and stays unchanged",
        .enabled(if: geteuid() == 0, "only root can change the owner of a directory"))
    func foreign() throws {
        #expect(try cached().status == 0)
        try StoredLibrary.fill(root + "/data")
        let media = root + "/cache/gifplay/media"
        let data = root + "/data/gifplay"
        try #require(chown(media, 65_534, 65_534) == 0 && chown(data, 65_534, 65_534) == 0)
        chmod(media, 0o777)
        let before = try all(media)
        #expect(try cached().status == 0)
        try expectError(["cache", "--clear"], "belongs to another user", environment: environment)
        #expect(try all(media) == before && mode(media) == 0o777)
        try expectError(["library"], "belongs to another user", environment: environment)
        // Another user who owns the parent directory could replace the cache directory, so gifplay must refuse it.
        try #require(chown(media, 0, 0) == 0 && chown(root + "/cache/gifplay", 65_534, 65_534) == 0)
        #expect(try runGifplay(["cache"], environment: environment).status == 1)
    }

    @Test(
        "A configuration that others can write is refused; an API key that others can read causes a warning",
        arguments: [
            (0o600, 0, ""), (0o644, 0, "other users can read it"), (0o640, 0, "other users can read it"),
            (0o666, 2, "can be changed by every user"),
        ])
    func configuration(mode: UInt32, status: Int32, message: String) throws {
        let path = try folder.write("--key giphy=s3cr3t\n", to: "gifplay/config")
        chmod(path, mode)
        let outcome = try runGifplay(["--list", "dancing cat"], environment: ["XDG_CONFIG_HOME": root])
        #expect(outcome.status == status)
        #expect(message.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!outcome.errors.contains("s3cr3t"))
        try folder.write("--rating pg\n", to: "gifplay/config")
        chmod(path, 0o644)
        #expect(try runGifplay(["--list", "dancing cat"], environment: ["XDG_CONFIG_HOME": root]).errors.isEmpty)
        if geteuid() == 0, chown(path, 65_534, 65_534) == 0 {
            let foreign = try runGifplay(["--list", "dancing cat"], environment: ["XDG_CONFIG_HOME": root])
            #expect(foreign.status == 2 && foreign.errors.contains("belongs to another user"))
        }
    }

    @Test(
        "As root with the HOME of a user, no command creates a file or a folder there",
        .enabled(if: geteuid() == 0, "only root can act as with sudo"))
    func rootInHome() throws {
        try #require(chown(root, 65_534, 65_534) == 0)
        let environment = ["HOME": root, "XDG_CACHE_HOME": "", "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""]
        let gif = try FakeSite { _, _ in try .gif("campfire") }
        let failing = try FakeSite { _, _ in .text("", status: 500) }
        for arguments in [
            ["cache"], ["cache", "--clear"], ["doctor", "--offline"], ["sources"], ["library"], ["library", "clear"],
            ["--list", "octopus"], ["--list", "--offline"], ["--animate", "--size", "2x2", gif.base + "/a.gif"],
            ["library", "export"], ["help", "play"], ["--generate-completion-script", "bash"],
        ] {
            let outcome = try runGifplay(arguments, environment: failing.environment(environment))
            #expect(try all(root).isEmpty, "\(arguments) \(outcome)")
        }
    }

    @Test("Commands that only read create nothing")
    func readers() throws {
        for arguments in [
            ["cache"], ["cache", "--clear"], ["doctor", "--offline"], ["sources"], ["library"], ["library", "export"],
            ["--list", "--offline"], ["--list", "--offline", "cat"], ["browse", "--plain", "--offline", "cat"],
        ] {
            let outcome = try runGifplay(arguments, environment: environment)
            #expect(try all(root).isEmpty, "\(arguments) \(outcome)")
        }
        let shown = try runGifplay(["cache"], environment: environment)
        #expect(shown.status == 0 && shown.text == "\(root)/cache/gifplay/media: 0 files, 0 B of 512 MiB\n", "\(shown)")
    }
}
