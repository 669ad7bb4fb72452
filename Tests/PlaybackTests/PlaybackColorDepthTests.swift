import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("Playback with fewer colours")
struct PlaybackColorDepthTests {
    private func frames() -> [IndexedFrame] {
        var random = SeededRandom(3)
        let size = PixelSize(width: 12, height: 12)
        return (0..<5).map { _ in
            let palette = (0..<8).map { _ in CellColor.random(using: &random) }
            let pixels = (0..<size.area).map { _ in UInt8.random(in: 0..<8, using: &random) }
            let frame = IndexedFrame(rect: PixelRect(size), palette: palette, pixels)
            frame.canvas = size
            frame.delayCentiseconds = 10
            return frame
        }
    }

    /// Plays four loop iterations twice: without a loop cache, and with replays from the cache. Expects the same
    /// screens in both runs, and returns the run without the cache.
    private func playTwice(_ setUp: (inout Session) -> Void) throws -> Session.Run {
        func play(cacheBytes: Int) throws -> Session.Run {
            var session = Session(loops: .times(4))
            setUp(&session)
            session.options.loopCacheBytes = cacheBytes
            return try session.play(ScriptedFrameSource(frames()))
        }
        let decoded = try play(cacheBytes: 0)
        let replayed = try play(cacheBytes: 1 << 20)
        #expect(!decoded.hasReplayed && replayed.hasReplayed)
        #expect(decoded.shown == replayed.shown)
        for (left, right) in zip(decoded.shown, replayed.shown) {
            #expect(decoded.screen(of: left).cells == replayed.screen(of: right).cells, "\(left)")
        }
        return decoded
    }

    @Test(
        "A replayed loop shows the same colours as a decoded one",
        arguments: [ColorDepth.indexed, .sixteen, .eight, .none], [true, false])
    func replay(depth: ColorDepth, hasHalfBlocks: Bool) throws {
        let decoded = try playTwice { $0.colors = ColorFormat(depth: depth, hasHalfBlocks: hasHalfBlocks) }
        let cells = decoded.screenUpdates.flatMap(\.screen.cells)
        #expect(cells.contains { $0.background.isPaletteColor || depth == .none && "*+=xo#@".contains($0.glyph) })
        #expect(hasHalfBlocks && depth != .none || cells.allSatisfy { $0.glyph.isASCII })
    }

    @Test(
        "A replayed loop of subcells shows the same palette colours as a decoded one", arguments: SubcellGrid.allCases)
    func replay(grid: SubcellGrid) throws {
        let decoded = try playTwice {
            $0.colors = ColorFormat(depth: .indexed)
            $0.options.drawing.characters = .subcells(grid)
        }
        #expect(decoded.screenUpdates.flatMap(\.screen.cells).contains { $0.background.isPaletteColor })
    }

    @Test("When the terminal reports 24-bit colours, the picture is redrawn in them without clearing the screen")
    func upgrade() throws {
        let traits = TerminalTraits(size: CellSize(columns: 8, rows: 4))
        var session = Session(script: [.init(at: .ms(50), .changed, traits: traits), .key("q", at: 90)])
        session.colors = ColorFormat(depth: .indexed)
        let run = try session.play(ScriptedFrameSource(frames()))
        #expect(run.times == [0, 50])
        let texts = run.screenUpdates.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts[0].contains("8;5;") && !texts[0].contains("8;2;"))
        #expect(texts[1].contains("8;2;") && !texts[1].contains("8;5;") && !texts[1].contains("\u{1B}[2J"))
    }
}

extension CellColor {
    fileprivate var isPaletteColor: Bool { (0...255).contains { self == .palette($0) } }
}
