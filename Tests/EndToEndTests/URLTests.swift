import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct URLTests {
    private static let firstCell = "\u{1B}[38;2;"
    private let online = ["GIFPLAY_OFFLINE": "0"]

    @Test("A GIF plays during its download; a stall is reported, and playback continues when data arrives")
    func playsDuringDownload() throws {
        let gate = Gate()
        let server = try RawServer(stalling: Binary.bytes("campfire"), until: gate)
        let terminal = try PseudoTerminal(["\(server.base)/some/fire.gif?key=hidden"], environment: online)
        try terminal.read(until: Self.firstCell)
        try terminal.read(until: "fire.gif")
        try terminal.read(until: "waiting for data… ")
        gate.open()
        // When the download is complete, the host name replaces the waiting message on the status line.
        try terminal.read("the end of the download") { $0.text.contains("· 127.0.0.1") && $0.text.contains("0:02") }
        try terminal.quit()
        #expect(!terminal.text.contains("hidden"))
    }

    @Test("Before the first frame, the status line shows the download progress, and the key 'q' quits")
    func showsDownloadProgress() throws {
        let bytes = try Binary.bytes("campfire")
        let gate = Gate()
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.respond(bytes.prefix(40), length: bytes.count)
            gate.wait()
        }
        let terminal = try PseudoTerminal(["\(server.base)/fire.gif"], environment: online, until: "40 B of ")
        try terminal.quit()
        #expect(!terminal.text.contains(Self.firstCell))
        #expect(terminal.text.hasSuffix("\u{1B}[?1049l"))
        gate.open()
    }

    @Test("If a download is interrupted, the received frames play and the failure is reported at the exit")
    func interruptedDownload() throws {
        let bytes = try Binary.bytes("campfire")
        let server = try RawServer { connection, number in
            connection.readHead()
            guard number == 0 else { return connection.respond([], status: 404) }
            connection.respond(bytes.prefix(bytes.count / 2), length: bytes.count)
            connection.reset()
        }
        let terminal = try PseudoTerminal(["\(server.base)/fire.gif"], environment: online, until: Self.firstCell)
        try terminal.read(until: "the download failed")
        try terminal.quit(status: 1)
        #expect(
            terminal.text.contains("/fire.gif: 127.0.0.1 answered 404, not found; what arrived before that was played"))
    }

    @Test(
        "An error status or a response that is not a GIF is reported with the reason",
        arguments: [
            (401, "", "answered 401, not authorized"), (403, "", "answered 403, forbidden"),
            (404, "", "answered 404, not found"), (414, "", "answered 414, the URL is too long"),
            (200, "", "sent no data"), (200, "<!DOCTYPE html><p>", "this page shows no GIF (looked at og:image"),
            (200, "{\"error\":\"no\"}", "not a GIF (JSON from "), (200, "RIFF0000WEBPVP8 ", "(WebP image from "),
        ])
    func errorMessages(status: Int, body: String, message: String) throws {
        let site = try FakeSite { _, _ in .text(body, status: status) }
        let outcome = try runGifplay(["\(site.base)/a.gif?api_key=hidden"], environment: online)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!outcome.errors.contains("hidden"))
    }

    @Test("If the server asks for a wait, the status line and the error say when the next attempt comes")
    func tooManyRequests() throws {
        let site = try FakeSite { request, _ in
            let seconds = request.path == "/long.gif" ? 7_200 : 50
            return .text("", status: 429, headers: "Retry-After: \(seconds)\r\n")
        }
        let terminal = try PseudoTerminal(["\(site.base)/a.gif"], environment: online)
        try terminal.read(until: "too many requests; next attempt in 4")
        try terminal.quit()
        let long = try runGifplay(["\(site.base)/long.gif"], environment: online)
        #expect(long.status == 1 && long.errors.hasSuffix("too many requests; retry after 7200 s\n"), "\(long.errors)")
    }

    @Test("Unreachable hosts and unusable redirects are reported")
    func unreachable() throws {
        let refused = try runGifplay(["http://127.0.0.1:\(try closedPort())/a.gif"], environment: online)
        #expect(refused.status == 1 && refused.errors.contains("127.0.0.1 cannot be reached"), "\(refused.errors)")
        try expectError(["http://nobody.invalid/a.gif"], "nobody.invalid cannot be reached", environment: online)
        let site = try FakeSite { _, _ in .text("", status: 302, headers: "Location: file:///etc/passwd\r\n") }
        try expectError(["\(site.base)/a.gif"], "sent a redirect", environment: online)
        let loop = try FakeSite { request, _ in .text("", status: 302, headers: "Location: \(request.path)\r\n") }
        try expectError(["\(loop.base)/a.gif"], "sent more than 20 redirects", environment: online)
    }

    @Test(
        "If standard output is not a terminal, download progress is printed on standard error",
        arguments: ["--animate --size 9x5", "record --output -"])
    func progress(command: String) throws {
        let gate = Gate()
        let server = try RawServer(stalling: Binary.bytes("campfire"), until: gate)
        let command = "'\(Binary.path)' \(command) '\(server.base)/fire.gif' > /dev/null"
        let terminal = try PseudoTerminal(["-c", command], environment: online, path: "/bin/sh")
        try terminal.read(until: "gifplay: waiting for data… ")
        gate.open()
        #expect(try terminal.finish() == 0)
        // The last progress is removed.
        let text = terminal.text
        #expect(text.hasSuffix("\r\u{1B}[K") && !text.contains("kB/s\r\n"), "\(text.debugDescription)")
        #expect(!text.replacingOccurrences(of: "\u{1B}[K", with: "").contains("\u{1B}"))
    }

    @Test("The key 'n' plays the next URL if the current download stalls")
    func skipsStalledDownload() throws {
        let gate = Gate()
        let server = try RawServer(stalling: Binary.bytes("campfire"), until: gate)
        let site = try FakeSite { _, _ in try .gif("aquarium") }
        let terminal = try PseudoTerminal(["\(server.base)/fire.gif", "\(site.base)/fish.gif"], environment: online)
        try terminal.read(until: "fire.gif")
        try terminal.send("n", until: "fish.gif")
        try terminal.quit()
        gate.open()
    }

    @Test("URLs and files play in the order of the arguments, and a failed URL does not stop the others")
    func amongFiles() throws {
        let site = try FakeSite { request, _ in
            request.path == "/good.gif" ? try .gif("campfire") : .text("", status: 404)
        }
        let arguments = ["\(site.base)/bad.gif", Binary.sample("aquarium"), "\(site.base)/good.gif"]
        let outcome = try runGifplay(["--size", "10x5"] + arguments, environment: online)
        #expect(outcome.status == 1)
        let stills = try ["aquarium", "campfire"].map {
            try runGifplay(["--size", "10x5", Binary.sample($0)]).text
        }
        #expect(outcome.text == stills.joined())
        #expect(outcome.errors == "gifplay: \(site.base)/bad.gif: 127.0.0.1 answered 404, not found\n")
    }
}
