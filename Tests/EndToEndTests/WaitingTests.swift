import Foundation
import TestServer
import Testing

/// Tests what gifplay does while a server is silent, with the real program on a pseudo-terminal.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct WaitingTests {
    /// Answers requests for `N.gif` with the coloured GIF N, sends half of `half.gif`, and is silent otherwise.
    private func server() throws -> RawServer {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Binary.sample("campfire"))))
        return try RawServer { connection, _ in
            let path = connection.readHead().split(separator: " ").dropFirst().first ?? ""
            if let number = path.dropFirst().first?.wholeNumberValue {
                let bytes = ColoredGIF.bytes(UInt8(number))
                connection.send(RawServer.response(200, headers: "Connection: close\r\n", body: bytes))
            } else if path.hasPrefix("/half") {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
                connection.send(Array(bytes.prefix(bytes.count / 2)))
            }
            connection.waitForHangUp()
        }
    }

    private func start(
        _ options: [String], _ names: [String], at server: RawServer, language: String = "C.UTF-8"
    ) throws -> PseudoTerminal {
        try PseudoTerminal(
            options + names.map { "\(server.base)/\($0).gif" },
            environment: ["GIFPLAY_OFFLINE": "0", "LC_ALL": language])
    }

    @Test("A wait names the item and its host; '?' shows the keys, 'n' and 'p' pass the item, and 'q' quits")
    func keys() throws {
        let server = try server()
        let terminal = try start([], ["slow", "1", "silent", "2"], at: server)
        try terminal.read(until: "loading slow.gif…")
        try terminal.read(until: "slow.gif: waiting for 127.0.0.1…")
        terminal.send("?")
        try terminal.read(until: "n p next, previous GIF · r random GIF · Esc q quit")
        terminal.send("p")
        try terminal.read(until: "first GIF")
        terminal.send("x")
        try terminal.read(until: "x: no command")
        terminal.send("n")
        try terminal.read(until: ColoredGIF.sequences[1])
        terminal.send("n")
        try terminal.read(until: "silent.gif: waiting for 127.0.0.1…")
        let count = terminal.count(of: ColoredGIF.sequences[1])
        terminal.send("p")
        try terminal.read("the GIF before it") { $0.count(of: ColoredGIF.sequences[1]) > count }
        let waits = terminal.count(of: "silent.gif: waiting")
        terminal.send("n")
        try terminal.read("the next wait") { $0.count(of: "silent.gif: waiting") > waits }
        terminal.send("n")
        try terminal.read(until: ColoredGIF.sequences[2])
        terminal.send("q")
        #expect(try terminal.finish() == 0)
    }

    @Test("In German, a wait has German texts; of a single URL, 'n' says that there is no other GIF")
    func german() throws {
        let terminal = try start([], ["slow"], at: server(), language: "de_DE.UTF-8")
        try terminal.read(until: "lädt slow.gif …")
        try terminal.read(until: "slow.gif: wartet auf 127.0.0.1 …")
        terminal.send("?")
        try terminal.read(until: "n p nächstes, voriges GIF")
        terminal.send("n")
        try terminal.read(until: "kein anderes GIF · r: zufälliges GIF")
        terminal.send("q")
        #expect(try terminal.finish() == 0)
    }

    @Test("A server that accepts a request and is silent is asked once, and the message states the whole wait")
    func silence() throws {
        let server = try server()
        let terminal = try start([], ["slow"], at: server)
        #expect(try terminal.finish() == 1)
        #expect(terminal.text.contains("slow.gif: 127.0.0.1 timed out after 10."), "\(terminal.text.suffix(200))")
        #expect(server.requests.count == 1)
    }

    @Test("With '--every', a silent file and one that stalls in its middle make room for the next one")
    func every() throws {
        let server = try server()
        let silent = try start(["--every", "1s"], ["slow", "1"], at: server)
        try silent.read(until: ColoredGIF.sequences[1])
        silent.send("q")
        #expect(try silent.finish() == 1)
        #expect(silent.text.contains("slow.gif: not loaded within 1.0 s"), "\(silent.text.suffix(200))")
        let stalled = try start(["--every", "1s"], ["half", "2"], at: server)
        try stalled.read(until: "half.gif")
        try stalled.read(until: ColoredGIF.sequences[2])
        stalled.send("q")
        #expect(try stalled.finish() == 1)
        #expect(stalled.text.contains("half.gif: the download stalled after "), "\(stalled.text.suffix(300))")
    }

    @Test("A followed folder that is made again is said to be waited for, also after Ctrl-R")
    func follow() throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("pics").path
        func make() throws { try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true) }
        try make()
        try Data(ColoredGIF.bytes(1)).write(to: URL(fileURLWithPath: place + "/a.gif"))
        let terminal = try PseudoTerminal(["--follow", place], columns: 160)
        try terminal.read(until: ColoredGIF.sequences[1])
        try FileManager.default.removeItem(atPath: place)
        try terminal.read(until: "pics: was removed; waiting for a new one")
        try make()
        try terminal.read(until: "waiting for a GIF in \(place)…")
        let count = terminal.count(of: "waiting for a GIF in \(place)…")
        terminal.send("\u{12}")
        try terminal.read("the wait") { $0.count(of: "waiting for a GIF in \(place)…") > count }
        #expect(!terminal.text.contains("loading"))
        try Data(ColoredGIF.bytes(2)).write(to: URL(fileURLWithPath: place + "/b.gif"))
        try terminal.read(until: ColoredGIF.sequences[2])
        terminal.send("q")
        _ = try terminal.finish()
    }
}
