import Foundation
import Synchronization
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct EmojiSearchTests {
    @Test("An everyday word plays the emoji before other sources; the index is loaded once, and no query is sent")
    func plays() throws {
        let folder = try TemporaryFolder()
        let site = try FakeSite { request, base in
            if request.path == "/emoji/data/api.json" { return try FakeSite.fixture("emoji/search.json", base) }
            return request.path.hasPrefix("/emoji-files/1f44f/512.gif") ? try .gif("campfire") : .text("", status: 404)
        }
        let environment = site.environment(["XDG_CACHE_HOME": folder.url.path])
        let still = try runGifplay(["--size", "8x4", Binary.sample("campfire")])
        for query in ["applause", "👏", "clap"] {
            let found = try runGifplay(["--size", "8x4", query], environment: environment)
            #expect(found.status == 0 && found.output == still.output, "\(query): \(found.errors)")
        }
        let list = try runGifplay(["--list", "--json", "applause"], environment: environment)
        #expect(list.text.contains("Animated Noto Emoji by Google") && list.text.contains("CC BY 4.0"))
        let paths = site.requestLines.map { $0.split(separator: " ")[1] }
        #expect(paths.count { $0 == "/emoji/data/api.json" } == 1 && paths.count == 2, "\(paths)")
        #expect(paths.allSatisfy { $0.hasPrefix("/emoji") && !$0.contains("applause") }, "\(paths)")
    }

    @Test("A missing file of an emoji is skipped, and other words do not load the index")
    func missing() throws {
        let site = try FakeSite { request, base in
            request.path == "/emoji/data/api.json"
                ? try FakeSite.fixture("emoji/search.json", base) : .text("", status: 404)
        }
        let found = try runGifplay(["--size", "8x4", "coffee"], environment: site.environment())
        let builtIn = try runGifplay(["--size", "8x4", Binary.sample("coffee")])
        #expect(found.status == 0 && found.output == builtIn.output, "\(found.errors)")
        let before = site.requestLines.count
        _ = try runGifplay(["--size", "8x4", "dancing cat"], environment: site.environment())
        #expect(site.requestLines.dropFirst(before).allSatisfy { !$0.contains("/emoji") })
    }
}

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct OpenverseStillTests {
    private static func listing(_ count: Int, _ base: String) -> String {
        let hits = (1...count).map { number in
            """
            {"id":"o\(number)","title":"Lighthouse \(number)","url":"\(base)/\(number).gif","license":"by",
            "license_version":"4.0","width":320,"height":240}
            """
        }
        return "{\"result_count\":\(count),\"page_count\":1,\"page_size\":20,\"page\":1,"
            + "\"results\":[\(hits.joined(separator: ","))]}"
    }

    @Test("Results that turn out to be still images are skipped until an animation plays")
    func stills() throws {
        let site = try FakeSite { request, base in
            if request.path.hasPrefix("/openverse") { return .text(Self.listing(15, base)) }
            return request.path == "/15.gif" ? try .gif("campfire") : FakeSite.Reply(body: StillGIF.bytes)
        }
        let terminal = try PseudoTerminal(
            ["--source", "openverse", "lighthouse"], columns: 120, environment: site.environment())
        try terminal.read(until: "Lighthouse 15")
        try terminal.quit()
        #expect(!terminal.text.contains("gifplay: "))
    }

    /// Starts a search in a fake Openverse, and waits for a title.
    /// - Parameters:
    ///   - count: the number of results.
    ///   - serve: serves a request for a file and returns whether the connection stays open.
    private func search(
        _ count: Int, until title: String, serve: @escaping @Sendable (_ head: String, RawConnection) -> Bool
    ) throws -> PseudoTerminal {
        let server = try RawServer { connection, _ in
            while true {
                let head = connection.readHead()
                if head.contains(".gif ") {
                    guard serve(head, connection) else { return }
                } else if head.isEmpty {
                    return
                } else {
                    let host = head.components(separatedBy: "Host: ").last?.prefix { !$0.isNewline } ?? ""
                    connection.respond(Self.listing(count, "http://\(host)").utf8)
                }
            }
        }
        let environment = ["GIFPLAY_OFFLINE": "0", "GIFPLAY_ENDPOINT_OPENVERSE": server.base]
        return try PseudoTerminal(
            ["--source", "openverse", "lighthouse"], columns: 120, environment: environment, until: title)
    }

    @Test("The download of a large still image is cancelled before it is complete")
    func largeStill() throws {
        let whole = 16 << 20
        let sent = Mutex(0)
        let still = StillGIF.bytes.dropLast()
        let piece = [0x21, 0xFE, 0xFF] + [UInt8](repeating: 1, count: 255) + [0]
        let gif = try Binary.bytes("campfire")
        let terminal = try search(2, until: "Lighthouse 2") { head, connection in
            guard head.hasPrefix("GET /1.gif") else {
                connection.respond(gif)
                return true
            }
            connection.respond(still, length: whole)
            var count = still.count
            while count < whole, connection.send(piece) { count += piece.count }
            sent.withLock { $0 = count }
            return false
        }
        try terminal.quit()
        // The server counts all bytes that it sent, including buffered bytes that gifplay never read.
        let count = sent.withLock { $0 }
        #expect(count < whole, "\(count) bytes")
    }

    @Test("An animation plays before its download is complete")
    func plays() throws {
        let gate = Gate()
        let gif = try Binary.bytes("campfire")
        let terminal = try search(1, until: "Lighthouse 1") { _, connection in
            connection.respond(gif.prefix(gif.count / 2), length: gif.count)
            gate.wait()
            return false
        }
        try terminal.quit()
        gate.open()
    }
}
