import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("Playing in the cell modes")
struct CellModeTests {
    private static let canvas = PixelSize(width: 24, height: 20)

    private func frames(_ seed: UInt64) -> [IndexedFrame] {
        var random = SeededRandom(seed)
        return (0..<10).map { _ in
            let frame = IndexedFrame.random(on: Self.canvas, using: &random)
            frame.canvas = Self.canvas
            frame.delayCentiseconds = 5
            return frame
        }
    }

    /// Returns the picture of each frame, drawn as a still.
    private func stills(_ frames: [IndexedFrame], _ grid: SubcellGrid, _ box: CellSize) throws -> [[CellColor]] {
        var reference = ReferenceRenderer(canvas: Self.canvas)
        let target = PictureFit().target(for: Self.canvas, in: box, pixelsPerCell: grid.size)
        return try frames.map { frame in
            reference.draw(frame)
            let raster = PictureRaster(size: target, pixelsPerCell: grid.size)
            let pixels = reference.scaled(to: target, filter: .smooth, backdrop: .unknownTerminal)
            for (index, color) in pixels.prefix(target.area).enumerated() {
                let (y, x) = index.quotientAndRemainder(dividingBy: target.width)
                raster.pixels[y * raster.size.width + x] = color
            }
            var out = ByteBuffer()
            PictureMode.subcells(grid).encodeStill(raster, into: &out)
            var screen = VirtualScreen(columns: box.columns + 1, rows: box.rows + 1)
            for line in String(decoding: out.bytes, as: UTF8.self).split(separator: "\n") {
                try screen.feed((line + "\r\n").utf8)
            }
            return screen.subcells(raster.cells, grid)
        }
    }

    private func shown(_ screen: VirtualScreen, _ grid: SubcellGrid, _ box: CellSize) -> [CellColor] {
        let cells = PictureFit().target(for: Self.canvas, in: box, pixelsPerCell: grid.size).cells(grid.size)
        return screen.subcells(row: (box.rows - cells.rows) / 2, column: (box.columns - cells.columns) / 2, cells, grid)
    }

    @Test("Decoded, replayed and late frames look like stills", arguments: SubcellGrid.allCases, [0, 9000])
    func plays(grid: SubcellGrid, bytesPerSecond: Int) throws {
        let frames = frames(UInt64(grid.count))
        var session = Session(loops: .times(4))
        session.options.mode = .subcells(grid)
        session.options.fidelity = .exact
        session.options.showsStatus = false
        session.bytesPerSecond = bytesPerSecond == 0 ? nil : bytesPerSecond
        let wanted = try stills(frames, grid, session.size)
        let run = try session.play(ScriptedFrameSource(frames))
        #expect(run.hasReplayed || bytesPerSecond > 0)
        for update in run.shown {
            let picture = shown(run.screen(of: update), grid, session.size)
            #expect(picture == wanted[update.frame], "iteration \(update.iteration), frame \(update.frame)")
        }
    }

    @Test("After a resize, the picture fits the new pane", arguments: SubcellGrid.allCases)
    func resizes(grid: SubcellGrid) throws {
        let frames = frames(3)
        var session = Session(loops: .times(3), script: [.resize(13, 9, at: 120), .resize(7, 5, at: 700)])
        session.options.mode = .subcells(grid)
        session.options.fidelity = .exact
        session.options.showsStatus = false
        let run = try session.play(ScriptedFrameSource(frames))
        let small = try stills(frames, grid, CellSize(columns: 7, rows: 5))
        for update in run.shown where update.time > 700 {
            let screen = run.screen(of: update)
            #expect(shown(screen, grid, screen.size) == small[update.frame], "\(update.time) ms")
        }
    }
}

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
            $0.options.mode = .subcells(grid)
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

@Suite("A still as lines of text")
struct StillRendererTests {
    private func render(_ gif: GIFBuilder, _ change: (inout PlaybackOptions) -> Void = { _ in }) throws -> String {
        var options = PlaybackOptions()
        options.fit.enlarges = false
        change(&options)
        var out = ByteBuffer()
        let traits = TerminalTraits(size: CellSize(columns: 10, rows: 5))
        try StillRenderer.render(gif.reader(), for: traits, options: options, into: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test("Each line shows a row of cells, sets its own colours and resets them")
    func lines() throws {
        let text = try render(GIFBuilder(width: 2, height: 4).image(width: 2, height: 4, [1, 1, 2, 2, 3, 1, 3, 2]))
        #expect(text.filter { $0 == "\n" }.count == 2)
        var screen = VirtualScreen(columns: 5, rows: 3)
        for line in text.split(separator: "\n") {
            #expect(line.hasSuffix("\u{1B}[0m"))
            try screen.feed((line + "\r\n").utf8)
        }
        let (red, green, blue) = (GIFBuilder.fourColors[1], GIFBuilder.fourColors[2], GIFBuilder.fourColors[3])
        #expect(screen.halves(CellSize(columns: 2, rows: 2)) == [red, red, green, green, blue, red, blue, green])
        #expect(screen[0, 2].upper == .terminalDefault)
    }

    @Test("Frames that draw nothing are skipped")
    func emptyFrames() throws {
        let gif = GIFBuilder(width: 2, height: 2).control(transparent: 0).image(width: 2, height: 2, [0, 0, 0, 0])
        #expect(try render(gif.image(width: 2, height: 2, [1, 1, 1, 1]).trailer()).contains("48;2;255;0;0"))
        #expect(try !render(gif.trailer()).contains("48;2"))
    }

    @Test("A chosen background is visible in transparent areas")
    func background() throws {
        let gif = GIFBuilder(width: 2, height: 2).control(transparent: 0).image(width: 2, height: 2, [0, 0, 0, 0])
        let text = try render(gif.trailer()) { $0.background = CellColor(red: 1, green: 2, blue: 3) }
        #expect(text == "\u{1B}[48;2;1;2;3m  \u{1B}[0m\n")
    }

    @Test("A GIF without an image is reported as an error")
    func noImage() {
        #expect(throws: GIFError.noImage([])) { try render(GIFBuilder(width: 1, height: 1).trailer()) }
    }
}
