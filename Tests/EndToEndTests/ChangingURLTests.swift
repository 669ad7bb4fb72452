import Foundation
import Synchronization
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(5))) struct ChangingURLTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A server of one GIF, whose number is its entity tag. Number 0 is no GIF.
    private func server(_ number: Mutable, _ rule: String) async throws -> LoopbackServer {
        try await LoopbackServer { request, _ in
            let present = number.value
            guard present > 0 else { return .init(text: "<html>maintenance</html>") }
            let headers = ["ETag": "\"\(present)\"", "Cache-Control": rule]
            if request.headers["if-none-match"] == "\"\(present)\"" { return .init(304, headers: headers) }
            return .init(headers: headers, body: ColoredGIF.bytes(present))
        }
    }

    private func environment(_ additions: [String: String] = [:]) -> [String: String] {
        ["GIFPLAY_OFFLINE": "0", "XDG_CACHE_HOME": folder.url.path].merging(additions) { $1 }
    }

    private func start(_ arguments: [String], _ additions: [String: String] = [:]) throws -> PseudoTerminal {
        try PseudoTerminal(arguments, columns: 70, rows: 12, environment: environment(additions))
    }

    @Test("A second run asks with the entity tag; --reload and Ctrl-R ask for a fresh GIF; offline it says its age")
    func runs() async throws {
        let number = Mutable(1)
        let server = try await server(number, "max-age=3600")
        let url = server.base + "/radar.gif"
        // With --animate, the program ends when the GIF is stored.
        _ = try runGifplay([url, "--animate"], environment: environment())
        for arguments in [[url], [url, "--reload"]] {
            let terminal = try start(arguments)
            try terminal.read(color: 1)
            try terminal.quit()
        }
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"1\""])
        let terminal = try start([url])
        try terminal.read(color: 1)
        number.value = 2
        try terminal.send("\u{12}", until: ColoredGIF.sequences[2])
        #expect(server.requests.count == 3)
        try terminal.quit()
        _ = try runGifplay([url, "--animate", "--reload"], environment: environment())
        for (language, text) in [("C.UTF-8", "stored just now"), ("de_DE.UTF-8", "gerade eben gespeichert")] {
            let offline = try start([url, "--offline"], ["LANG": language])
            try offline.read(color: 2)
            try offline.read(until: text)
            try offline.quit()
        }
        #expect(server.requests.count == 4)
    }

    @Test("In a pipe, a failed request prints the stored GIF, and its age on standard error")
    func pipe() async throws {
        let number = Mutable(1)
        let server = try await server(number, "no-cache")
        let url = server.base + "/status.gif"
        let first = try runGifplay([url, "--animate"], environment: environment())
        #expect(first.status == 0 && !first.errors.contains("stored"))
        number.value = 0
        let second = try runGifplay([url, "--animate"], environment: environment())
        #expect(second.status == 0 && second.output == first.output)
        #expect(second.errors.contains("stored just now · not a GIF"), "\(second.errors)")
        #expect(server.requests.count == 2)
    }

    @Test("A followed URL replaces its picture when it has changed, and keeps it if the answer is no GIF")
    func follow() async throws {
        let number = Mutable(1)
        let server = try await server(number, "max-age=3600")
        let terminal = try start(["--follow", server.base + "/radar.gif", "--every", "5s"])
        try terminal.read(color: 1)
        let waits = terminal.count(of: "loading")
        number.value = 0
        try terminal.read(until: "not a GIF")
        number.value = 2
        try terminal.read(color: 2)
        #expect(terminal.count(of: "loading") == waits)
        try terminal.quit()
        let refused = try runGifplay(["--follow", server.base, "--every", "4s"], environment: environment())
        #expect(refused.status == 2 && refused.errors.contains("at least 5s"))
    }

    @Test("A followed URL without a server, and one that sends nothing, name the host; so does a URL that is played")
    func silentServer() throws {
        let dead = try RawServer(listens: false) { _, _ in }
        let refused = try start(["--follow", dead.base + "/radar.gif"])
        try refused.read(until: "no answer from 127.0.0.1")
        #expect(!refused.text.contains("onnect"))
        try refused.quit(status: 1)
        let silent = try RawServer { connection, _ in
            connection.readHead()
            connection.waitForHangUp()
        }
        for option in [["--follow"], []] {
            let terminal = try start(option + [silent.base + "/radar.gif"])
            try terminal.read(until: "waiting for 127.0.0.1…")
            try terminal.quit()
        }
    }

    @Test("'--every' in the configuration is the interval of a followed URL; less than 5 s counts as 5 s")
    func configuredInterval() async throws {
        let number = Mutable(1)
        let server = try await server(number, "max-age=3600")
        let terminal = try start(["--follow", server.base + "/radar.gif"], try folder.configure("--every 1s\n"))
        try terminal.read(color: 1)
        number.value = 2
        try terminal.read(color: 2)
        try terminal.quit()
    }

    @Test("A small GIF whose still is printed, or which is quit at once, is stored")
    func quickEnd() async throws {
        let server = try await server(Mutable(1), "max-age=3600")
        for name in ["still", "played"] {
            let url = server.base + "/\(name).gif"
            for _ in 0..<2 {
                if name == "still" {
                    _ = try runGifplay([url], environment: environment())
                } else {
                    let terminal = try start([url])
                    try terminal.read(color: 1)
                    try terminal.quit()
                }
            }
            #expect(server.requests.count { $0.path == "/\(name).gif" } == 1, "\(name)")
        }
    }

    @Test(
        "A wait that a server asks for is named once on standard error",
        arguments: ["info", "--list", "", "record -o -"])
    func namedWait(command: String) async throws {
        let server = try await LoopbackServer { _, number in
            number == 0 ? .init(429, headers: ["Retry-After": "3"]) : .init(body: ColoredGIF.bytes(1))
        }
        let words = command.split(separator: " ").map(String.init)
        let outcome = try runGifplay(words + [server.base + "/a.gif"], environment: environment())
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.components(separatedBy: "next attempt in").count == 2, "\(outcome.errors)")
    }

    /// A number that the test changes while the server runs.
    private final class Mutable: Sendable {
        private let stored: Mutex<UInt8>
        var value: UInt8 {
            get { stored.withLock { $0 } }
            set { stored.withLock { $0 = newValue } }
        }

        init(_ value: UInt8) { stored = Mutex(value) }
    }
}
