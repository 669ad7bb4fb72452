import Foundation
import Synchronization
import TestServer
import Testing

/// Tests Openverse, whose results do not state whether a GIF is animated.
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

    @Test("The download of a large still image is cancelled before it is complete")
    func largeStill() throws {
        let whole = 16 << 20
        let sent = Mutex(0)
        let still = Array(StillGIF.bytes.dropLast())
        let piece = [0x21, 0xFE, 0xFF] + [UInt8](repeating: 1, count: 255) + [0]
        let gif = try FakeSite.Reply.gif("campfire").body
        let server = try RawServer { connection, _ in
            while true {
                let head = connection.readHead()
                guard !head.isEmpty else { return }
                guard head.hasPrefix("GET /1.gif") else {
                    let base = "http://\(head.components(separatedBy: "Host: ").last?.prefix { !$0.isNewline } ?? "")"
                    let body = head.hasPrefix("GET /2.gif") ? gif : Array(Self.listing(2, base).utf8)
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
                    connection.send(body)
                    continue
                }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(whole)\r\n\r\n")
                var count = still.count
                connection.send(still)
                while count < whole, connection.send(piece) { count += piece.count }
                sent.withLock { $0 = count }
                return
            }
        }
        let environment = ["GIFPLAY_OFFLINE": "0", "GIFPLAY_ENDPOINT_OPENVERSE": server.base]
        let terminal = try PseudoTerminal(
            ["--source", "openverse", "lighthouse"], columns: 120, environment: environment, until: "Lighthouse 2")
        try terminal.quit()
        // The server counts all bytes that it sent, including buffered bytes that gifplay never read.
        let count = sent.withLock { $0 }
        #expect(count < whole, "\(count) bytes")
    }

    @Test("An animation plays before its download is complete")
    func plays() throws {
        let gate = Gate()
        let gif = try FakeSite.Reply.gif("campfire").body
        let server = try RawServer { connection, _ in
            while true {
                let head = connection.readHead()
                guard !head.isEmpty else { return }
                guard head.contains(".gif ") else {
                    let base = "http://\(head.components(separatedBy: "Host: ").last?.prefix { !$0.isNewline } ?? "")"
                    let body = Array(Self.listing(1, base).utf8)
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
                    connection.send(body)
                    continue
                }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(gif.count)\r\n\r\n")
                connection.send(Array(gif.prefix(gif.count / 2)))
                gate.wait()
                return
            }
        }
        let environment = ["GIFPLAY_OFFLINE": "0", "GIFPLAY_ENDPOINT_OPENVERSE": server.base]
        let terminal = try PseudoTerminal(
            ["--source", "openverse", "lighthouse"], columns: 120, environment: environment, until: "Lighthouse 1")
        try terminal.quit()
        gate.open()
    }
}
