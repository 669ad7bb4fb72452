import Base
import Catalog
import Pixels
import Playback
import TestSupport
import Testing

@testable import Gallery

@Suite("Tiles from the wish to the picture", .timeLimit(.minutes(15)))
struct TileStageTests {
    private static let target = PixelSize(width: 4, height: 4)

    /// A tile stage with a manual clock, whose wake-ups a test can await.
    private final class Rig {
        let media = ScriptedMedia()
        private let wakes = AsyncStream.makeStream(of: Void.self)
        let stage: TileStage
        var now = Instant(nanoseconds: 0)

        init() {
            stage = TileStage(media: media, backdrop: .terminal(.black)) { [wakes] in wakes.continuation.yield() }
        }

        deinit { media.giveUp() }

        /// Advances the stage at the current time, and again after each wake-up, until `found` returns true. `found`
        /// gets all news so far. Throws if the test is cancelled.
        func look(until found: ([(GIFKey, TileNews)]) -> Bool) async throws {
            var wakes = wakes.stream.makeAsyncIterator()
            var news: [(GIFKey, TileNews)] = []
            while true {
                news += stage.advance(to: now).news
                if found(news) { return }
                guard await wakes.next() != nil else { throw CancellationError() }
            }
        }

        /// Advances the stage and sets the clock to the time of each next frame, without real waiting, until `found`
        /// returns true. Throws if the test is cancelled.
        func play(until found: () -> Bool) async throws {
            var wakes = wakes.stream.makeAsyncIterator()
            while true {
                let next = stage.advance(to: now).next
                if found() { return }
                if let next {
                    now = max(now, next)
                } else {
                    guard await wakes.next() != nil else { throw CancellationError() }
                }
            }
        }

        func color(_ id: String) -> CellColor? { stage.picture(of: key(id))?.pixels.first }
    }

    private static func key(_ id: String) -> GIFKey { GIFKey(provider: "test", id: id) }

    private static func request(
        _ id: String, _ wish: TileRequest.Wish = .moving, original: Bool = false
    ) -> TileRequest {
        let reference = GIFReference(
            provider: "test", id: id, title: id, attribution: "", renditions: [Rendition(url: "https://x/\(id)")],
            cachePolicy: .persistent)
        return TileRequest(
            reference: reference, target: wish == .near ? .init(width: 0, height: 0) : target,
            wish: wish, wantsOriginal: original)
    }

    /// A looping 4x4 GIF with two frames of 100 ms. Each frame has one colour, given as its index in the palette.
    private static func gif(_ first: UInt8 = 1, _ second: UInt8 = 2) -> [UInt8] {
        GIFBuilder(width: 4, height: 4).loop(0)
            .control(delay: 10).image(width: 4, height: 4, Array(repeating: first, count: 16))
            .control(delay: 10).image(width: 4, height: 4, Array(repeating: second, count: 16))
            .trailer().bytes
    }

    private static let red = GIFBuilder.fourColors[1]
    private static let green = GIFBuilder.fourColors[2]
    private static let blue = GIFBuilder.fourColors[3]

    @Test("bytes become a picture and its size, and the next frame comes in its time")
    func moving() async throws {
        let rig = Rig()
        rig.stage.want([Self.request("a")])
        try await rig.media.answer("a", .success(Self.gif()))
        try await rig.look {
            $0.contains { $0.1 == .size(PixelSize(width: 4, height: 4)) } && rig.color("a") == Self.red
        }
        rig.now = rig.now + 100 * Span.millisecond
        try await rig.look { _ in rig.color("a") == Self.green }
    }

    @Test("with less motion only the first frame stands")
    func still() async throws {
        let rig = Rig()
        rig.stage.want([Self.request("a", .still)])
        try await rig.media.answer("a", .success(Self.gif()))
        try await rig.look { _ in rig.color("a") == Self.red }
        rig.now = rig.now + 500 * Span.millisecond
        let (_, changed, next) = rig.stage.advance(to: rig.now)
        #expect(!changed && next == nil && rig.color("a") == Self.red)
    }

    @Test("what is near is fetched and not decoded")
    func near() async throws {
        let rig = Rig()
        rig.stage.want([Self.request("a"), Self.request("b", .near)])
        try await rig.media.answer("b", .success(Self.gif()))
        try await rig.media.answer("a", .success(Self.gif()))
        try await rig.look { _ in rig.color("a") != nil }
        #expect(rig.color("b") == nil)
    }

    @Test("what is no longer wanted is given up, and a late answer of it is not shown")
    func releasing() async throws {
        let rig = Rig()
        rig.stage.want([Self.request("a"), Self.request("b")])
        try await rig.media.wait(forWaiting: 2)
        rig.stage.want([Self.request("b")])
        try await rig.media.waitForCancelling(of: "a")
        try await rig.media.answer("a", .success(Self.gif()))
        try await rig.media.answer("b", .success(Self.gif(3)))
        try await rig.look { _ in rig.color("b") == Self.blue }
        #expect(rig.color("a") == nil)
    }

    @Test("the small one stays until the original has a picture")
    func original() async throws {
        let rig = Rig()
        rig.stage.want([Self.request("a", original: true)])
        try await rig.media.answer("a", .success(Self.gif(1, 1)))
        try await rig.look { _ in rig.color("a") == Self.red }
        try await rig.media.answer("a", isOriginal: true, .success(Self.gif(3, 3)))
        try await rig.look { $0.contains { $0.1 == .original } }
        try await rig.look { _ in rig.color("a") == Self.blue }
    }

    @Test("a small one that comes after the original does not take its place")
    func lateSmall() async throws {
        let rig = Rig()
        rig.stage.want([Self.request("a", original: true), Self.request("z")])
        try await rig.media.answer("a", isOriginal: true, .success(Self.gif(3, 3)))
        try await rig.look { $0.contains { $0.1 == .original } }
        try await rig.media.answer("a", .success(Self.gif(1, 1)))
        try await rig.media.answer("z", .success(Self.gif(2, 2)))
        try await rig.look { _ in rig.color("z") == Self.green && rig.color("a") == Self.blue }
    }

    @Test("an original that cannot be had leaves the small one")
    func noOriginal() async throws {
        let rig = Rig()
        rig.stage.want([Self.request("a", original: true), Self.request("z")])
        try await rig.media.answer("a", isOriginal: true, .failure(.failed("gone")))
        try await rig.media.answer("a", .success(Self.gif()))
        try await rig.look { news in
            #expect(!news.contains { $0.1 == .failed("gone") })
            return rig.color("a") == Self.red && news.contains { $0.0 == Self.key("a") && $0.1 == .noOriginal }
        }
    }

    @Test("an original without a picture leaves the small one, and that is told")
    func brokenOriginal() async throws {
        let rig = Rig()
        rig.stage.want([Self.request("a", original: true)])
        try await rig.media.answer("a", isOriginal: true, .success(Array("<html>".utf8)))
        try await rig.media.answer("a", .success(Self.gif()))
        try await rig.look { news in rig.color("a") == Self.red && news.contains { $0.1 == .noOriginal } }
    }

    @Test("a small file that is the original already is told as the original")
    func sameFile() async throws {
        let rig = Rig()
        rig.stage.want([Self.request("a", original: true)])
        let bytes = Self.gif(1, 1)
        try await rig.media.answer("a", isOriginal: true, .success(bytes))
        try await rig.media.answer("a", .success(bytes))
        var isOriginal = false
        try await rig.look { news in
            isOriginal = isOriginal || news.contains { $0.1 == .original }
            return isOriginal && rig.color("a") == Self.red
        }
    }

    @Test("a failure and a file without a picture are told")
    func failures() async throws {
        let rig = Rig()
        rig.stage.want([Self.request("a"), Self.request("b")])
        try await rig.media.answer("a", .failure(.failed("404")))
        try await rig.media.answer("b", .success(Array("<html>".utf8)))
        try await rig.look { news in
            news.contains { $0.0 == Self.key("a") && $0.1 == .failed("404") }
                && news.contains { $0.0 == Self.key("b") && $0.1 == .broken }
        }
    }

    @Test("the beginning of a long file is shown as a still, then all of it moves")
    func arriving() async throws {
        let rig = Rig()
        rig.stage.want([Self.request("a")])
        let bytes = Self.gif()
        try await rig.media.arrive("a", Array(bytes.dropLast(30)))
        try await rig.look { _ in rig.color("a") == Self.red }
        try await rig.media.answer("a", .success(bytes))
        try await rig.play { rig.color("a") == Self.green }
    }

    @Test("six are fetched at once, the most wanted first")
    func order() async throws {
        let rig = Rig()
        let names = (0..<9).map { "\($0)" }
        rig.stage.want(names.map { Self.request($0) })
        try await rig.media.wait(forWaiting: 6)
        #expect(Set(rig.media.asked.map(\.id)) == Set(names.prefix(6)))
        try await rig.media.answer("3", .success(Self.gif()))
        try await rig.look { _ in rig.color("3") != nil }
        try await rig.media.wait(forWaiting: 6)
        #expect(rig.media.asked.last?.id == "6")
    }
}
