import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct LyingServerTests {
    private let folder: TemporaryFolder
    private let bytes: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        bytes = try Binary.bytes("campfire")
    }

    private var environment: [String: String] { ["GIFPLAY_OFFLINE": "0", "XDG_CACHE_HOME": folder.url.path] }

    private func play(_ address: String, _ additions: [String: String] = [:]) throws -> ProgramResult {
        try runGifplay(
            ["--animate", "--size", "20x8", address], environment: environment.merging(additions) { $1 })
    }

    private func record(_ address: String) throws -> ProgramResult {
        let file = folder.url.appendingPathComponent("\(UUID().uuidString).cast").path
        return try runGifplay(
            ["record", "--format", "cast", "--size", "20x8", address, "-o", file], environment: environment)
    }

    @Test(
        "A resumed download with an extreme number ends neither the player nor 'record' with a trap",
        arguments: [
            "Content-Range: bytes %-99/*\r\nContent-Length: 9223372036854775807",
            "Content-Range: bytes %-9223372036854775807/9223372036854775807",
            "Content-Range: bytes -9223372036854775808-1/*\r\nContent-Length: 9223372036854775807",
            "Content-Range: bytes %-99/18446744073709551616\r\nContent-Length: 1e308",
        ])
    func extremeNumbers(head: String) throws {
        let (bytes, half) = (bytes, bytes.count / 2)
        func server() throws -> RawServer {
            try RawServer { connection, number in
                connection.readHead()
                if number == 0 {
                    let ranges = "Accept-Ranges: bytes\r\nETag: \"a\"\r\n"
                    connection.respond(bytes[..<half], headers: ranges, length: bytes.count)
                    return connection.reset()
                }
                let head = head.replacing("%", with: "\(half)")
                connection.send("HTTP/1.1 206 Rest\r\n\(head)\r\n\r\n")
                connection.send(Array(bytes[half...]))
            }
        }
        let played = try play(try server().base + "/a.gif")
        #expect([0, 1].contains(played.status) && !played.output.isEmpty, "\(played.errors)")
        let recorded = try record(try server().base + "/a.gif")
        // The rest completes the GIF, whatever its range says.
        let isRecorded = recorded.status == 0 && recorded.errors.isEmpty
        #expect(isRecorded || recorded.status == 1 && recorded.errors.hasPrefix("gifplay: "), "\(recorded)")
    }

    @Test(
        "A GIF is played, recorded and cached at its trailer, whatever the transport announces",
        arguments: ["", "Content-Length: %\r\n", "Transfer-Encoding: chunked\r\n"])
    func trailer(header: String) throws {
        let bytes = bytes
        let server = try RawServer { connection, _ in
            connection.readHead()
            let length = header.replacing("%", with: "\(bytes.count + 1_000)")
            connection.send("HTTP/1.1 200 OK\r\n\(length)\r\n")
            if header.hasPrefix("Transfer") { connection.send(String(bytes.count, radix: 16) + "\r\n") }
            connection.send(bytes)
            connection.waitForHangUp()
        }
        let expected = try runGifplay(["--animate", "--size", "20x8", Binary.sample("campfire")])
        let recorded = try record(server.base + "/a.gif")
        #expect(recorded.status == 0 && recorded.errors.isEmpty, "\(recorded.errors)")
        let played = try play(server.base + "/b.gif")
        #expect(played.status == 0 && played.output == expected.output, "\(played.errors)")
        #expect(played.errors == expected.errors)
        #expect(server.requests.count == 2)
        let cached = try play(server.base + "/b.gif", ["GIFPLAY_OFFLINE": "1"])
        #expect(cached.status == 0 && cached.output == expected.output, "\(cached.errors)")
    }

    @Test("An endless header and a URL with a password are named without 'memory' and without the password")
    func endlessHeader() throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nX-A: ")
            while connection.send([UInt8](repeating: 65, count: 10_000)) {}
        }
        let outcome = try play("http://me:hush@127.0.0.1:\(server.port)/a.gif")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("127.0.0.1 sent an overlong response header, which is refused"))
        #expect(!outcome.errors.contains("memory") && !outcome.errors.contains("hush"))
    }
}
