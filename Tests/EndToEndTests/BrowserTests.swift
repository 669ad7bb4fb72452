import Foundation
import Testing

/// Tests the second executable, gifplay-browser. The commands `gifplay browse`, `gifplay library` and `gifplay doctor`
/// start it with exec.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct BrowserTests {
    /// Copies only the executable gifplay, not gifplay-browser, to a directory `bin`. Returns the path of the copy.
    ///
    /// `/bin/cp` copies the file. If this process wrote the copy itself, a child that another test starts at that time
    /// would inherit the open descriptor, and executing the copy would fail with ETXTBSY.
    private func player(_ folder: TemporaryFolder) throws -> String {
        let bin = folder.url.appendingPathComponent("bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        let path = bin.appendingPathComponent("gifplay").path
        try #require(run("/bin/cp", [Binary.path, path]).status == 0)
        return path
    }

    @Test("gifplay-browser is in the same directory as gifplay")
    func sameDirectory() {
        #expect(FileManager.default.isExecutableFile(atPath: Binary.browser))
    }

    @Test(
        "gifplay-browser prints the help and the usage errors of 'browse' and 'library'",
        arguments: ["browse", "library"])
    func help(command: String) throws {
        let direct = try run(Binary.browser, [command, "--help"])
        #expect(direct.status == 0 && direct.text.contains("USAGE: gifplay \(command)"))
        #expect(try runGifplay([command, "--help"]).text == direct.text)
        #expect(try runGifplay(["help", command]).text == direct.text)
        let usage = try runGifplay([command, "--no-such-option"])
        #expect(usage.status == 2 && usage.errors.contains("--no-such-option"))
    }

    @Test("'gifplay --help' lists the commands 'browse' and 'library'")
    func listed() throws {
        let help = try runGifplay(["--help"]).text
        #expect(help.contains("\n  browse ") && help.contains("\n  library "))
    }

    @Test("gifplay runs gifplay-browser from libexec in the same process, with unchanged arguments")
    func replacesPlayer() throws {
        let folder = try TemporaryFolder()
        let path = try player(folder)
        let libexec = folder.url.appendingPathComponent("libexec/gifplay")
        try FileManager.default.createDirectory(at: libexec, withIntermediateDirectories: true)
        let script = try folder.write(Array("#!/bin/sh\necho $$ \"$#\" \"$2\"\n".utf8), to: "script")
        let installed = try run("/usr/bin/install", [script, libexec.path + "/gifplay-browser"])
        try #require(installed.status == 0)
        let outcome = try run("/bin/sh", ["-c", "echo $$ 2 'a  b'; exec \"$0\" browse 'a  b'", path])
        let lines = outcome.text.split(separator: "\n")
        #expect(outcome.status == 0 && lines.count == 2 && lines.first == lines.last, "\(outcome)")
    }

    @Test("If gifplay-browser is missing, 'gifplay browse' reports the missing file, but gifplay still plays files")
    func missing() throws {
        let folder = try TemporaryFolder()
        let path = try player(folder)
        let outcome = try run(path, ["browse"])
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("gifplay-browser") && outcome.errors.contains(folder.url.path + "/bin"))
        #expect(try run(path, [Binary.sample("aquarium")]).status == 0)
    }

    @Test("If gifplay-browser cannot be executed, the system's error message is reported")
    func notExecutable() throws {
        let folder = try TemporaryFolder()
        let path = try player(folder)
        _ = try folder.write(Array("#!/bin/sh\n".utf8), to: "bin/gifplay-browser")
        let outcome = try run(path, ["library"])
        #expect(outcome.status == 1 && outcome.errors.contains("Permission denied"))
    }
}
