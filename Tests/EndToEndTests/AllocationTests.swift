import Foundation
import Pixels
import TestServer
import TestSupport
import Testing

/// Tests the number of heap allocations during playback. A library that LD_PRELOAD loads before the C library counts
/// them.
@Suite(
    "Heap allocations during playback", .ownThreads,
    .enabled(if: AllocationCounter.compiler != nil, "no C compiler"))
struct AllocationTests {
    private let counter: AllocationCounter
    /// The number of allocations per frame that is added to each test's limit. If GIFPLAY_BINARY is set, this number
    /// is 0, because .ci/run sets the variable to the path of an optimized build. An unoptimized build allocates more,
    /// because it boxes values that an optimized build keeps in registers. With an unoptimized build, the tests detect
    /// only unbounded growth.
    private let slack = ProcessInfo.processInfo.environment["GIFPLAY_BINARY"] == nil ? 200.0 : 0

    init() throws { counter = try AllocationCounter() }

    /// Returns the average number of calls to malloc and related functions per frame, in loop iterations 81 to 160. Both
    /// runs take more than 5 s, the timeout of the first reply: Swift's runtime then allocates memory for types, once per
    /// process.
    private func allocations(_ gif: String, frames: Int, _ options: [String]) async throws -> Double {
        let (few, many) = (80, 160)
        // Each run ends with a wait of 2 s for a reply.
        async let before = onOwnThread { try counter.count(gif, loops: few, options) }
        async let after = onOwnThread { try counter.count(gif, loops: many, options) }
        return Double(try await after - before) / Double((many - few) * frames)
    }

    @Test("Replaying a cached frame allocates no memory, with and without a status line", arguments: [["--bare"], []])
    func replayed(options: [String]) async throws {
        let gif = try counter.write(Self.gif(frames: 12, palette: nil))
        #expect(try await allocations(gif, frames: 12, options) <= slack + 0.01)
    }

    @Test("Without a loop cache, decoding a frame again allocates no memory", arguments: [["--bare"], []])
    func decoded(options: [String]) async throws {
        let gif = try counter.write(Self.gif(frames: 12, palette: nil))
        #expect(try await allocations(gif, frames: 12, options + ["--loop-cache", "0"]) <= slack + 0.05)
    }

    @Test("A frame with a local palette causes at most two allocations, both in giflib")
    func localPalettes() async throws {
        let gif = try counter.write(Self.gif(frames: 12, palette: GIFBuilder.fourColors))
        #expect(try await allocations(gif, frames: 12, ["--bare", "--loop-cache", "0"]) <= slack + 2.05)
    }

    /// Returns a GIF in which a stripe moves over a constant background.
    private static func gif(frames: Int, palette: [CellColor]?) -> [UInt8] {
        var gif = GIFBuilder(width: 24, height: 12).loop(0)
        for frame in 0..<frames {
            let indices = (0..<24 * 12).map { pixel -> UInt8 in pixel % 24 == frame ? 1 : pixel % 2 == 0 ? 2 : 3 }
            gif = gif.control(delay: 5).image(width: 24, height: 12, indices, palette: palette)
        }
        return gif.trailer().bytes
    }
}

/// Runs the program and counts its memory allocations.
private final class AllocationCounter: Sendable {
    /// The command of a C compiler, clang or cc; nil if neither is installed.
    static let compiler = ["clang", "cc"].first { name in
        (try? run("/usr/bin/env", [name, "--version"]))?.status == 0
    }

    struct Failure: Error { var text: String }

    private let folder: TemporaryFolder
    private let library: String

    init() throws {
        folder = try TemporaryFolder()
        library = folder.path("count.so")
        let source = try folder.write(Array(Self.source.utf8), to: "count.c")
        let outcome = try run(
            "/usr/bin/env", [Self.compiler ?? "cc", "-shared", "-fPIC", "-O1", "-o", library, source])
        guard outcome.status == 0 else { throw Failure(text: outcome.errors) }
    }

    func write(_ gif: [UInt8]) throws -> String { try folder.write(gif, to: "test.gif") }

    func count(_ gif: String, loops: Int, _ options: [String]) throws -> Int {
        let result = folder.url.appendingPathComponent("count-\(loops)").path
        let terminal = try PseudoTerminal(
            ["play", "--file", gif, "--speed", "max", "--loop", "\(loops)"] + options,
            columns: 16, rows: 7, environment: ["LD_PRELOAD": library, "COUNT_TO": result],
            answers: false)
        let status = try terminal.finish()
        guard status == 0, let count = Int(try String(contentsOfFile: result, encoding: .utf8)) else {
            throw Failure(text: "status \(status): \(terminal.text.suffix(200))")
        }
        return count
    }

    private static let source = """
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <unistd.h>
        void *__libc_malloc(size_t); void *__libc_calloc(size_t, size_t);
        void *__libc_realloc(void *, size_t); void *__libc_memalign(size_t, size_t);
        static long calls;
        #define COUNT __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED)
        void *malloc(size_t n) { COUNT; return __libc_malloc(n); }
        void *calloc(size_t k, size_t n) { COUNT; return __libc_calloc(k, n); }
        void *realloc(void *p, size_t n) { COUNT; return __libc_realloc(p, n); }
        void *memalign(size_t a, size_t n) { COUNT; return __libc_memalign(a, n); }
        void *aligned_alloc(size_t a, size_t n) { COUNT; return __libc_memalign(a, n); }
        int posix_memalign(void **p, size_t a, size_t n) { COUNT; *p = __libc_memalign(a, n); return *p ? 0 : 12; }
        __attribute__((destructor)) static void write_count(void) {
            char text[24];
            int length = snprintf(text, sizeof text, "%ld", calls);
            int file = open(getenv("COUNT_TO"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            if (write(file, text, length) != length) _exit(97);
            close(file);
        }
        """
}
