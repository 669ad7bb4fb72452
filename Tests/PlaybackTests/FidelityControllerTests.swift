import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("Fidelity on a slow connection")
struct FidelityControllerTests {
    /// Returns the fidelity level after each frame. The frames are 100 ms apart.
    private func levels(_ chosen: Fidelity, _ behind: [Bool]) -> [Fidelity] {
        var controller = FidelityController(chosen)
        return behind.enumerated().map { number, wasBehind in
            let before = controller.level
            let hasChanged = controller.update(wasBehind: wasBehind, at: .ms(Int64(number) * 100))
            #expect(hasChanged == (controller.level != before))
            return controller.level
        }
    }

    private func run(_ wasBehind: Bool, _ count: Int) -> [Bool] { Array(repeating: wasBehind, count: count) }

    @Test("Two consecutive late frames lower the fidelity; a single late frame does not")
    func down() {
        #expect(
            levels(.standard, [true, false, true, false, true, true])
                == [.standard, .standard, .standard, .standard, .standard, .low])
    }

    @Test("The first late frame after a change of the fidelity is ignored; the coarsest fidelity is never lowered")
    func coarsestLevel() {
        #expect(
            levels(.standard, run(true, 12))
                == [.standard, .low, .low, .low] + Array(repeating: Fidelity.coarse, count: 8))
        #expect(levels(.low, run(true, 2)).last == .coarse)
    }

    @Test("The fidelity 'exact' is never lowered")
    func exact() {
        #expect(levels(.exact, run(true, 50)).allSatisfy { $0 == .exact })
    }

    @Test("The fidelity rises one level after every three seconds without late frames")
    func up() {
        let levels = levels(.standard, run(true, 5) + run(false, 100))
        #expect(levels[4] == .coarse)
        #expect(levels.firstIndex(of: .coarse) == 4)
        #expect(levels[34] == .coarse && levels[35] == .low)
        #expect(levels[65] == .low && levels[66] == .standard)
        #expect(levels.last == .standard)
    }

    @Test("If the fidelity falls again soon after a rise, the next rise is delayed")
    func longerDelay() {
        let levels = levels(.standard, run(true, 2) + run(false, 31) + run(true, 2) + run(false, 100))
        #expect(levels[32] == .standard && levels[34] == .low)
        #expect(levels[94] == .low && levels[95] == .standard)
    }

    // MARK: - In the player

    /// Returns frames of 100 ms that show one picture. In each frame, every colour channel differs from this picture by
    /// a random amount of at most `jitter`.
    private func frames(_ count: Int, jitter: Int, _ random: inout SeededRandom) -> [IndexedFrame] {
        let size = PixelSize(width: 16, height: 16)
        let pixels = (0..<size.area).map { _ in UInt8.random(in: 0..<64, using: &random) }
        var base = SeededRandom(99)
        let colors = (0..<64).map { _ in (0..<3).map { _ in Int.random(in: 20...230, using: &base) } }
        return (0..<count).map { _ in
            let palette = colors.map { color in
                let off = color.map { UInt8($0 + Int.random(in: -jitter...jitter, using: &random)) }
                return CellColor(red: off[0], green: off[1], blue: off[2])
            }
            let frame = IndexedFrame(rect: PixelRect(size), palette: palette, pixels)
            frame.canvas = size
            frame.delayCentiseconds = 10
            return frame
        }
    }

    private func session(_ bytesPerSecond: Int) -> Session {
        let session = Session(loops: .times(1), size: CellSize(columns: 16, rows: 9), bytesPerSecond: bytesPerSecond)
        return session
    }

    @Test("On a slow connection, the fidelity is lowered, fewer frames are dropped, and a note is shown")
    func lowers() throws {
        var random = SeededRandom(1)
        let frames = frames(60, jitter: 4, &random)
        var session = session(14_000)
        let run = try session.play(ScriptedFrameSource(frames))
        session.options.fidelity = .exact
        let exact = try session.play(ScriptedFrameSource(frames))
        #expect(run.shown.contains { $0.bound == 3 })
        #expect(exact.dropped.count > 30 && run.dropped.count * 3 < exact.dropped.count)
        #expect(exact.shown.allSatisfy { $0.bound == 0 })
        let lowered = try #require(run.shown.last)
        #expect(lowered.bound > 1)
        #expect(run.screen(of: lowered).text(row: 8).contains("±\(lowered.bound) "))
        #expect(!exact.screenUpdates.contains { $0.screen.text(row: 8).contains("±") })
    }

    @Test("When the connection keeps up again, the fidelity rises and the note is removed")
    func rises() throws {
        var random = SeededRandom(2)
        // Four seconds in which the colours jitter, then eight seconds without jitter.
        let frames = frames(40, jitter: 20, &random) + frames(80, jitter: 0, &random)
        let run = try session(14_000).play(ScriptedFrameSource(frames))
        let last = try #require(run.shown.last)
        #expect(run.shown.contains { $0.bound > 1 })
        #expect(last.bound == 1)
        #expect(!run.screen(of: last).text(row: 8).contains("±"))
    }

    @Test("A fast connection keeps the chosen fidelity")
    func stays() throws {
        var random = SeededRandom(3)
        let run = try session(10_000_000).play(ScriptedFrameSource(frames(30, jitter: 20, &random)))
        #expect(run.shown.dropFirst().allSatisfy { $0.bound == 1 })
        #expect(run.dropped.isEmpty)
    }

    @Test("The fidelity changes during replays, and each frame has the accuracy of its fidelity", arguments: 0..<4)
    func replays(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let frames = frames(10, jitter: 5, &random)
        // Playback is slow at first, then so fast that the connection falls behind, and then slow again.
        let faster: Script = (0..<5).map { _ in .key("+", at: 6000) }
        let slower: Script = (0..<8).map { _ in .key("-", at: 12_000) }
        var session = session(60_000)
        session.options.loops = .forever
        session.script = faster + slower + [.key("q", at: 60_000)]
        let run = try session.play(ScriptedFrameSource(frames))
        let replayed = run.shown.filter { $0.isReplayed && $0.frame > 0 }
        #expect(replayed.contains { $0.bound == 1 && $0.time < 6000 })
        #expect(replayed.contains { $0.bound > 1 })
        #expect(replayed.last?.bound == 1)
        var reference = ReferenceRenderer(canvas: PixelSize(width: 16, height: 16))
        let wanted = frames.map { frame in
            reference.draw(frame)
            return reference.scaled(to: PixelSize(width: 16, height: 16), filter: .smooth, backdrop: .terminal(.black))
        }
        for shown in run.shown {
            let seen = run.screen(of: shown).halves(CellSize(columns: 16, rows: 8))
            #expect(distance(seen, wanted[shown.frame]) <= shown.bound, "\(shown.time) ms, frame \(shown.frame)")
        }
    }
}
