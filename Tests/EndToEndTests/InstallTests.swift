import Foundation
import TestServer
import Testing

/// Tests scripts/install and scripts/uninstall with the binaries under test instead of a release build.
@Suite(.ownThreads, .enabled(if: !Binary.isSanitized, "the sanitizers check the program, not its installation"))
struct InstallTests {
    /// A directory with copies of the scripts and the docs. Its `scripts/build` only prints the path of the binary
    /// under test.
    private let root: TemporaryFolder

    init() throws {
        root = try TemporaryFolder()
        let files = FileManager.default
        try files.createDirectory(at: root.url.appendingPathComponent("scripts"), withIntermediateDirectories: true)
        for name in ["scripts/install", "scripts/uninstall", "docs", "share"] {
            try files.copyItem(
                at: Binary.package.appendingPathComponent(name), to: root.url.appendingPathComponent(name))
        }
        let build = try root.write(Array("#!/bin/sh\necho '\(Binary.path)'\n".utf8), to: "scripts/build")
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: build)
    }

    private func script(_ name: String, _ arguments: [String]) throws -> ProgramResult {
        try run(root.url.appendingPathComponent("scripts/\(name)").path, arguments)
    }

    private func files(below folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            var isFolder: ObjCBool = false
            let path = folder.appendingPathComponent($0).path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    @Test("'install' installs the programs, man pages, completions and snippets; 'uninstall' removes only these files")
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
                "share/gifplay/gifplay.bash", "share/gifplay/gifplay.screenrc", "share/gifplay/gifplay.tmux",
                "share/gifplay/gifplay.zsh", "share/gifplay/preview", "share/man/man1/gifplay.1",
                "share/man/man5/gifplay.5",
                "share/zsh/site-functions/_gifplay",
            ])
        let gifplay = prefix.url.appendingPathComponent("bin/gifplay").path
        #expect(try run(gifplay, ["--version"]).text.hasPrefix("gifplay 1."))
        let data = try TemporaryFolder()
        let library = try run(gifplay, ["library", "export"], environment: ["XDG_DATA_HOME": data.url.path])
        #expect(library.status == 0 && library.text.contains("favourites"), "\(library.errors)")

        #expect(try script("uninstall", ["--prefix", prefix.url.path]).status == 0)
        #expect(try files(below: prefix.url) == before)
    }

    @Test("The scripts 'install' and 'uninstall' reject an unknown argument", arguments: ["install", "uninstall"])
    func unknownOption(name: String) throws {
        let result = try script(name, ["/usr/local"])
        #expect(result.status == 2)
        #expect(result.errors.contains("/usr/local: unknown option"))
    }
}
