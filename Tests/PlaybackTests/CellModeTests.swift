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
        return screen.subcells(
            row: (box.rows - cells.rows) / 2, column: (box.columns - cells.columns) / 2, cells, grid)
    }

    @Test("Decoded, replayed and late frames look like stills", arguments: SubcellGrid.allCases, [0, 9000])
    func plays(grid: SubcellGrid, bytesPerSecond: Int) throws {
        let frames = frames(UInt64(grid.count))
        var session = Session(loops: .times(4))
        session.options.drawing.characters = .subcells(grid)
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
        session.options.drawing.characters = .subcells(grid)
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
