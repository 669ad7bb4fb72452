import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(5))) struct WaitingTests: FollowSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Answers requests for `N.gif` with the coloured GIF N, sends half of `half.gif`, and is silent otherwise.
    private func server() throws -> RawServer {
        let bytes = try Binary.bytes("campfire")
        return try RawServer { connection, _ in
            let path = connection.readHead().split(separator: " ").dropFirst().first ?? ""
            if let number = path.dropFirst().first?.wholeNumberValue {
                connection.respond(ColoredGIF.bytes(UInt8(number)), headers: "Connection: close\r\n")
            } else if path.hasPrefix("/half") {
                connection.respond(bytes.prefix(bytes.count / 2), length: bytes.count)
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
        try terminal.send("?", until: "n p next, previous GIF · r random GIF · Esc q quit")
        try terminal.send("p", until: "first GIF")
        try terminal.send("x", until: "x: no command")
        try terminal.send("n", until: ColoredGIF.sequences[1])
        try terminal.send("n", until: "silent.gif: waiting for 127.0.0.1…")
        try terminal.read(newColor: 1) { terminal.send("p") }
        let waits = terminal.count(of: "silent.gif: waiting")
        terminal.send("n")
        try terminal.read("the next wait") { $0.count(of: "silent.gif: waiting") > waits }
        try terminal.send("n", until: ColoredGIF.sequences[2])
        try terminal.quit()
    }

    @Test("In German, a wait has German texts; of a single URL, 'n' says that there is no other GIF")
    func german() throws {
        let terminal = try start([], ["slow"], at: server(), language: "de_DE.UTF-8")
        try terminal.read(until: "lädt slow.gif …")
        try terminal.read(until: "slow.gif: wartet auf 127.0.0.1 …")
        try terminal.send("?", until: "2mr zufälliges GIF · Esc q beenden · / Suche eingeben\u{1B}")
        for key in [" ", "s", "f", "d", "u"] {
            let count = terminal.count(of: "noch nicht geladen · ?: Tasten")
            terminal.send(key)
            try terminal.read("an answer") { $0.count(of: "noch nicht geladen · ?: Tasten") > count }
        }
        try terminal.send("n", until: "kein anderes GIF · r: zufälliges GIF")
        try terminal.quit()
    }

    @Test("The gallery says why the GIF of a link does not arrive, and shows no former tiles meanwhile")
    func gallery() throws {
        let terminal = try PseudoTerminal(
            ["browse", "--source", "samples"], environment: ["GIFPLAY_OFFLINE": "0"], until: "Dancing cat")
        let server = try server()
        for (name, text) in [("slow", "127.0.0.1…"), ("half", "data…")] {
            terminal.send("\u{1B}[200~\(server.base)/\(name).gif\u{1B}[201~\r")
            try terminal.read(until: text)
        }
        try terminal.quit("\u{3}", status: 130)
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
        try silent.read(color: 1)
        try silent.quit(status: 1)
        #expect(silent.text.contains("slow.gif: not loaded within 1.0 s"), "\(silent.text.suffix(200))")
        let stalled = try start(["--every", "1s"], ["half", "2"], at: server)
        try stalled.read(until: "half.gif")
        try stalled.read(color: 2)
        try stalled.quit(status: 1)
        #expect(stalled.text.contains("half.gif: the download stalled after "), "\(stalled.text.suffix(300))")
    }

    @Test("A followed folder that is made again is said to be waited for, also after Ctrl-R")
    func follow() throws {
        let place = try folder.makeFolder("pics")
        try writeGIF(1, to: "pics/a.gif")
        let terminal = try follow(place, columns: 160, color: 1)
        try FileManager.default.removeItem(atPath: place)
        try terminal.read(until: "pics: was removed; waiting for a new one")
        try folder.makeFolder("pics")
        let wait = "waiting for a GIF in \(place)…"
        try terminal.read(until: wait)
        let count = terminal.count(of: wait)
        terminal.send("\u{12}")
        try terminal.read("the wait") { $0.count(of: wait) > count }
        #expect(!terminal.text.contains("loading"))
        try writeGIF(2, to: "pics/b.gif")
        try terminal.read(color: 2)
        try terminal.quit()
    }
}
