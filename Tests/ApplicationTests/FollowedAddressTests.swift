import Base
import Catalog
import LoadingSupport
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite(.timeLimit(.minutes(5))) struct FollowedAddressTests {
    private static func gif(_ color: UInt8) -> [UInt8] {
        GIFBuilder(width: 2, height: 2).frame(color, delay: 10, width: 2, height: 2).trailer().bytes
    }

    @Test("A followed URL is asked at each interval, and supplies its GIF only when that has changed")
    func changes() async throws {
        let folder = try TemporaryDirectory()
        let server = try await LoopbackServer { request, number in
            switch number {
            case 0, 1: .init(headers: ["Cache-Control": "max-age=3600"], body: Self.gif(0))
            case 2: .init(text: "<html>no GIF</html>")
            case 3: .init(503)
            default: .init(headers: ["Cache-Control": "no-store"], body: Self.gif(1))
            }
        }
        let clock = SteppingClock()
        var settings = try Settings(size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path])
        settings.fetch.clock = clock
        settings.fetch.retry = .never
        let loader = GIFLoader(ServiceSession(settings))
        defer { loader.session.close() }
        let feed = FollowedAddress(server.base + "/radar.gif", every: 300 * Span.second, loader: loader)
        for (number, color) in [UInt8(0), 1].enumerated() {
            let item = try #require(try await feed.next().items.first)
            #expect(item == .address(server.base + "/radar.gif") && feed.problem == nil)
            let asked = server.requests.count
            let fetched = try await loader.fetch(
                Rendition(url: server.base + "/radar.gif"), of: item, needsAllBytes: true, startRetries: nil
            ) { _ in }
            #expect(fetched.bytes(limit: .max) == Self.gif(color) && server.requests.count == asked, "\(number)")
        }
        #expect(server.requests.count == 5)
        #expect(clock.waits.allSatisfy { $0 == 300_000 } && clock.waits.count == 4)
        #expect(clock.problems.withLock { $0 }.isEmpty)
    }

    @Test("An answer that is no GIF is reported until the next one that is")
    func noGIF() async throws {
        let server = try await LoopbackServer { _, number in
            number == 1 ? .init(text: "<html>no GIF</html>") : .init(body: Self.gif(number == 0 ? 0 : 1))
        }
        let clock = SteppingClock()
        var settings = try Settings(size: (80, 48), environment: [:])
        settings.fetch.clock = clock
        let loader = GIFLoader(ServiceSession(settings))
        defer { loader.session.close() }
        let feed = FollowedAddress(server.base, every: 5 * Span.second, loader: loader)
        clock.problem.withLock { $0 = { feed.problem.map(Language.english.line) } }
        _ = try await feed.next()
        #expect(feed.problem == nil)
        _ = try await feed.next()
        #expect(feed.problem == nil)
        let problems = clock.problems.withLock { $0 }
        #expect(problems.count == 1 && problems.allSatisfy { $0.contains("not a GIF") }, "\(problems)")
        clock.problem.withLock { $0 = { nil } }
    }

    @Test("A retry before the next wait begins makes the next request at once")
    func earlyRetry() async throws {
        let server = try await LoopbackServer { _, number in .init(body: Self.gif(number == 0 ? 0 : 1)) }
        let clock = SteppingClock()
        let (feed, loader) = try feed(try TemporaryDirectory(), clock, server)
        defer { loader.session.close() }
        _ = try await feed.next()
        feed.retryNow()
        _ = try await feed.next()
        #expect(server.requests.count == 2 && clock.waits.isEmpty)
    }

    private func feed(
        _ folder: TemporaryDirectory, _ clock: SteppingClock, _ server: LoopbackServer
    ) throws -> (FollowedAddress, GIFLoader) {
        var settings = try Settings(size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path])
        settings.fetch.clock = clock
        settings.fetch.retry = .never
        let loader = GIFLoader(ServiceSession(settings))
        return (FollowedAddress(server.base + "/radar.gif", every: 5 * Span.second, loader: loader), loader)
    }

    @Test(
        "A followed URL waits as long as its server asks for, before and after its first GIF",
        arguments: [429, 503], [0, 1])
    func requestedWait(status: Int, refused: Int) async throws {
        let server = try await LoopbackServer { _, number in
            number == refused
                ? .init(status, headers: ["Retry-After": "3600"])
                : .init(headers: ["Cache-Control": "no-cache"], body: Self.gif(number > 1 ? 1 : 0))
        }
        let (folder, clock) = (try TemporaryDirectory(), SteppingClock())
        let (feed, loader) = try feed(folder, clock, server)
        defer { loader.session.close() }
        clock.problem.withLock { $0 = { feed.problem.map(Language.english.line) } }
        for _ in 0...refused { _ = try await feed.next() }
        #expect(clock.waits.last == 3_600_000 && server.requests.count == refused + 2, "\(clock.waits)")
        let problems = clock.problems.withLock { $0 }
        #expect(problems.count == 1 && feed.problem == nil, "\(problems)")
        let problem = try #require(problems.first)
        #expect(problem.hasPrefix("\(status), ") && problem.contains("; retry after 3600 s"))
        clock.problem.withLock { $0 = { nil } }
    }

    @Test("Half a GIF replaces the picture only if the next answer is the same; the first answer is shown in any case")
    func incomplete() async throws {
        func part(_ color: UInt8) -> [UInt8] { Array(Self.gif(color).dropLast(2)) }
        let answers = [Self.gif(0), part(1), Self.gif(1), part(2), part(2), part(2), Self.gif(2)]
        for start in [0, 1] {
            let server = try await LoopbackServer { _, number in
                .init(headers: ["Cache-Control": "no-cache"], body: answers[min(start + number, answers.count - 1)])
            }
            let (folder, clock) = (try TemporaryDirectory(), SteppingClock())
            let (feed, loader) = try feed(folder, clock, server)
            defer { loader.session.close() }
            clock.problem.withLock { $0 = { feed.problem.map(Language.english.line) } }
            var counts: [Int] = []
            for _ in 0..<4 {
                _ = try await feed.next()
                counts.append(server.requests.count)
            }
            #expect(counts == (start == 0 ? [1, 3, 5, 7] : [1, 2, 4, 6]))
            #expect(clock.problems.withLock { $0 }.allSatisfy { $0.hasPrefix("incomplete") })
            clock.problem.withLock { $0 = { nil } }
        }
    }

    @Test("Only a URL is asked; a path, also one that looks like a host, is followed as a file")
    func arguments() {
        #expect(FollowedAddress.url("https://a.example/radar.gif") == "https://a.example/radar.gif")
        #expect(FollowedAddress.url("/tmp") == nil && FollowedAddress.url("-") == nil)
        #expect(FollowedAddress.url("renders/new.gif") == nil)
    }
}

/// Each wait moves its time to the end of the wait.
private final class SteppingClock: WaitClock {
    private let state = Mutex((milliseconds: 1_000_000, waits: [Int]()))
    /// The problem of the feed during each wait in which there is one.
    let problems = Mutex([String]())
    let problem = Mutex<@Sendable () -> String?>({ nil })

    var milliseconds: Int { state.withLock { $0.milliseconds } }
    var unixSeconds: Int { 784_000_000 + milliseconds / 1_000 }
    var waits: [Int] { state.withLock { $0.waits } }

    func wait(milliseconds: Int) async throws {
        if let text = problem.withLock({ $0 })() { problems.withLock { $0.append(text) } }
        state.withLock { state in
            state.milliseconds += milliseconds
            state.waits.append(milliseconds)
        }
    }
}

/// Walks through random runs with URLs whose responses have equal bytes and different rules.
@Suite(.timeLimit(.minutes(5))) struct RandomRevalidationTests {
    private static let gif = GIFBuilder.square(1, 2).trailer().bytes

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
        let clock = ManualWaitClock()
        let server = try await LoopbackServer { request, _ in
            let headers = Self.rules[request.path]?.headers ?? [:]
            let isKnown = headers["ETag"].map { request.headers["if-none-match"] == $0 } ?? false
            return isKnown ? .init(304, headers: headers) : .init(headers: headers, body: Self.gif)
        }
        var (generator, received) = (SeededRandom(seed), [String: Int]())
        let reported = ["/etag3", "/long", "/nostore", "/plain", "/etag"]
        let paths = Self.rules.keys.sorted()
        for step in 0..<60 {
            let path = step < reported.count ? reported[step] : paths.randomElement(using: &generator) ?? "/etag"
            let rule = try #require(Self.rules[path])
            var settings = try Settings(size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path])
            settings.fetch.clock = clock
            let loader = GIFLoader(ServiceSession(settings))
            let url = server.base + path
            let fetched = try await loader.fetch(
                Rendition(url: url), of: .address(url), needsAllBytes: true, startRetries: nil
            ) { _ in }
            loader.session.close()
            #expect(fetched.bytes(limit: .max) == Self.gif)
            let now = clock.unixSeconds
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
            clock.advance(seconds: Int.random(in: 0...50, using: &generator))
        }
    }
}
