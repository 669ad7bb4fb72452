import Base
import TestServer
import Testing

@testable import Library

@Suite(.timeLimit(.minutes(15))) struct LinkOpenerTests {
    private let link = "https://example.org/a%20b?c=d&e='$(touch%20x)'"

    private func open(_ link: String, _ environment: [String: String]) async throws(Failure) {
        try await LinkOpener(environment: environment).open(link)
    }

    @Test("A link is passed to xdg-open as one argument", arguments: ["DISPLAY", "WAYLAND_DISPLAY"])
    func singleArgument(variable: String) async throws {
        let programs = try StandInPrograms("xdg-open")
        let environment = try programs.environment([variable: ":0"])
        try await open(link, environment)
        let log = try programs.log("xdg-open")
        #expect(log.filter { $0.hasPrefix("argument") } == ["argument \(link)"])
        #expect(log.contains("input "))
        #expect(log.contains("streams /dev/null /dev/null") && log.contains("own session"))
        #expect(!programs.folder.names().contains("x"))
    }

    @Test(
        "A text that is not a web URL is not opened",
        arguments: [
            "", "file:///etc/passwd", "javascript:alert(1)", "--help", "-x https://example.org", "ftp://example.org/",
            "example.org", "sample:dancing-cat", "https:", "https://", "http://user:password@example.org/",
            "https://example.org/\u{1B}[2J", " https://example.org/", "/etc/passwd",
        ])
    func invalidURLs(text: String) async throws {
        let programs = try StandInPrograms("xdg-open")
        let environment = try programs.environment(["DISPLAY": ":0"])
        await #expect(throws: Failure.notWebAddress) { try await open(text, environment) }
        #expect(programs.folder.names().filter { $0.hasSuffix(".log") }.isEmpty)
    }

    @Test("A folder is passed to xdg-open as one argument, and is not opened without a display")
    func folder() async throws {
        let programs = try StandInPrograms("xdg-open")
        let path = "/tmp/a folder;$(touch x)"
        try await LinkOpener(environment: programs.environment(["DISPLAY": ":0"])).open(path, isFolder: true)
        let log = try programs.log("xdg-open")
        #expect(log.filter { $0.hasPrefix("argument") } == ["argument \(path)"])
        let far = LinkOpener(environment: try programs.environment([:]))
        await #expect(throws: Failure.noDisplay(link: nil)) { try await far.open(path, isFolder: true) }
        await #expect(throws: Failure.notWebAddress) { try await far.open("--help", isFolder: true) }
    }

    @Test(
        "BROWSER goes first, also without a display: of its commands, the first one that works opens the link",
        arguments: [
            ("firefox", ["firefox"], ["LINK"]), ("firefox -t %s -q", ["firefox"], ["-t", "LINK", "-q"]),
            ("missing:firefox", ["firefox"], ["LINK"]), ("firefox:w3m", ["firefox"], ["LINK"]),
            ("failing %s:w3m url=%s", ["failing", "w3m"], ["url=LINK"]), (":firefox:", ["firefox"], ["LINK"]),
            ("FOLDER/firefox -x", ["firefox"], ["-x", "LINK"]),
        ] as [(String, [String], [String])], [[:], ["DISPLAY": ":0"]] as [[String: String]])
    func browser(
        command: (value: String, started: [String], arguments: [String]), display: [String: String]
    ) async throws {
        let programs = try StandInPrograms("xdg-open", "firefox", "w3m")
        let failing = try StandInPrograms("failing", end: "exit 1")
        var environment = try programs.environment(display)
        environment["BROWSER"] = command.value.replacing("FOLDER", with: programs.folder.path)
        environment["PATH"]? += ":" + failing.folder.path
        try await open(link, environment)
        let names = (programs.folder.names() + failing.folder.names()).filter { $0.hasSuffix(".log") }
        #expect(Set(names) == Set(command.started.map { $0 + ".log" }))
        let log = try programs.log(command.started.last ?? "")
        let expected = command.arguments.map { "argument \($0.replacing("LINK", with: link))" }
        #expect(log.filter { $0.hasPrefix("argument") } == expected)
    }

    @Test("If no command of BROWSER is installed, the error names them; a folder is opened with xdg-open")
    func missingBrowser() async throws {
        let programs = try StandInPrograms("xdg-open")
        var environment = try programs.environment(["DISPLAY": ":0", "BROWSER": "one -x:two"])
        await #expect(throws: Failure.noProgram(tried: ["one", "two"], link: link)) {
            try await open(link, environment)
        }
        try await LinkOpener(environment: environment).open("/tmp", isFolder: true)
        #expect(try programs.log("xdg-open").contains("argument /tmp"))
        for blank in ["", ":", " "] {
            environment["BROWSER"] = blank
            try await open(link, environment)
        }
    }

    @Test("Without a display, no program is started, and the error contains the link")
    func noDisplay() async throws {
        let programs = try StandInPrograms("xdg-open")
        let far = try programs.environment(["SSH_CONNECTION": "1 2 3 4", "DISPLAY": ""])
        await #expect(throws: Failure.noDisplay(link: link)) { try await open(link, far) }
        #expect(programs.folder.names().filter { $0.hasSuffix(".log") }.isEmpty)
    }

    @Test("If xdg-open is missing, the error contains the link")
    func missingProgram() async throws {
        let programs = try StandInPrograms("xclip")
        let environment = try programs.environment(["DISPLAY": ":0"])
        await #expect(throws: Failure.noProgram(tried: ["xdg-open"], link: link)) {
            try await open(link, environment)
        }
    }

    @Test(
        "If xdg-open fails, the error contains its exit status",
        arguments: [("exit 4", 4), ("kill -KILL $$", 137)] as [(String, Int32)])
    func exitStatus(end: String, status: Int32) async throws {
        let programs = try StandInPrograms("xdg-open", end: end)
        let environment = try programs.environment(["DISPLAY": ":0"])
        await #expect(throws: Failure.programFailed(program: "xdg-open", status: status)) {
            try await open(link, environment)
        }
    }

    @Test("Cancellation of the task does not end xdg-open")
    func cancellation() async throws {
        let gate = try TemporaryDirectory()
        let programs = try StandInPrograms("xdg-open", end: "read line < \(gate.path)/pipe")
        #expect(try ChildProcess("mkfifo", [gate.path + "/pipe"]).wait() == 0)
        let environment = try programs.environment(["DISPLAY": ":0"])
        let task = Task { [link] () async -> Failure? in
            do throws(Failure) {
                try await open(link, environment)
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        // The fake xdg-open ends when it has read this line. If cancellation killed it, the call would fail.
        try gate.write(Array("go\n".utf8), to: "pipe")
        #expect(await task.value == nil)
    }
}
