import Base
import Catalog
import Gallery
import LoadingSupport
import Pixels
import Playback
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("The files of the large view", .timeLimit(.minutes(5)))
struct LargeFramesTests {
    /// A media source that answers each request when the test says so.
    private final class Media: MediaSource {
        private let answers: [Bool: AsyncStream<Result<[UInt8], Failure>>]
        private let sends: [Bool: AsyncStream<Result<[UInt8], Failure>>.Continuation]
        private let arrived = Monitor<[@Sendable (PartialFile) -> Void]>([])

        init() {
            let small = AsyncStream<Result<[UInt8], Failure>>.makeStream()
            let original = AsyncStream<Result<[UInt8], Failure>>.makeStream()
            answers = [false: small.stream, true: original.stream]
            sends = [false: small.continuation, true: original.continuation]
        }

        func answer(isOriginal: Bool = false, _ result: Result<[UInt8], Failure>) {
            sends[isOriginal]?.yield(result)
        }

        func arrive(_ part: PartialFile) async {
            while true {
                if let last = arrived.withLock({ $0.last }) { return last(part) }
                await Task.yield()
            }
        }

        func bytes(
            of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
            arrived: @escaping @Sendable (PartialFile) -> Void
        ) async throws(Failure) -> [UInt8] {
            self.arrived.withLock { $0.append(arrived) }
            guard let stream = answers[isOriginal] else { throw .cancelled }
            for await answer in stream { return try answer.get() }
            throw .cancelled
        }
    }

    private final class Harness {
        let media = Media()
        let frames: LargeFrames
        private let wakes = AsyncStream<Void>.makeStream()

        init(isOriginal: Bool = true, path: String? = nil) {
            var reference = path.map(GIFReference.file) ?? GIFReference.titled("cat")
            if !isOriginal { reference.cachePolicy = .embedded }
            let size = PixelSize(width: 20, height: 20)
            frames = LargeFrames(reference, tileSize: size, media, DecodeLimits()) { [wakes] in
                wakes.continuation.yield()
            }
        }

        /// Waits for a change of the file.
        func waitForFile() async {
            var wakes = wakes.stream.makeAsyncIterator()
            while !frames.takeFile() { await wakes.next() }
        }

        func waitForNote(_ text: String) async {
            var wakes = wakes.stream.makeAsyncIterator()
            while frames.note(in: .english) != text {
                _ = frames.takeFile()
                _ = frames.next()
                await wakes.next()
            }
        }

        /// The width of the canvas of the next frame; nil at the end of a pass.
        func width() async -> Int? {
            var wakes = wakes.stream.makeAsyncIterator()
            while true {
                switch frames.next() {
                case .frame(let frame): return frame.canvas.width
                case .end: return nil
                default: await wakes.next()
                }
            }
        }
    }

    /// A GIF of two frames.
    private static func gif(_ width: Int) -> [UInt8] {
        let image = Array(repeating: UInt8(1), count: width * 4)
        return GIFBuilder(width: width, height: 4).loop(0).control(delay: 10).image(width: width, height: 4, image)
            .control(delay: 10).image(width: width, height: 4, image).trailer().bytes
    }

    @Test("The file of the tile plays until the original is complete")
    func original() async {
        let harness = Harness()
        if case .frame = harness.frames.next() { Issue.record("a frame without a file") }
        #expect(harness.frames.note(in: .english) == "loading…")
        harness.media.answer(.success(Self.gif(4)))
        await harness.waitForFile()
        #expect(await harness.width() == 4)
        await harness.media.arrive(PartialFile(.init(received: 900, expected: 2_000), bytes: [1, 2]))
        #expect(harness.frames.note(in: .english)?.hasPrefix("loading the original…") == true)
        #expect(!harness.frames.takeFile())
        harness.media.answer(isOriginal: true, .success(Self.gif(8)))
        await harness.waitForFile()
        #expect(await harness.width() == 8 && harness.frames.file == Self.gif(8))
        #expect(harness.frames.note(in: .english) == nil)
    }

    @Test("If the original is the file of the tile, cannot be fetched or cannot be decoded, that file goes on")
    func noOriginal() async {
        for answer in [.success(Self.gif(4)), .failure(.notAnimated), .success(Array("<html>".utf8))]
            as [Result<[UInt8], Failure>]
        {
            let harness = Harness()
            harness.media.answer(.success(Self.gif(4)))
            await harness.waitForFile()
            #expect(await harness.width() == 4)
            harness.media.answer(isOriginal: true, answer)
            if case .success(let bytes) = answer, bytes != Self.gif(4) {
                await harness.waitForFile()
                while !harness.frames.takeFile() {
                    if case .frame = harness.frames.next() { Issue.record("a frame of a broken file") }
                    await Task.yield()
                }
            }
            #expect(await harness.width() == 4)
        }
    }

    @Test("The first frame of a file that is still arriving is shown, and then the whole file plays")
    func part() async {
        let harness = Harness(isOriginal: false)
        let bytes = Self.gif(4)
        await harness.media.arrive(
            PartialFile(.init(received: 60, expected: bytes.count), bytes: Array(bytes.dropLast(30))))
        await harness.waitForFile()
        #expect(await harness.width() == 4)
        if case .pending = harness.frames.next() {} else { Issue.record("a second frame") }
        #expect(harness.frames.file == nil)
        harness.media.answer(.success(bytes))
        await harness.waitForFile()
        for _ in 0..<2 { #expect(await harness.width() == 4) }
        #expect(await harness.width() == nil)
    }

    @Test("The reason is stated if no file can be fetched or decoded")
    func failures() async {
        let missing = Harness()
        missing.media.answer(.failure(.status(404, host: "example.org")))
        missing.media.answer(isOriginal: true, .failure(.status(404, host: "example.org")))
        await missing.waitForNote("failed: no longer available")
        let broken = Harness(isOriginal: false)
        broken.media.answer(.success(Array("<html>".utf8)))
        await broken.waitForNote("failed: not a GIF (HTML page)")
    }

    @Test("A regular file plays from the disk, and the reason is stated if it is broken")
    func file() async throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.gif(4), to: "whole.gif")
        try folder.write(Array("<html>".utf8), to: "broken.gif")
        let harness = Harness(path: folder.path + "/whole.gif")
        // Until the first frame, the file can still fail.
        #expect(harness.frames.note(in: .english) == "")
        for _ in 0..<2 { #expect(await harness.width() == 4) }
        #expect(await harness.width() == nil)
        #expect(harness.frames.note(in: .english) == nil && harness.frames.file == Self.gif(4))
        let broken = Harness(path: folder.path + "/broken.gif")
        broken.media.answer(.failure(.notAnimated))
        await broken.waitForNote("failed: not animated")
    }
}
