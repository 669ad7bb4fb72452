import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct NetworkFaultTests {
    private static let firstCell = "\u{1B}[38;2;"
    private let online = ["GIFPLAY_OFFLINE": "0"]

    /// Plays the campfire sample from a file and returns the output.
    private func expectedOutput() throws -> [UInt8] {
        try runGifplay(["--animate", "--size", "20x8", Binary.sample("campfire")]).output
    }

    @Test(
        "After a connection reset, the download resumes if the server supports ranges, and restarts otherwise",
        arguments: [true, false])
    func reset(givesRanges: Bool) throws {
        let bytes = try Binary.bytes("campfire")
        let half = bytes.count / 2
        let server = try RawServer { connection, number in
            let head = connection.readHead()
            let ranges = givesRanges ? "Accept-Ranges: bytes\r\nETag: \"a\"\r\n" : ""
            if number == 0 {
                connection.respond(bytes[..<half], headers: ranges, length: bytes.count)
                connection.reset()
            } else if head.contains("Range: bytes=\(half)-") {
                let range = "Content-Range: bytes \(half)-\(bytes.count - 1)/\(bytes.count)\r\n"
                connection.respond(bytes[half...], status: 206, headers: range)
            } else {
                connection.respond(bytes)
            }
            connection.waitForHangUp()
        }
        let outcome = try runGifplay(
            ["--animate", "--size", "20x8", "\(server.base)/a.gif"], environment: online)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try expectedOutput() == outcome.output)
        #expect(server.requests.count == 2)
        #expect(server.requests.last?.contains("Range: ") == givesRanges)
    }

    @Test("A request is retried after status 429, 500 or 503", arguments: [(500, 0), (503, 0), (429, 1)])
    func recovers(status: Int, retryAfter: Int) throws {
        let bytes = try Binary.bytes("campfire")
        let server = try RawServer { connection, number in
            connection.readHead()
            if number > 0 { return connection.respond(bytes) }
            connection.respond([], status: status, headers: "Retry-After: \(retryAfter)\r\nConnection: close\r\n")
        }
        let outcome = try runGifplay(["--animate", "--size", "20x8", "\(server.base)/a.gif"], environment: online)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try expectedOutput() == outcome.output)
    }

    @Test("The download of an endless response stops at the limit '--max-bytes', and the received frames play")
    func endless() throws {
        let bytes = try Binary.bytes("campfire")
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            connection.send(Array(bytes.dropLast()))
            while connection.send([UInt8](repeating: 0x21, count: 10_000)) {}
        }
        let outcome = try runGifplay(
            ["--animate", "--size", "20x8", "--max-bytes", "1M", "\(server.base)/a.gif"], environment: online)
        #expect(!outcome.output.isEmpty && server.requests.count == 1)
    }

    @Test("If a server sends a truncated GIF, the received frames play and the exit status is 0")
    func truncated() throws {
        let bytes = try Binary.bytes("campfire")
        let site = try FakeSite { _, _ in .init(body: Array(bytes.prefix(bytes.count / 2))) }
        let outcome = try runGifplay(["--animate", "--size", "20x8", "\(site.base)/a.gif"], environment: online)
        #expect(outcome.status == 0 && !outcome.output.isEmpty)
        #expect(outcome.errors.contains("damaged"), "\(outcome.errors)")
    }

    @Test("If a cache entry is damaged, the GIF is fetched again")
    func damagedEntry() throws {
        let folder = try TemporaryFolder()
        let site = try FakeSite { _, _ in try .gif("campfire") }
        let environment = online.merging(["XDG_CACHE_HOME": folder.url.path]) { $1 }
        let arguments = ["--animate", "--size", "20x8", "\(site.base)/a.gif"]
        let first = try runGifplay(arguments, environment: environment)
        let media = folder.url.appendingPathComponent("gifplay/media")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: media.path).first)
        var bytes = try Data(contentsOf: media.appendingPathComponent(name))
        bytes[bytes.count / 2] ^= 0x55
        try bytes.write(to: media.appendingPathComponent(name))
        let second = try runGifplay(arguments, environment: environment)
        #expect(second.status == 0 && second.output == first.output)
        #expect(site.requestLines.count == 2)
    }

    @Test("If two processes fill the same cache at the same time, both store and play the correct GIFs")
    func sharedCache() throws {
        let folder = try TemporaryFolder()
        let site = try FakeSite { request, _ in try .gif(request.path == "/a.gif" ? "campfire" : "aquarium") }
        let environment = online.merging(["XDG_CACHE_HOME": folder.url.path]) { $1 }
        let play = "'\(Binary.path)' --animate --size 20x8"
        let (one, other) = ("\(site.base)/a.gif", "\(site.base)/b.gif")
        let script = "\(play) '\(one)' '\(other)' >one & \(play) '\(other)' '\(one)' >other; wait"
        #expect(try run("/bin/sh", ["-c", script], environment: environment, folder: folder.url).status == 0)
        let offline = try runGifplay(
            ["--offline", "--animate", "--size", "20x8", one, other], environment: environment)
        let files = ["campfire", "aquarium"].map(Binary.sample)
        let expected = try runGifplay(["--animate", "--size", "20x8"] + files)
        #expect(offline.status == 0 && offline.output == expected.output)
        #expect(Array(try Data(contentsOf: folder.url.appendingPathComponent("one"))) == expected.output)
    }

    @Test("A compressed listing is rejected if its uncompressed size exceeds 4 MiB")
    func compressedListing() throws {
        let folder = try TemporaryFolder()
        let zeros = try folder.write([UInt8](repeating: 0x20, count: 32 << 20), to: "zeros")
        #expect(try run("/usr/bin/gzip", ["-9", zeros]).status == 0)
        let packed = Array(try Data(contentsOf: URL(fileURLWithPath: zeros + ".gz")))
        let site = try FakeSite { _, _ in .init(headers: "Content-Encoding: gzip\r\n", body: packed) }
        let outcome = try runGifplay(["--source", "commons", "cat"], environment: site.environment())
        #expect(
            outcome.status == 1 && outcome.errors.contains("sent more than 4 MiB"), "\(outcome.errors)")
    }

    @Test(
        "Ctrl-C and 'q' end a stalled search and restore the terminal", arguments: [("\u{3}", 130), ("q", 0)])
    func hangingSearch(key: String, status: Int32) throws {
        let gate = Gate()
        let site = try FakeSite { _, _ in
            gate.wait()
            return .text("")
        }
        let terminal = try PseudoTerminal(["dancing cat"], environment: site.environment())
        try terminal.read(until: "looking for “dancing cat”…")
        try terminal.quit(key, status: status)
        #expect(terminal.text.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
        gate.open()
    }

    @Test("libcurl is loaded for a URL, but not for files or built-in samples")
    func loadsLazily() throws {
        func maps(_ terminal: PseudoTerminal) throws -> String {
            try terminal.read(until: Self.firstCell)
            return try run("/bin/cat", ["/proc/\(terminal.process)/maps"]).text
        }
        for arguments in [[Binary.sample("campfire")], ["dancing cat"], []] {
            let loaded = try maps(PseudoTerminal(arguments))
            #expect(loaded.contains("libgif") && !loaded.contains("libcurl"))
        }
        let site = try FakeSite { _, _ in try .gif("campfire") }
        #expect(try maps(PseudoTerminal(["\(site.base)/a.gif"], environment: online)).contains("libcurl"))
    }
}
