import FoundationEssentials
import Glibc
import TestServer
import Testing

@testable import Library

/// A folder of fake programs for PATH. Each program logs its arguments, its input and the files to which its output
/// streams are connected.
struct StandInPrograms {
    let folder: TemporaryDirectory

    /// - Parameter end: the shell command that each program executes last.
    init(_ names: String..., end: String = "exit 0") throws {
        folder = try TemporaryDirectory()
        for name in names {
            let script = """
                #!/bin/sh
                out=\(folder.path)/$(basename "$0").log
                streams="$(readlink /proc/$$/fd/1) $(readlink /proc/$$/fd/2)"
                { for word in "$@"; do echo "argument $word"; done; echo "input $(cat)"
                  echo "streams $streams"
                  test "$(cut -d' ' -f6 /proc/$$/stat)" = $$ && echo "own session"; } > "$out.part"
                mv "$out.part" "$out"
                \(end)
                """
            try folder.write(Array((script + "\n").utf8), to: name + ".sh")
            // A program cannot start while a descriptor for writing it is open. Other tests could inherit such a
            // descriptor of this process when they start programs, so another process writes the file.
            #expect(system("cd '\(folder.path)' && install -m 755 \(name).sh \(name) && rm \(name).sh") == 0)
        }
    }

    /// Returns an environment whose PATH contains only the fake programs and the tools that their scripts need. Thus no
    /// real clipboard program is found.
    func environment(_ more: [String: String]) throws -> [String: String] {
        let tools = folder.path + "/tools"
        mkdir(tools, 0o755)
        for tool in ["cat", "basename", "readlink", "cut", "grep", "mv"] {
            let place = ["/usr/bin/", "/bin/"].first { access($0 + tool, X_OK) == 0 } ?? "/bin/"
            symlink(place + tool, tools + "/" + tool)
        }
        return ["PATH": "\(folder.path):\(tools)"].merging(more) { $1 }
    }

    func log(_ name: String) throws -> [String] {
        try String(contentsOfFile: folder.path + "/\(name).log", encoding: .utf8).split(separator: "\n").map(
            String.init)
    }
}

@Suite(.timeLimit(.minutes(15))) struct ClipboardTests {
    private let text = "https://example.org/a?b=c&d=$(touch x);`e` 'f' \"g\""

    @Test("The clipboard sequence contains the text in Base64; there is no sequence for a text that is too long")
    func terminalSequence() {
        #expect(Clipboard(environment: [:]).sequence("hello") == Array("\u{1B}]52;c;aGVsbG8=\u{07}".utf8))
        #expect(Clipboard(environment: [:]).sequence("é\u{1B}") == Array("\u{1B}]52;c;w6kb\u{07}".utf8))
        let longest = String(repeating: "x", count: Clipboard.longest)
        #expect((Clipboard(environment: [:]).sequence(longest)?.count ?? 0) <= 100_000 + 8)
        #expect(Clipboard(environment: [:]).sequence(longest + "x") == nil)
    }

    @Test("The clipboard sequence is split and wrapped for GNU screen, and unchanged for tmux")
    func multiplexers() throws {
        let long = String(repeating: "gif ", count: 300)
        let plain = try #require(Clipboard(environment: [:]).sequence(long))
        #expect(Clipboard(environment: ["TMUX": "/tmp/t,1,0", "STY": "1.pts"]).sequence(long) == plain)
        let wrapped = try #require(Clipboard(environment: ["STY": "1.pts"]).sequence(long))
        let pieces = String(decoding: wrapped, as: UTF8.self).split(separator: "\u{1B}\\")
        #expect(pieces.count > 5 && pieces.allSatisfy { $0.hasPrefix("\u{1B}P") && $0.utf8.count <= 242 })
        #expect(pieces.map { $0.dropFirst(2) }.joined() == String(decoding: plain, as: UTF8.self))
    }

    @Test(
        "The text is passed to the clipboard program of the display server, or to tmux",
        arguments: [
            (["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"], "wl-copy", []),
            (["DISPLAY": ":0"], "xclip", ["-selection", "clipboard", "-in"]),
            (["WAYLAND_DISPLAY": "", "DISPLAY": ":0"], "xclip", ["-selection", "clipboard", "-in"]),
            (["TMUX": "/tmp/t,1,0"], "tmux", ["load-buffer", "-w", "-"]),
        ])
    func clipboardProgram(
        variables: [String: String], name: String, arguments: [String]
    ) async throws {
        let programs = try StandInPrograms("wl-copy", "xclip", "xsel", "tmux")
        let clipboard = Clipboard(environment: try programs.environment(variables), timeout: 60_000)
        #expect(await clipboard.copy(text).succeeded == [name])
        let log = try programs.log(name)
        #expect(log.filter { $0.hasPrefix("argument") } == arguments.map { "argument \($0)" })
        #expect(log.contains("input \(text)"))
        #expect(log.contains("streams /dev/null /dev/null") && log.contains("own session"))
        #expect(programs.folder.names().filter { $0.hasSuffix(".log") } == ["\(name).log"])
        #expect(!programs.folder.names().contains("x"))
    }

    @Test(
        "A file is copied as text/uri-list by wl-copy or xclip, but not over ssh, without a display or by xsel",
        arguments: [
            (["WAYLAND_DISPLAY": "w", "DISPLAY": ":0"], "wl-copy", ["--type", "text/uri-list"]),
            (["DISPLAY": ":0"], "xclip", ["-selection", "clipboard", "-in", "-target", "text/uri-list"]),
            (["DISPLAY": ":0", "SSH_CONNECTION": "1 2 3 4"], nil, []),
            (["WAYLAND_DISPLAY": "w", "SSH_TTY": "t"], nil, []),
            (["TMUX": "/tmp/t,1,0"], nil, []),
        ] as [([String: String], String?, [String])])
    func file(variables: [String: String], name: String?, arguments: [String]) async throws {
        let programs = try StandInPrograms("wl-copy", "xclip", "xsel", "tmux")
        let clipboard = Clipboard(environment: try programs.environment(variables), timeout: 60_000)
        let outcome = await clipboard.copyFiles(["/a b/ä%.gif"])
        guard let name else {
            let isRemote = variables.keys.contains { $0.hasPrefix("SSH") }
            #expect(outcome == (isRemote ? .isRemote : .failed))
            #expect(programs.folder.names().allSatisfy { !$0.hasSuffix(".log") })
            return
        }
        let log = try programs.log(name)
        #expect(outcome == .copied && log.filter { $0.hasPrefix("argument") } == arguments.map { "argument \($0)" })
        #expect(log.contains { $0.hasPrefix("input file:///a%20b/%C3%A4%25.gif") })
    }

    @Test("A file URL has the bytes of the path; a relative path has none")
    func fileURL() {
        #expect(Clipboard.fileURL("/a/b-c_d.~1/ü\n#?.gif") == "file:///a/b-c_d.~1/%C3%BC%0A%23%3F.gif")
        // A combining mark that begins a name, and a byte that is not UTF-8.
        #expect(Clipboard.fileURL("/a/\u{301}b.gif") == "file:///a/%CC%81b.gif")
        #expect(Clipboard.fileURL(String(path: [UInt8(ascii: "/"), 0xE9])) == "file:///%E9")
        #expect(Clipboard.fileURL("a.gif") == nil)
    }

    @Test("Missing and non-executable programs are not started")
    func missingPrograms() async throws {
        let programs = try StandInPrograms("xsel", "wl-copy")
        chmod(programs.folder.path + "/wl-copy", 0o644)
        mkdir(programs.folder.path + "/xclip", 0o755)
        let both = try programs.environment(["WAYLAND_DISPLAY": "w", "DISPLAY": ":0"])
        #expect(Clipboard(environment: both).programs.map(\.name) == ["xsel"])
        #expect(Clipboard(environment: try programs.environment([:])).programs.isEmpty)
        #expect(Clipboard(environment: ["DISPLAY": ":0", "PATH": ".:relative:"]).programs.isEmpty)
        #expect(await Clipboard(environment: ["DISPLAY": ":0"]).copy("x").succeeded.isEmpty)
    }

    @Test("A program that fails or closes its input is not reported as successful")
    func failingPrograms() async throws {
        let failing = try StandInPrograms("xclip", end: "exit 3")
        let names = await Clipboard(environment: try failing.environment(["DISPLAY": ":0"])).copy(text)
        #expect(names.succeeded.isEmpty && names.failed == ["xclip"])
        let folder = try TemporaryDirectory()
        try folder.write(Array("#!/bin/sh\nexec <&-\nexit 1\n".utf8), to: "xclip")
        chmod(folder.path + "/xclip", 0o755)
        let deaf = Clipboard(environment: ["PATH": folder.path, "DISPLAY": ":0"], timeout: 60_000)
        #expect(await deaf.copy(String(repeating: "x", count: 70_000)).succeeded.isEmpty)
        try folder.write([0x7F, 0x45], to: "xclip")
        #expect(await deaf.copy(text).failed == ["xclip"])
    }

    @Test("A finished program is not left as a zombie")
    func zombies() async throws {
        let programs = try StandInPrograms("xclip", end: "echo $$ > \"$out.log\"")
        let clipboard = Clipboard(environment: try programs.environment(["DISPLAY": ":0"]), timeout: 60_000)
        #expect(await clipboard.copy(text).succeeded == ["xclip"])
        let process = try #require(try programs.log("xclip.log").first.flatMap { Int32($0) })
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test("A program that hangs is killed with its children when the time is over, and the others still copy")
    func hangingProgram() async throws {
        let programs = try StandInPrograms("wl-copy", "tmux")
        let (pipe, tool) = (programs.folder.path + "/pipe", programs.folder.path + "/wl-copy")
        #expect(mkfifo(pipe, 0o600) == 0)
        // A child of the program waits for ever.
        try programs.folder.write(
            Array("#!/bin/sh\necho $$ > '\(pipe).id'\n(read line < '\(pipe)')\n".utf8), to: "hanging.sh")
        #expect(system("cd '\(programs.folder.path)' && install -m 755 hanging.sh wl-copy") == 0)
        let variables = ["WAYLAND_DISPLAY": "w", "TMUX": "/tmp/t,1,0"]
        let names = await Clipboard(environment: try programs.environment(variables), timeout: 3_000).copy(text)
        #expect(names.failed == ["wl-copy"], "\(tool)")
        #expect(names.succeeded == ["tmux"])
        // Only zombies are left of its group, if any.
        let process = try String(contentsOfFile: pipe + ".id", encoding: .utf8)
        let group = try #require(process.split(separator: "\n").first.flatMap { Int32($0) })
        let living = try ChildProcess("ps", ["-o", "pgid=,stat=", "-e"]).readAll()
        let lines = String(decoding: living, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
        #expect(!lines.contains { $0.first == "\(group)" && $0.last?.hasPrefix("Z") == false })
    }

    /// Uses the real tmux with its default setting `set-clipboard external`. The text becomes the newest buffer.
    @Test("tmux stores the text as a buffer", .enabled(if: access("/usr/bin/tmux", X_OK) == 0, "tmux is not installed"))
    func tmuxBuffer() async throws {
        let folder = try TemporaryDirectory()
        let socket = folder.path + "/socket"
        let server = try ChildProcess("tmux", ["-S", socket, "-f", "/dev/null", "new-session", "-d", "cat"])
        #expect(server.wait() == 0)
        let environment = ["PATH": "/usr/bin:/bin", "TMUX": "\(socket),1,0"]
        #expect(await Clipboard(environment: environment, timeout: 60_000).copy(text).succeeded == ["tmux"])
        let shown = try ChildProcess("tmux", ["-S", socket, "show-buffer"])
        #expect(String(decoding: shown.readAll(), as: UTF8.self) == text)
        _ = try ChildProcess("tmux", ["-S", socket, "kill-server"]).wait()
    }
}
