import Foundation
import TestServer
import Testing

/// Tests that the cost of each parser of outside bytes is proportional to the length of its input. The unit is an
/// instruction, as callgrind counts it, so the results do not depend on the load of the machine.
@Suite(
    "Cost of parsers", .timeLimit(.minutes(60)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind"), "valgrind is not installed"),
    // callgrind cannot run a program of the address sanitizer.
    .enabled(if: ProcessInfo.processInfo.environment["GIFPLAY_SANITIZED"] == nil, "the build is sanitized"))
struct CostTests {
    /// Returns the path of a copy of the program without debug information, whose format valgrind may not know.
    private static func helper(in folder: TemporaryDirectory) throws -> String {
        let path = folder.path + "/cost-helper"
        try #require(
            try ChildProcess("/usr/bin/strip", ["-g", "-o", path, ChildProcess.product("cost-helper")]).wait() == 0)
        return path
    }

    /// Returns the number of instructions in a file that callgrind has written.
    private static func instructions(_ file: URL) throws -> Int {
        let text = try String(contentsOf: file, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").last { $0.hasPrefix("totals: ") })
        return try #require(Int(line.dropFirst("totals: ".count)))
    }

    /// Fetches a GIF, whose first image has this number of bytes, through a loopback server. Returns the instructions of
    /// the whole process.
    private func fetch(firstImage count: Int, in folder: TemporaryDirectory) async throws -> Int {
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2]
        let blocks = Array(repeatElement([255] + [UInt8](repeating: 0x2C, count: 255), count: count / 256).joined())
        let header: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
        let file = [header, image, blocks, [0], image, [0, 0x3B]].flatMap { $0 }
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(file.count)\r\n\r\n")
            for start in stride(from: 0, to: file.count, by: 4_096) {
                connection.send(Array(file[start..<min(start + 4_096, file.count)]))
            }
            connection.waitForHangUp()
        }
        let out = "\(folder.path)/fetch-\(count)"
        let status = try await onOwnThread {
            let helper = try Self.helper(in: folder)
            let options = ["--tool=callgrind", "--callgrind-out-file=\(out)", helper, "fetch", server.base + "/a.gif"]
            return try ChildProcess("/usr/bin/valgrind", options).wait()
        }
        #expect(status == 0 && server.requests.count == 1)
        return try Self.instructions(URL(fileURLWithPath: out))
    }

    @Test("A first image of eight times the length, in small pieces from a server, costs at most ten times as much")
    func firstImage() async throws {
        let folder = try TemporaryDirectory()
        let base = try await fetch(firstImage: 256, in: folder)
        let short = try await fetch(firstImage: 1 << 20, in: folder) - base
        let long = try await fetch(firstImage: 8 << 20, in: folder) - base
        #expect(long <= 10 * short, "\(short) and \(long) instructions beside \(base)")
    }

    @Test("An input of eight times the length takes at most ten times as many instructions")
    func proportional() async throws {
        let folder = try TemporaryDirectory()
        let output = try await onOwnThread {
            let helper = try Self.helper(in: folder)
            let process = try ChildProcess(
                "/usr/bin/valgrind", ["--tool=callgrind", "--callgrind-out-file=\(folder.path)/out", helper, "300"])
            var lines: [String] = []
            while case let line = process.readLine(), !line.isEmpty { lines.append(line) }
            return lines
        }
        let cases = output.map { $0.replacingOccurrences(of: "\t", with: " ") }
        #expect(cases.count > 300)
        for (index, name) in cases.enumerated() {
            let counts = try [1, 2].map { part in
                try Self.instructions(URL(fileURLWithPath: "\(folder.path)/out.\(2 * index + part)"))
            }
            #expect(counts[0] > 100, "\(name): nothing was measured")
            // A GIF of 2,400 bytes. For each clear code that giflib reads, it takes 2,000 to 8,000 instructions.
            if name.hasPrefix("clear codes") { #expect(counts[1] < 12_000_000, "\(name): \(counts[1]) instructions") }
            #expect(counts[1] <= 10 * counts[0], "\(name): \(counts[0]) and \(counts[1]) instructions")
            if ProcessInfo.processInfo.environment["GIFPLAY_PRINT_FIGURES"] != nil {
                print("\(name): \(counts[0]) and \(counts[1]) instructions, \(Double(counts[1]) / Double(counts[0]))")
            }
        }
    }
}
