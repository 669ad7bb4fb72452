import Foundation
import Pixels
import TestServer
import TestSupport
import Testing

@Suite(
    "Heap allocations during playback", .ownThreads,
    .disabled(if: Binary.isSanitized, "the sanitizers replace malloc"))
struct AllocationTests {
    private let folder: TemporaryFolder
    /// The number of allocations per frame that is added to each test's limit. If GIFPLAY_BINARY is set, this number
    /// is 0, because .ci/run sets the variable to the path of an optimized build. An unoptimized build allocates more,
    /// because it boxes values that an optimized build keeps in registers. With an unoptimized build, the tests detect
    /// only unbounded growth.
    private let slack = ProcessInfo.processInfo.environment["GIFPLAY_BINARY"] == nil ? 200.0 : 0

    init() throws { folder = try TemporaryFolder() }

    /// Plays a GIF in which a stripe moves over a constant background. Returns the average number of calls to malloc and
    /// related functions per frame, in loop iterations 81 to 160. Both runs take more than 5 s, the timeout of the first
    /// reply: Swift's runtime then allocates memory for types, once per process.
    private func allocations(palette: [CellColor]? = nil, _ options: [String]) async throws -> Double {
        let (few, many, frames) = (80, 160, 12)
        var gif = GIFBuilder(width: 24, height: 12).loop(0)
        for frame in 0..<frames {
            let indices = (0..<24 * 12).map { pixel -> UInt8 in pixel % 24 == frame ? 1 : pixel % 2 == 0 ? 2 : 3 }
            gif = gif.control(delay: 5).image(width: 24, height: 12, indices, palette: palette)
        }
        let file = try folder.write(gif.trailer().bytes, to: "test.gif")
        // Each run ends with a wait of 2 s for a reply.
        async let before = onOwnThread { try Self.count(file, loops: few, options) }
        async let after = onOwnThread { try Self.count(file, loops: many, options) }
        return Double(try await after - before) / Double((many - few) * frames)
    }

    private static func count(_ file: String, loops: Int, _ options: [String]) throws -> Int {
        let library = try FaultLibrary()
        let terminal = try PseudoTerminal(
            ["play", "--file", file, "--speed", "max", "--loop", "\(loops)"] + options, columns: 16, rows: 7,
            environment: library.environment("memory:0"), answers: false)
        #expect(try terminal.finish() == 0, "\(terminal.text.suffix(200))")
        return try #require(Int(try String(contentsOfFile: library.report, encoding: .utf8)))
    }

    @Test("Replaying a cached frame allocates no memory, with and without a status line", arguments: [["--bare"], []])
    func replayed(options: [String]) async throws {
        #expect(try await allocations(options) <= slack + 0.01)
    }

    @Test("Without a loop cache, decoding a frame again allocates no memory", arguments: [["--bare"], []])
    func decoded(options: [String]) async throws {
        #expect(try await allocations(options + ["--loop-cache", "0"]) <= slack + 0.05)
    }

    @Test("A frame with a local palette causes at most two allocations, both in giflib")
    func localPalettes() async throws {
        let count = try await allocations(palette: GIFBuilder.fourColors, ["--bare", "--loop-cache", "0"])
        #expect(count <= slack + 2.05)
    }
}
