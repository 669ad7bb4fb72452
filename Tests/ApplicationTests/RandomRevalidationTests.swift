import Base
import Catalog
import LoadingSupport
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import Application

/// Walks through random runs with URLs whose responses have equal bytes and different rules.
@Suite(.timeLimit(.minutes(5))) struct RandomRevalidationTests {
    private static let gif = GIFBuilder(width: 2, height: 2).frame(1, delay: 10, width: 2, height: 2)
        .frame(2, delay: 10, width: 2, height: 2).trailer().bytes

    /// The header fields of each URL, and the time in seconds for which its response is fresh; nil if it is not stored.
    private static let rules: [String: (headers: [String: String], seconds: Int?)] = [
        "/etag": (["ETag": "\"e\"", "Cache-Control": "max-age=100"], 100),
        "/etag3": (["ETag": "\"e3\"", "Cache-Control": "max-age=3"], 3),
        "/none": (["ETag": "\"n\"", "Cache-Control": "no-cache"], 0),
        "/long": (["Cache-Control": "max-age=3600"], 3_600), "/plain": ([:], 60),
        "/nostore": (["ETag": "\"s\"", "Cache-Control": "no-store"], nil),
    ]

    @Test(
        "Equal bytes of other URLs change neither when a URL is asked again nor with which entity tag",
        arguments: 1...4 as ClosedRange<UInt64>)
    func walk(seed: UInt64) async throws {
        let folder = try TemporaryDirectory()
        let time = Mutex(1_000)
        let server = try await LoopbackServer { request, _ in
            let headers = Self.rules[request.path]?.headers ?? [:]
            let isKnown = headers["ETag"].map { request.headers["if-none-match"] == $0 } ?? false
            return isKnown ? .init(304, headers: headers) : .init(headers: headers, body: Self.gif)
        }
        var (generator, received) = (SplitMix(state: seed), [String: Int]())
        let reported = ["/etag3", "/long", "/nostore", "/plain", "/etag"]
        let paths = Self.rules.keys.sorted()
        for step in 0..<60 {
            let path = step < reported.count ? reported[step] : paths.randomElement(using: &generator) ?? "/etag"
            let rule = try #require(Self.rules[path])
            var settings = try Settings(size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path])
            settings.fetch.clock = WalkClock(seconds: time.withLock { $0 })
            let loader = GIFLoader(ServiceSession(settings))
            let url = server.base + path
            let fetched = try await loader.fetch(
                MediaFile(.address(url), url: url), needsAllBytes: true, startRetries: nil
            ) { _ in }
            loader.session.close()
            #expect(fetched.bytes(limit: .max) == Self.gif)
            let now = time.withLock { $0 }
            let isFresh = rule.seconds.flatMap { seconds in received[path].map { now - $0 < seconds } } ?? false
            let asked = server.requests.count
            let expected = received.removeValue(forKey: "requests") ?? 0
            #expect(asked == expected + (isFresh ? 0 : 1), "seed \(seed), step \(step): \(path)")
            if !isFresh {
                let tag = received[path] == nil || rule.seconds == nil ? nil : rule.headers["ETag"]
                #expect(server.requests.last?.headers["if-none-match"] == tag, "seed \(seed), step \(step): \(path)")
                received[path] = now
            }
            received["requests"] = asked
            time.withLock { $0 += Int.random(in: 0...50, using: &generator) }
        }
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            let mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            return (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        }
    }

    private struct WalkClock: WaitClock {
        let seconds: Int
        var milliseconds: Int { seconds * 1_000 }
        var unixSeconds: Int { 784_111_777 + seconds }

        func wait(milliseconds: Int) async throws { try await SystemWaitClock().wait(milliseconds: milliseconds) }
    }
}
