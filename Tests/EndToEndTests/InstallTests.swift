import Foundation
import TestServer
import Testing

/// Tests scripts/install, scripts/uninstall, scripts/package and scripts/setup with the binary under test instead of a release build.
@Suite(.ownThreads, .enabled(if: !Binary.isSanitized, "the sanitizers check the program, not its installation"))
struct InstallTests {
    /// A directory with copies of the scripts and the docs. Its `scripts/build` only prints the path of the binary
    /// under test.
    private let root: TemporaryFolder
    private static let scripts = ["install", "uninstall", "package", "setup"]

    init() throws {
        root = try TemporaryFolder()
        // Another process copies the scripts, for the reason that `writeProgram` gives.
        let names = ["docs", "share", "Package.swift"] + Self.scripts.map { "scripts/\($0)" }
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

    @Test("'install' installs the program, man pages, completions and snippets; 'uninstall' removes only these files")
    func roundTrip() throws {
        let prefix = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: prefix.url.appendingPathComponent("bin"), withIntermediateDirectories: true)
        _ = try prefix.write(Array("other".utf8), to: "bin/other")
        let before = try files(below: prefix.url)

        let installed = try script("install", ["--prefix", prefix.url.path])
        #expect(installed.status == 0, "\(installed.errors)")
        #expect(
            try files(below: prefix.url) == [
                "bin/gifplay", "bin/other",
                "share/bash-completion/completions/gifplay", "share/fish/vendor_completions.d/gifplay.fish",
                "share/gifplay/gifplay.bash", "share/gifplay/gifplay.lua", "share/gifplay/gifplay.screenrc",
                "share/gifplay/gifplay.tmux", "share/gifplay/gifplay.zsh", "share/gifplay/preview",
                "share/man/man1/gifplay.1",
                "share/man/man5/gifplay.5",
                "share/zsh/site-functions/_gifplay",
            ])
        let gifplay = prefix.url.appendingPathComponent("bin/gifplay").path
        #expect(try run(gifplay, ["--version"]).text.hasPrefix("gifplay 1."))
        let snippet = try String(
            contentsOf: prefix.url.appendingPathComponent("share/gifplay/gifplay.zsh"), encoding: .utf8)
        #expect(snippet.contains("source \(prefix.url.path)/share/gifplay/gifplay.zsh"))

        #expect(try script("uninstall", ["--prefix=\(prefix.url.path)"]).status == 0)
        #expect(try files(below: prefix.url) == before)
    }

    @Test("The default prefix is ~/.local, in a message without a line of the script")
    func defaultPrefix() throws {
        let home = try TemporaryFolder()
        let installed = try script("install", [], environment: ["HOME": home.url.path])
        #expect(installed.text.hasPrefix("gifplay is installed: \(home.url.path)/.local/bin/gifplay\n"))
        let snippets = home.url.appendingPathComponent(".local/share/gifplay")
        let snippet = try String(contentsOf: snippets.appendingPathComponent("gifplay.tmux"), encoding: .utf8)
        #expect(snippet.contains("source-file ~/.local/share/gifplay/gifplay.tmux"))
        #expect(try script("uninstall", [], environment: ["HOME": home.url.path]).status == 0)
        #expect(try files(below: home.url).isEmpty)

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

    @Test("Without root and sudo, 'setup' prints one command and does not say that it installs")
    func setupWithoutRoot() throws {
        let programs = try TemporaryFolder()
        // The user is not root, no package is installed, and there is no sudo.
        for (name, body) in ["id": "echo 1000", "dpkg-query": "exit 1", "swift": "exit 0"] {
            try programs.writeProgram("#!/bin/sh\n\(body)\n", to: name)
        }
        for name in ["bash", "dirname", "sed", "grep"] {
            try FileManager.default.createSymbolicLink(
                atPath: programs.url.appendingPathComponent(name).path, withDestinationPath: "/usr/bin/\(name)")
        }
        let result = try script("setup", [], environment: ["PATH": programs.url.path])
        #expect(result.status == 1)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.first == "scripts/setup: packages are missing; this command installs them:")
        #expect(lines.count == 2 && lines[1].hasPrefix("    su -c \"apt-get update -q && apt-get install -y "))
        #expect(!result.errors.contains("installing"))
    }
}
