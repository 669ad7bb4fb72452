import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("Replaying a loop")
struct LoopCacheTests {
    /// Returns frames that are larger than the pane, with partial changes, with disposals, and with colours that jitter
    /// by up to two levels.
    private func jittering(seed: UInt64, frames: Int) -> [IndexedFrame] {
        var random = SeededRandom(seed)
        let size = PixelSize(width: 24, height: 20)
        let base = (0..<size.area).map { _ in UInt8.random(in: 0..<8, using: &random) }
        let colors = (0..<8).map { _ in CellColor.random(using: &random) }
        return (0..<frames).map { number in
            var frame = IndexedFrame(rect: PixelRect(size), palette: jittered(colors, &random), base)
            if number > 0, Int.random(in: 0..<3, using: &random) > 0 { frame = .random(on: size, using: &random) }
            if number == 0, seed % 2 == 1 {
                // Frame 0 covers only a part of the canvas. The rest of the canvas stays empty.
                let part = PixelRect(x: 4, y: 3, width: 12, height: 10)
                frame = IndexedFrame(rect: part, palette: colors, Array(base.prefix(part.width * part.height)))
            }
            frame.canvas = size
            frame.delayCentiseconds = .random(in: 2...12, using: &random)
            return frame
        }
    }

    private func jittered(_ colors: [CellColor], _ random: inout SeededRandom) -> [CellColor] {
        func step(_ value: Int, _ random: inout SeededRandom) -> UInt8 {
            UInt8(min(255, max(0, value + .random(in: -2...2, using: &random))))
        }
        return colors.map { color in
            CellColor(red: step(color.red, &random), green: step(color.green, &random), blue: step(color.blue, &random))
        }
    }

    /// Returns the expected picture of each frame, drawn by the reference renderer. Each loop iteration begins with an
    /// empty canvas.
    private func pictures(_ frames: [IndexedFrame]) -> [[CellColor]] {
        var reference = ReferenceRenderer(canvas: PixelSize(width: 24, height: 20))
        let target = PictureFit().target(for: reference.canvas, in: CellSize(columns: 8, rows: 4))
        return frames.map { frame in
            reference.draw(frame)
            return reference.scaled(to: target, filter: .smooth, backdrop: .unknownTerminal)
        }
    }

    private func halves(_ screen: VirtualScreen) -> [CellColor] {
        let target = PictureFit().target(for: PixelSize(width: 24, height: 20), in: screen.size)
        let rows = (target.height + 1) / 2
        return screen.halves(
            row: (screen.size.rows - rows) / 2, column: (screen.size.columns - target.width) / 2,
            CellSize(columns: target.width, rows: rows))
    }

    /// Expects that each shown frame differs from its expected picture by at most the tolerance of its fidelity.
    private func expectPictures(
        _ wanted: [[CellColor]], in run: Session.Run, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for shown in run.shown {
            #expect(
                distance(halves(run.screen(of: shown)), wanted[shown.frame]) <= shown.bound,
                "iteration \(shown.iteration), frame \(shown.frame), \(shown.time) ms", sourceLocation: sourceLocation)
        }
    }

    @Test("From the second loop iteration on, frames are replayed on time and not decoded")
    func replays() throws {
        let source = ScriptedFrameSource.flat([10, 10, 10])
        let run = try Session(loops: .times(4)).play(source)
        #expect(
            run.shown.map(\.isReplayed) == [false, false, false, false] + [
                true, true, false, true, true, false, true, true,
            ])
        #expect(run.times == (0..<12).map { Int64($0) * 100 })
        // The five calls returned the three frames, the end, and frame 0 of the second iteration, which completes the
        // recording.
        #expect(source.calls == 5)
    }

    @Test("A replayed frame has the same picture as the decoded frame", arguments: 0..<6)
    func samePicture(seed: UInt64) throws {
        let frames = jittering(seed: seed, frames: 12)
        let wanted = pictures(frames)
        var session = Session(loops: .times(4))
        for (cacheBytes, fidelity) in [
            (1 << 20, Fidelity.standard), (0, .standard), (1 << 20, .exact), (1 << 20, .low),
        ] {
            session.options.loopCacheBytes = cacheBytes
            session.options.fidelity = fidelity
            let run = try session.play(ScriptedFrameSource(frames))
            #expect(run.shown.count == 48)
            #expect(run.hasReplayed == (cacheBytes > 0))
            expectPictures(wanted, in: run)
            #expect(run.shown.allSatisfy { $0.bound == ($0.frame == 0 ? 0 : fidelity.bound) })
        }
    }

    @Test("If the cache has room only for the changed cells, replays encode the same bytes from them", arguments: 0..<6)
    func cellsOnly(seed: UInt64) throws {
        let frames = jittering(seed: seed, frames: 12)
        for fidelity in Fidelity.allCases {
            var session = Session(loops: .times(4))
            session.options.fidelity = fidelity
            let roomy = try session.play(ScriptedFrameSource(frames))
            let total = roomy.screenUpdates.reduce(0) { $0 + $1.bytes.count }
            session.options.loopCacheBytes = total / 4 + 600
            let tight = try session.play(ScriptedFrameSource(frames))
            #expect(roomy.hasReplayed && tight.hasReplayed)
            #expect(tight.screenUpdates.map(\.bytes) == roomy.screenUpdates.map(\.bytes))
        }
    }

    @Test("On a slow connection, each shown frame has the correct picture", arguments: 0..<6, [3000, 12_000])
    func slowConnection(seed: UInt64, bytesPerSecond: Int) throws {
        let frames = jittering(seed: seed, frames: 12)
        let wanted = pictures(frames)
        let run = try Session(loops: .times(8), bytesPerSecond: bytesPerSecond).play(ScriptedFrameSource(frames))
        expectPictures(wanted, in: run)
    }

    @Test("A replay that falls behind continues with the right frame", arguments: 0..<6)
    func catchesUp(seed: UInt64) throws {
        let frames = jittering(seed: seed, frames: 12)
        let wanted = pictures(frames)
        // At a tenth of the normal playback speed, the connection keeps up and the cache is filled. After 30 s, the
        // playback speed changes to 16 times the normal speed.
        let slowDown: Script = (0..<7).map { _ in .key("-", at: 0) }
        let speedUp: Script = (0..<20).map { _ in .key("+", at: 30_000) }
        var session = Session(loops: .forever, script: slowDown + speedUp + [.key("q", at: 32_000)])
        session.bytesPerSecond = 20_000
        let run = try session.play(ScriptedFrameSource(frames))
        let late = run.shown.filter { $0.time > 30_000 }
        #expect(late.contains { $0.isReplayed } && run.dropped.count > 20)
        expectPictures(wanted, in: run)
    }

    @Test("During a replay, stepping and seeking show the right frames, and the replay continues", arguments: 0..<6)
    func leavesAndReturns(seed: UInt64) throws {
        let frames = jittering(seed: seed, frames: 12)
        let wanted = pictures(frames)
        var random = SeededRandom(seed &+ 50)
        let keys: [Key] = [
            .character("."), .character(","), .character(" "), .left, .right, .up, .character("+"), .character("-"),
        ]
        let script: Script = (0..<120).map { number in
            .at(3000 + Int64(number) * 170, .key(keys.randomElement(using: &random) ?? .right))
        }
        var session = Session(loops: .forever, script: script + [.key("q", at: 30_000)])
        let first = try session.play(ScriptedFrameSource(frames))
        session.bytesPerSecond = 8000
        let slow = try session.play(ScriptedFrameSource(frames))
        #expect(first.shown.contains { $0.isReplayed } && !slow.shown.isEmpty)
        for run in [first, slow] { expectPictures(wanted, in: run) }
    }

    @Test("A loop too large for the cache is decoded in every iteration")
    func tooLarge() throws {
        let session = Session(loops: .times(3), cacheBytes: 300)
        let source = ScriptedFrameSource.flat([10, 10, 10])
        let run = try session.play(source)
        #expect(!run.hasReplayed)
        #expect(run.shown.count == 9)
        #expect(source.calls == 12)
    }

    @Test("An inline replay shows the same pictures and leaves the cursor below the picture")
    func inline() throws {
        let frames = jittering(seed: 3, frames: 6)
        let wanted = pictures(frames)
        var session = Session(loops: .times(3), size: CellSize(columns: 8, rows: 5))
        session.options.screen = .inline
        let run = try session.play(ScriptedFrameSource(frames))
        for shown in run.shown {
            let screen = run.screen(of: shown)
            let box = CellSize(columns: 8, rows: 4)
            let width = PictureFit().target(for: PixelSize(width: 24, height: 20), in: box).width
            let rows = wanted[0].count / width / 2
            #expect(distance(screen.halves(CellSize(columns: width, rows: rows)), wanted[shown.frame]) <= shown.bound)
            #expect(screen.row == rows && screen.column == 0)
        }
    }
}

@Suite("Recording a loop")
struct LoopRecordingTests {
    private func cache(limit: Int) throws -> LoopCache {
        let frame = IndexedFrame(rect: PixelRect(x: 0, y: 0, width: 1, height: 1), palette: [.black], [0])
        frame.canvas = PixelSize(width: 1, height: 1)
        let traits = TerminalTraits(size: CellSize(columns: 8, rows: 4))
        let appearance = PictureAppearance(canvas: frame.canvas, traits, PlaybackOptions())
        return LoopCache(limit: limit, try ScreenPicture(for: frame, appearance, .smooth))
    }

    /// Records the given frames of a loop of `count` frames. Each frame has `bytes` bytes, and its delay equals its
    /// number.
    private func record(_ frames: [Int], of count: Int = 3, bytes: Int = 10, in cache: LoopCache) {
        for frame in frames {
            var encoded = ByteBuffer()
            for _ in 0..<bytes { encoded.append(UInt8(frame)) }
            cache.noteDelay(Int64(frame), of: frame)
            cache.record(frame: frame, frames: count, fidelity: .standard, encoded: encoded)
        }
    }

    @Test("A recording that contains every frame is replayed from frame 0 on")
    func complete() throws {
        let cache = try cache(limit: 1 << 20)
        record([0, 1, 2], in: cache)
        let wasRecording = cache.isRecording
        record([0], in: cache)
        let (isRecording, isReplaying) = (cache.isRecording, cache.isReplaying)
        #expect(wasRecording && !isRecording && isReplaying)
        let (second, first) = (cache.next(after: 0), cache.next(after: 2))
        #expect(second.frame == 1 && second.delay == 1 && first.frame == 0 && first.delay == 0)
        let bytes = cache.bytes(of: 2).map { Array($0) }
        #expect(bytes == Array(repeating: 2, count: 10))
    }

    @Test("An incomplete recording is discarded, and frame 0 starts a new one", arguments: [[0, 2], [0, 1]])
    func incomplete(frames: [Int]) throws {
        let cache = try cache(limit: 1 << 20)
        record(frames, in: cache)
        record([0], in: cache)
        let isReplaying = cache.isReplaying
        record([1, 2, 0], in: cache)
        let isReplayingAfterwards = cache.isReplaying
        #expect(!isReplaying && isReplayingAfterwards)
    }

    @Test("After a replay is stopped, the next frame 0 starts a replay of the same recording")
    func stopped() throws {
        let cache = try cache(limit: 1 << 20)
        record([0, 1, 2, 0], in: cache)
        #expect(cache.stopReplay(at: 0))
        record([2], in: cache)
        let (isRecording, isReplaying) = (cache.isRecording, cache.isReplaying)
        record([0], in: cache)
        let isReplayingAgain = cache.isReplaying
        #expect(!isRecording && !isReplaying && isReplayingAgain)
    }

    @Test("takeUnsynced() returns each replayed update exactly once")
    func unsynced() throws {
        let cache = try cache(limit: 1 << 20)
        record([0, 1, 2], in: cache)
        let whileRecording = cache.takeUnsynced(through: 2).count
        record([0], in: cache)
        let counts = [2, 2, 1, 1].map { cache.takeUnsynced(through: $0).count }
        #expect(whileRecording == 0 && counts == [2, 0, 2, 0])
    }

    @Test("If a recording exceeds the limit, its bytes are dropped; if it is still too large, it is discarded")
    func limit() throws {
        let entry = MemoryLayout<LoopCache.Entry>.stride
        let roomy = try cache(limit: 3 * entry)
        record([0, 1, 2, 0], bytes: 2 * entry + 1, in: roomy)
        let (isReplaying, hasBytes) = (roomy.isReplaying, roomy.bytes(of: 1) != nil)
        #expect(isReplaying && !hasBytes)
        let tight = try cache(limit: 3 * entry - 1)
        record([0, 1, 2, 0], in: tight)
        let isTightReplaying = tight.isReplaying
        #expect(!isTightReplaying)
        let disabled = try cache(limit: 0)
        record([0], in: disabled)
        let isDisabledRecording = disabled.isRecording
        #expect(!isDisabledRecording)
    }
}
