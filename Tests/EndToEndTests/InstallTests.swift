import Foundation
import TestServer
import Testing

/// Tests scripts/install, scripts/package, scripts/setup and the summary of scripts/test, with the binary under test
/// instead of a release build.
@Suite(.ownThreads, .enabled(if: !Binary.isSanitized, "the sanitizers check the program, not its installation"))
struct InstallTests {
    /// A directory with copies of the scripts and the docs. Its `scripts/build` only prints the path of the binary
    /// under test.
    private let root: TemporaryFolder
    private static let scripts = ["install", "package", "setup"]

    init() throws {
        root = try TemporaryFolder()
        // Another process copies the scripts, for the reason that `writeProgram` gives.
        let names = ["docs", "share", "Package.swift", "scripts/common.sh"] + Self.scripts.map { "scripts/\($0)" }
        let copied = try run("/bin/cp", ["-r", "--parents"] + names + [root.url.path], folder: Binary.package)
        try #require(copied.status == 0, "\(copied.errors)")
        try root.writeProgram("#!/bin/sh\necho '\(Binary.path)'\n", to: "scripts/build")
    }

    private func script(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> ProgramResult {
        try run(root.url.appendingPathComponent("scripts/\(name)").path, arguments, environment: environment)
    }

    private func files(below folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            var isFolder: ObjCBool = false
            let path = folder.appendingPathComponent($0).path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    private func text(_ path: String, in folder: TemporaryFolder) throws -> String {
        try String(contentsOf: folder.url.appendingPathComponent(path), encoding: .utf8)
    }

    // MARK: - Installing and removing

    @Test("'install' installs the program, man pages, completions and snippets; '--uninstall' removes only these files")
    func roundTrip() throws {
        let prefix = try TemporaryFolder()
        try prefix.write("other", to: "bin/other")
        let before = try files(below: prefix.url)

        let installed = try script("install", ["--prefix", prefix.url.path])
        #expect(installed.status == 0, "\(installed.errors)")
        #expect(
            try files(below: prefix.url) == [
                "bin/gifplay", "bin/other",
                "share/bash-completion/completions/gifplay", "share/fish/vendor_completions.d/gifplay.fish",
                "share/gifplay/gifplay.bash", "share/gifplay/gifplay.lua", "share/gifplay/gifplay.nvim.lua",
                "share/gifplay/gifplay.screenrc", "share/gifplay/gifplay.tmux", "share/gifplay/gifplay.zsh",
                "share/gifplay/manifest",
                "share/gifplay/preview", "share/gifplay/uninstall",
                "share/man/man1/gifplay.1",
                "share/man/man5/gifplay.5",
                "share/zsh/site-functions/_gifplay",
            ])
        let gifplay = prefix.url.appendingPathComponent("bin/gifplay").path
        #expect(try run(gifplay, ["--version"]).text.hasPrefix("gifplay 1."))
        let snippet = try String(
            contentsOf: prefix.url.appendingPathComponent("share/gifplay/gifplay.zsh"), encoding: .utf8)
        #expect(snippet.contains("source \(prefix.url.path)/share/gifplay/gifplay.zsh"))

        #expect(try script("install", ["--uninstall", "--prefix=\(prefix.url.path)"]).status == 0)
        #expect(try files(below: prefix.url) == before)
        let again = try script("install", ["--uninstall", "--prefix=\(prefix.url.path)"])
        #expect(again.status == 1 && again.errors.contains("gifplay is not installed in \(prefix.url.path)"))
    }

    @Test("'install' replaces no file that it has not installed or that has changed, unless '--force' is given")
    func foreignFiles() throws {
        let prefix = try TemporaryFolder()
        let install = ["--prefix", prefix.url.path]
        try prefix.write("another program", to: "bin/gifplay")
        try prefix.write("source ~/.local/share/gifplay/gifplay.zsh", to: "share/gifplay/mine.zsh")
        let refused = try script("install", install)
        #expect(refused.status == 1)
        let lines = refused.errors.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("\(prefix.url.path)/bin/gifplay: not installed by this script"))
        #expect(try files(below: prefix.url) == ["bin/gifplay", "share/gifplay/mine.zsh"])
        #expect(try text("bin/gifplay", in: prefix) == "another program")

        #expect(try script("install", install + ["--force"]).status == 0)
        #expect(try text("share/gifplay/mine.zsh", in: prefix) == "source ~/.local/share/gifplay/gifplay.zsh")
        #expect(try script("install", install).status == 0)
        try prefix.write("set -g status off", to: "share/gifplay/gifplay.tmux")
        #expect(try script("install", install).errors.contains("share/gifplay/gifplay.tmux: not installed by"))
        #expect(try text("share/gifplay/gifplay.tmux", in: prefix) == "set -g status off")
    }

    @Test("'--uninstall' reports files that have changed, and removes only the others")
    func changedFiles() throws {
        let prefix = try TemporaryFolder()
        #expect(try script("install", ["--prefix", prefix.url.path]).status == 0)
        try prefix.write("# changed", to: "share/gifplay/gifplay.bash")
        let link = prefix.url.appendingPathComponent("bin/gifplay").path
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Binary.path)
        try prefix.write("library", to: "share/gifplay/library.sqlite")
        let removed = try script("install", ["--uninstall", "--prefix", prefix.url.path])
        #expect(removed.status == 1)
        let left = ["bin/gifplay", "share/gifplay/gifplay.bash"]
        let problem = "has changed since it was installed; not removed"
        #expect(removed.errors == left.map { "uninstall: \(prefix.url.path)/\($0): \(problem)\n" }.joined())
        #expect(try files(below: prefix.url) == left + ["share/gifplay/library.sqlite"])
    }

    @Test("A new version replaces and removes the unchanged files of the old one, also after an interruption")
    func update() throws {
        let prefix = try TemporaryFolder()
        let install = ["--prefix", prefix.url.path]
        try root.write("# old", to: "share/gifplay/old.zsh")
        #expect(try script("install", install).status == 0)
        try FileManager.default.removeItem(at: root.url.appendingPathComponent("share/gifplay/old.zsh"))
        try root.write("# new", to: "share/gifplay/gifplay.zsh")
        // A folder in the place of a file that is installed later makes the script fail.
        let page = prefix.url.appendingPathComponent("share/man/man5/gifplay.5")
        try FileManager.default.removeItem(at: page)
        try FileManager.default.createDirectory(at: page, withIntermediateDirectories: true)
        #expect(try script("install", install + ["--force"]).status == 1)
        #expect(try text("share/gifplay/gifplay.zsh", in: prefix) == "# new")
        try FileManager.default.removeItem(at: page)
        let second = try script("install", install)
        #expect(second.status == 0, "\(second.errors)")
        #expect(try !files(below: prefix.url).contains("share/gifplay/old.zsh"))
        #expect(try !text("share/gifplay/manifest", in: prefix).contains("old.zsh"))
    }

    @Test("The installed 'uninstall' removes a copy in another folder, such as an unpacked tarball in ~/.local")
    func copiedFolder() throws {
        let (unpacked, home) = (try TemporaryFolder(), try TemporaryFolder())
        #expect(try script("install", ["--destdir", unpacked.url.path, "--prefix", "/p"]).status == 0)
        try home.write("other", to: "bin/other")
        let copied = try run("/bin/cp", ["-r", unpacked.url.path + "/p/.", home.url.path])
        #expect(copied.status == 0)
        let removed = try run(home.url.appendingPathComponent("share/gifplay/uninstall").path, [])
        #expect(removed.status == 0 && removed.errors.isEmpty, "\(removed)")
        #expect(removed.text.hasPrefix("gifplay is removed from "), "\(removed)")
        let left = try FileManager.default.subpathsOfDirectory(atPath: home.url.path)
        #expect(left.sorted() == ["bin", "bin/other"])
    }

    @Test("The default prefix is ~/.local, in a message without a line of the script")
    func defaultPrefix() throws {
        let home = try TemporaryFolder()
        let installed = try script("install", [], environment: ["HOME": home.url.path])
        #expect(installed.text.hasPrefix("gifplay is installed: \(home.url.path)/.local/bin/gifplay\n"))
        let snippets = home.url.appendingPathComponent(".local/share/gifplay")
        let snippet = try String(contentsOf: snippets.appendingPathComponent("gifplay.tmux"), encoding: .utf8)
        #expect(snippet.contains("source-file ~/.local/share/gifplay/gifplay.tmux"))
        #expect(try script("install", ["--uninstall"], environment: ["HOME": home.url.path]).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path).isEmpty)

        let homeless = try script("install", [], environment: ["HOME": ""])
        #expect(homeless.status == 2)
        #expect(homeless.errors == "scripts/install: HOME is not set; name a folder with --prefix\n")
    }

    @Test("Each script rejects an unknown option", arguments: scripts)
    func unknownOption(name: String) throws {
        let result = try script(name, ["--wrong"])
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("scripts/\(name): --wrong: unknown option; "))
    }

    @Test("'--help' prints the usage of each script", arguments: scripts)
    func help(name: String) throws {
        let result = try script(name, ["--help"])
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(result.text.contains("\nusage: scripts/\(name)") && result.text.contains("--help "))
        #expect(!result.text.contains("set -") && !result.text.contains("#"))
    }

    @Test("An option without its folder is an error", arguments: ["--prefix", "--prefix=", "--destdir"])
    func missingFolder(option: String) throws {
        let result = try script("install", [option])
        #expect(result.status == 2)
        #expect(result.errors == "scripts/install: \(option.filter { $0 != "=" }) needs a folder\n")
    }

    // MARK: - Other scripts

    @Test("Without root and sudo, 'setup' prints one command and does not say that it installs")
    func setupWithoutRoot() throws {
        let result = try setup(onSystem: "VERSION_CODENAME=noble")
        #expect(result.status == 1)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.first == "scripts/setup: packages are missing; this command installs them:")
        #expect(lines.count == 2 && lines[1].hasPrefix("    su -c \"apt-get update -q && apt-get install -y "))
        #expect(!result.errors.contains("installing"))
    }

    @Test(
        "Without Swift, or with an old one, 'setup' names the toolchain's page and three commands, and installs nothing",
        .enabled(if: !FileManager.default.fileExists(atPath: "/usr/bin/swift"), "the system has a Swift"),
        arguments: [
            ("noble", "", ""), ("bookworm", "5.10.1", " (installed: 5.10.1)"), ("", "5.9", " (installed: 5.9)"),
        ])
    func setupWithoutSwift(codename: String, version: String, installed: String) throws {
        let result = try setup(onSystem: "PRETTY_NAME='Some Linux'\nVERSION_CODENAME=\(codename)", swift: version)
        #expect(result.status == 1)
        let lines = result.errors.split(separator: "\n")
        let start = "scripts/setup: gifplay needs Swift 6.0 or later\(installed), which Some Linux does not have"
        #expect(
            lines.first?.hasPrefix(start) == true && result.errors.contains(" https://www.swift.org/install/linux,"))
        #expect(lines.filter { $0.hasPrefix("    ") }.count == 3 && lines.count == 5, "\(result.errors)")
        #expect(!result.errors.contains("apt-get"))
    }

    @Test(
        "On Debian 13, 'setup' installs Swift from the archive if it is missing or too old",
        .enabled(if: !FileManager.default.fileExists(atPath: "/usr/bin/swift"), "the system has a Swift"),
        arguments: ["", "5.10.1", "6.0.3", "6.10"])
    func setupOnDebian13(version: String) throws {
        let result = try setup(onSystem: "VERSION_CODENAME=trixie", swift: version)
        #expect(result.status == 1 && result.errors.contains("apt-get install -y "))
        #expect(result.errors.contains(" swiftlang") == !version.hasPrefix("6."), "\(result.errors)")
    }

    @Test(
        "If the compiler does not start because its libraries are missing, 'setup' installs them before it compares versions",
        .enabled(if: !FileManager.default.fileExists(atPath: "/usr/bin/swift"), "the system has a Swift"),
        arguments: ["bookworm", "trixie", "noble"])
    func setupWithoutLibraries(codename: String) throws {
        let result = try setup(onSystem: "VERSION_CODENAME=\(codename)", swift: nil)
        #expect(result.status == 1 && result.errors.contains("apt-get install -y "), "\(result.errors)")
        #expect(!result.errors.contains("swiftlang") && !result.errors.contains("needs Swift"))
    }

    @Test("On a system without tested packages, 'setup' prints one line with the missing packages")
    func setupOnOtherSystem() throws {
        let result = try setup(onSystem: "PRETTY_NAME='Fedora Linux 41'\nVERSION_CODENAME=")
        #expect(result.status == 1 && result.errors.split(separator: "\n").count == 1)
        let start = "scripts/setup: Fedora Linux 41: not Debian 12, Debian 13 or Ubuntu 24.04; missing: g++ libc6-dev "
        #expect(result.errors.hasPrefix(start), "\(result.errors)")
    }

    /// Runs scripts/setup as a normal user of a system on which no package is installed, not even sudo.
    ///
    /// - Parameter version: The version that `swift --version` prints; nil if it does not start.
    private func setup(onSystem release: String, swift version: String? = "6.3.1") throws -> ProgramResult {
        let programs = try TemporaryFolder()
        let swift = version.map { "echo 'Swift version \($0) (swift)'" } ?? "exit 127"
        for (name, body) in ["id": "echo 1000", "dpkg-query": "exit 1", "swift": swift] {
            try programs.writeProgram("#!/bin/sh\n\(body)\n", to: name)
        }
        for name in ["bash", "cat", "dirname", "sed", "grep", "sort"] {
            try FileManager.default.createSymbolicLink(
                atPath: programs.url.appendingPathComponent(name).path, withDestinationPath: "/usr/bin/\(name)")
        }
        let file = try programs.write(release, to: "os-release")
        return try script("setup", [], environment: ["PATH": programs.url.path, "GIFPLAY_OS_RELEASE": file])
    }

    @Test("A test run without a test is an error; otherwise the closing line of 'swift test' is printed")
    func testSummary() throws {
        func summary(_ line: String) throws -> ProgramResult {
            try root.write("◇ Test run started.\n" + line + "\n", to: "log")
            let summary = Binary.package.appendingPathComponent("scripts/checks/test-summary").path
            return try run(summary, [root.url.appendingPathComponent("log").path])
        }
        let closing = "✔ Test run with 12 tests in 3 suites passed after 0.5 seconds."
        let passed = try summary(closing)
        #expect(passed.status == 0 && passed.text == closing + "\n")
        let skipped = "✘ Test \"No test is skipped\" skipped: \"by Swift 6.0\"\n"
        let both = try summary(skipped + closing)
        #expect(both.status == 0 && both.text == "Skipped:\n" + skipped + closing + "\n")
        let failure = "✘ Test \"A file is skipped\" failed after 0.1 seconds with 1 issue.\n"
        #expect(try summary(failure + closing).text == failure + closing + "\n")
        let empty = try summary("✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.")
        #expect(empty.status == 1 && empty.text.hasSuffix("\nno test was run\n"))
    }
}
