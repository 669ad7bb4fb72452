import Foundation
import Testing

/// Tests the second executable, gifplay-browser. `gifplay browse` and `gifplay library` replace their process with it.
@Suite(.timeLimit(.minutes(15))) struct BrowserTests {
    /// Copies the player, but not the browser, to a directory `bin` and returns the path of the copy.
    private func player(_ folder: TemporaryFolder) throws -> String {
        let bin = folder.url.appendingPathComponent("bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        let path = bin.appendingPathComponent("gifplay").path
        try FileManager.default.copyItem(atPath: Binary.path, toPath: path)
        return path
    }

    @Test("The browser executable is in the directory of the player")
    func sameDirectory() {
        #expect(FileManager.default.isExecutableFile(atPath: Binary.browser))
    }

    @Test(
        "Help and usage errors of browse and library come from the browser executable",
        arguments: ["browse", "library"])
    func help(command: String) throws {
        let direct = try run(Binary.browser, [command, "--help"])
        #expect(direct.status == 0 && direct.text.contains("USAGE: gifplay \(command)"))
        #expect(try runGifplay([command, "--help"]).text == direct.text)
        #expect(try runGifplay(["help", command]).text == direct.text)
        let usage = try runGifplay([command, "--no-such-option"])
        #expect(usage.status == 2 && usage.errors.contains("--no-such-option"))
    }

    @Test("The player's help lists the browser's commands")
    func listed() throws {
        let help = try runGifplay(["--help"]).text
        #expect(help.contains("\n  browse ") && help.contains("\n  library "))
    }

    @Test("The player replaces itself with the browser in libexec and passes arguments unchanged")
    func replacesPlayer() throws {
        let folder = try TemporaryFolder()
        let path = try player(folder)
        let libexec = folder.url.appendingPathComponent("libexec/gifplay")
        try FileManager.default.createDirectory(at: libexec, withIntermediateDirectories: true)
        let browser = try folder.write(
            Array("#!/bin/sh\necho $$ \"$#\" \"$2\"\n".utf8), to: "libexec/gifplay/gifplay-browser")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
        let outcome = try run("/bin/sh", ["-c", "echo $$ 2 'a  b'; exec \"$0\" browse 'a  b'", path])
        let lines = outcome.text.split(separator: "\n")
        #expect(outcome.status == 0 && lines.count == 2 && lines.first == lines.last, "\(outcome)")
    }

    @Test("Without the browser executable, browse reports the missing file and the player still plays")
    func missing() throws {
        let folder = try TemporaryFolder()
        let path = try player(folder)
        let outcome = try run(path, ["browse"])
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("gifplay-browser") && outcome.errors.contains(folder.url.path + "/bin"))
        #expect(try run(path, [Binary.sample("aquarium")]).status == 0)
    }

    @Test("A browser executable that cannot be started is reported with the system's reason")
    func notExecutable() throws {
        let folder = try TemporaryFolder()
        let path = try player(folder)
        _ = try folder.write(Array("#!/bin/sh\n".utf8), to: "bin/gifplay-browser")
        let outcome = try run(path, ["library"])
        #expect(outcome.status == 1 && outcome.errors.contains("Permission denied"))
    }
}
