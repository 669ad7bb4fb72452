import Base
import Catalog
import Pixels
import Playback
import TestSupport
import Testing

@testable import Gallery

@Suite("Loading and animating tiles", .timeLimit(.minutes(15)))
struct TileControllerTests {
    private static let target = PixelSize(width: 4, height: 4)

    /// A tile controller with a manual clock. A test can await the wake-ups of the controller.
    private final class Harness {
        let media = ScriptedMedia()
        private let wakes = AsyncStream.makeStream(of: Void.self)
        let controller: TileController
        var now = Instant(nanoseconds: 0)

        init() {
            controller = TileController(media: media, backdrop: .terminal(.black)) { [wakes] in
                wakes.continuation.yield()
            }
        }

        deinit { media.cancelAll() }

        /// Advances the controller at the current time, and again after each wake-up, until `found` returns true.
        /// `found` receives all updates since this call began. Throws if the test is cancelled.
        func update(until found: ([(GIFKey, TileUpdate)]) -> Bool) async throws {
            var wakes = wakes.stream.makeAsyncIterator()
            var updates: [(GIFKey, TileUpdate)] = []
            while true {
                updates += controller.advance(to: now).updates
                if found(updates) { return }
                guard await wakes.next() != nil else { throw CancellationError() }
            }
        }

        /// Advances the controller until `found` returns true. Sets the clock to the time of the next frame instead of
        /// waiting for that time. Throws if the test is cancelled.
        func play(until found: () -> Bool) async throws { try await play { _ in found() } }

        /// As above; `found` gets all updates so far.
        func play(until found: ([(GIFKey, TileUpdate)]) -> Bool) async throws {
            var wakes = wakes.stream.makeAsyncIterator()
            var updates: [(GIFKey, TileUpdate)] = []
            while true {
                let advance = controller.advance(to: now)
                updates += advance.updates
                if found(updates) { return }
                if let next = advance.next {
                    now = max(now, next)
                } else {
                    guard await wakes.next() != nil else { throw CancellationError() }
                }
            }
        }

        /// Requests this tile and waits until it shows the first frame of ``gif(_:_:)``.
        func show(_ request: TileRequest) async throws {
            controller.setRequests([request])
            try await media.answer(request.reference.id, .success(TileControllerTests.gif()))
            try await update { _ in color(request.reference.id) == TileControllerTests.red }
        }

        func color(_ id: String) -> CellColor? { controller.picture(of: TileID(key: key(id)))?.pixels.first }
    }

    private static func key(_ id: String) -> GIFKey { GIFKey(provider: "test", id: id) }

    private static func request(_ id: String, _ purpose: TileRequest.Purpose = .animation) -> TileRequest {
        let size = purpose == .prefetch ? PixelSize(width: 0, height: 0) : target
        return TileRequest(reference: .some(id, source: "test"), target: size, purpose: purpose)
    }

    /// Returns a looping 4x4 GIF with two frames of 100 ms. Each frame has one colour, given by its palette index.
    private static func gif(_ first: UInt8 = 1, _ second: UInt8 = 2) -> [UInt8] {
        GIFBuilder(width: 4, height: 4).loop(0).frame(first, delay: 10, width: 4, height: 4)
            .frame(second, delay: 10, width: 4, height: 4).trailer().bytes
    }

    private static let red = GIFBuilder.fourColors[1]
    private static let green = GIFBuilder.fourColors[2]
    private static let blue = GIFBuilder.fourColors[3]

    @Test("A loaded file is displayed, its size is reported, and its next frame is shown on time")
    func moving() async throws {
        let harness = Harness()
        harness.controller.setRequests([Self.request("a")])
        try await harness.media.answer("a", .success(Self.gif()))
        try await harness.update {
            $0.contains { $0.1 == .size(PixelSize(width: 4, height: 4)) } && harness.color("a") == Self.red
        }
        harness.now = harness.now + 100 * Span.millisecond
        try await harness.update { _ in harness.color("a") == Self.green }
    }

    @Test("A damaged file without a pixel is reported as broken, and frames without pixels at its start are left out")
    func withoutPixels() async throws {
        let harness = Harness()
        harness.controller.setRequests([Self.request("a"), Self.request("b")])
        // An image whose code size is invalid.
        let bad: [UInt8] = [0x2C, 0, 0, 0, 0, 4, 0, 4, 0, 0, 12, 1, 0, 0]
        let start = GIFBuilder(width: 4, height: 4).control(delay: 10).raw(bad)
        try await harness.media.answer("a", .success(start.trailer().bytes))
        try await harness.update { $0.contains { $0.0 == Self.key("a") && $0.1.isBroken } }
        let image = start.control(delay: 10).image(width: 4, height: 4, Array(repeating: 1, count: 16))
        try await harness.media.answer("b", .success(image.trailer().bytes))
        try await harness.update { _ in harness.color("b") == Self.red }
    }

    @Test("With reduced motion only the first frame is shown")
    func still() async throws {
        let harness = Harness()
        try await harness.show(Self.request("a", .still))
        harness.now = harness.now + 500 * Span.millisecond
        let (_, changed, next) = harness.controller.advance(to: harness.now)
        #expect(!changed && next == nil && harness.color("a") == Self.red)
    }

    @Test("A download that takes a second is reported once, and again when it ends")
    func progress() async throws {
        let harness = Harness()
        harness.controller.setRequests([Self.request("a"), Self.request("b")])
        func step(_ milliseconds: Int64) -> [GIFKey: TileUpdate] {
            harness.now = harness.now + milliseconds * Span.millisecond
            return Dictionary(uniqueKeysWithValues: harness.controller.advance(to: harness.now).updates)
        }
        _ = step(0)
        try await harness.media.arrive("a", PartialFile(.init(received: 100)))
        try await harness.media.arrive("b", PartialFile(.init(received: 200)))
        #expect(step(900).isEmpty)
        #expect(harness.controller.advance(to: harness.now).next == harness.now + 100 * Span.millisecond)
        #expect(step(100) == [Self.key("a"): .loading(true), Self.key("b"): .loading(true)])
        try await harness.media.arrive("a", PartialFile(.init(received: 300)))
        #expect(step(900).isEmpty)
        try await harness.media.answer("a", .success(Self.gif()))
        try await harness.update { $0.contains { $0 == (Self.key("a"), .loading(false)) } }
    }

    @Test("An image has the pixels of its cells; while the mode changes, the former picture stays")
    func images() async throws {
        let harness = Harness()
        var request = Self.request("a")
        try await harness.show(request)
        request.mode = .kitty(cell: PixelSize(width: 3, height: 6), .direct, firstImage: 1)
        harness.controller.setRequests([request])
        #expect(harness.controller.picture(of: TileID(key: Self.key("a")))?.mode == .half)
        try await harness.media.answer("a", .success(Self.gif(3)))
        try await harness.update { _ in harness.color("a") == Self.blue }
        let picture = harness.controller.picture(of: TileID(key: Self.key("a")))
        #expect(picture?.mode == request.mode && picture?.pixels.count == 12 * 12)
    }

    @Test("A prefetched tile is loaded but not decoded")
    func prefetch() async throws {
        let harness = Harness()
        harness.controller.setRequests([Self.request("a"), Self.request("b", .prefetch)])
        try await harness.media.answer("b", .success(Self.gif()))
        try await harness.media.answer("a", .success(Self.gif()))
        try await harness.update { _ in harness.color("a") != nil }
        #expect(harness.color("b") == nil)
    }

    @Test("The request for a tile that is no longer needed is cancelled, and a late response is not shown")
    func releasing() async throws {
        let harness = Harness()
        harness.controller.setRequests([Self.request("a"), Self.request("b")])
        try await harness.media.wait(forPending: 2)
        harness.controller.setRequests([Self.request("b")])
        try await harness.media.waitForCancelling(of: "a")
        try await harness.media.answer("a", .success(Self.gif()))
        try await harness.media.answer("b", .success(Self.gif(3)))
        try await harness.update { _ in harness.color("b") == Self.blue }
        #expect(harness.color("a") == nil)
    }

    @Test("After the large view, a tile continues at the time in its loop that was displayed there")
    func seeking() async throws {
        let harness = Harness()
        try await harness.show(Self.request("a"))
        // The tile was not advanced in the meantime.
        harness.now = harness.now + 7 * Span.second
        harness.controller.seek(Self.key("a"), to: 130 * Span.millisecond)
        try await harness.update { _ in harness.color("a") == Self.green }
        // The time of the next frame is unknown until the worker has decoded it.
        var next: Instant?
        try await harness.update { _ in
            next = harness.controller.advance(to: harness.now).next
            return next != nil
        }
        #expect(next == harness.now + 70 * Span.millisecond)
    }

    @Test("A large picture begins with the frame of the tile, and continues without a jump when a better file arrives")
    func large() async throws {
        let harness = Harness()
        let small = Self.request("a")
        var large = small
        (large.target, large.tileSize) = (PixelSize(width: 8, height: 8), small.pixels)
        try await harness.show(small)
        harness.now = harness.now + 100 * Span.millisecond
        try await harness.update { _ in harness.color("a") == Self.green }
        harness.controller.setRequests([large, small])
        func picture() -> TileFrame? { harness.controller.picture(of: large.id) }
        try await harness.media.answer("a", .success(Self.gif()))
        try await harness.update { _ in picture() != nil }
        #expect(picture()?.pixels.first == Self.green && picture()?.pixels.count == 64)
        // The same file again changes nothing, a better one continues with its second frame.
        try await harness.media.answer("a", .success(Self.gif(1, 3)))
        try await harness.update { _ in picture()?.pixels.first == Self.blue }
        #expect(picture()?.start == 100 * Span.millisecond)
        try await harness.play { picture()?.pixels.first == Self.red }
        try await harness.play { picture()?.pixels.first == Self.blue }
    }

    @Test("If the better file of a large picture fails, the picture of the tile's file stays, and nothing is reported")
    func largeFailure() async throws {
        let harness = Harness()
        var large = Self.request("a")
        large.tileSize = large.pixels
        harness.controller.setRequests([large])
        try await harness.media.answer("a", .success(Self.gif()))
        try await harness.update { _ in harness.controller.picture(of: large.id) != nil }
        try await harness.media.answer("a", .failure(.status(404, host: "example.org")))
        harness.controller.setRequests([large, Self.request("b")])
        try await harness.media.answer("b", .success(Self.gif(3)))
        try await harness.update { updates in
            #expect(!updates.contains { $0.0 == Self.key("a") })
            return harness.color("b") == Self.blue
        }
        #expect(harness.controller.picture(of: large.id) != nil)
    }

    @Test("Failed and undecodable files are reported")
    func failures() async throws {
        let harness = Harness()
        harness.controller.setRequests([Self.request("a"), Self.request("b")])
        try await harness.media.answer("a", .failure(.status(404, host: "example.org")))
        try await harness.media.answer("b", .success(Array("<html>".utf8)))
        try await harness.update { updates in
            updates.contains { $0.0 == Self.key("a") && $0.1 == .failed(.status(404, host: "example.org")) }
                && updates.contains { $0.0 == Self.key("b") && $0.1.isBroken }
        }
    }

    @Test("A whole GIF of which a part is missing is reported, and another one is not")
    func damage() async throws {
        let harness = Harness()
        harness.controller.setRequests([Self.request("a"), Self.request("b")])
        for name in ["a", "b"] {
            try await harness.media.answer(name, .success(name == "a" ? Array(Self.gif().dropLast(4)) : Self.gif()))
        }
        var damaged: [String] = []
        try await harness.play { updates in
            damaged = updates.filter { $0.1 == .damaged }.map(\.0.id)
            // Both have played several times.
            return !damaged.isEmpty && harness.now.nanoseconds > Span.second
        }
        #expect(damaged == ["a"])
    }

    @Test("The beginning of a file is shown as a still until the file is complete")
    func arriving() async throws {
        let harness = Harness()
        harness.controller.setRequests([Self.request("a")])
        let bytes = Self.gif()
        try await harness.media.arrive("a", Array(bytes.dropLast(30)))
        try await harness.update { _ in harness.color("a") == Self.red }
        try await harness.media.answer("a", .success(bytes))
        try await harness.play { harness.color("a") == Self.green }
    }

    @Test("Six files are loaded at a time, in the order of the requests")
    func order() async throws {
        let harness = Harness()
        let names = (0..<9).map { "\($0)" }
        harness.controller.setRequests(names.map { Self.request($0) })
        try await harness.media.wait(forPending: 6)
        #expect(Set(harness.media.requests.map(\.id)) == Set(names.prefix(6)))
        try await harness.media.answer("3", .success(Self.gif()))
        try await harness.update { _ in harness.color("3") != nil }
        try await harness.media.wait(forPending: 6)
        #expect(harness.media.requests.last?.id == "6")
    }
}

extension TileUpdate {
    fileprivate var isBroken: Bool { if case .broken = self { true } else { false } }
}
