import TestSupport
import Testing

@testable import Pixels

@Suite("Encoding subcells")
struct SubcellEncoderTests {
    /// Encodes successive states of a raster and feeds the bytes to a virtual screen.
    private struct Session: ~Copyable {
        let grid: SubcellGrid
        let encoder: SubcellEncoder
        let raster: PictureRaster
        var screen: VirtualScreen
        var out = ByteBuffer()
        let idleRow: Int

        init(_ grid: SubcellGrid, columns: Int, rows: Int, isInline: Bool = false) throws {
            self.grid = grid
            let size = PixelSize(width: columns * 2, height: rows * grid.size.height)
            raster = PictureRaster(size: size, pixelsPerCell: grid.size)
            screen = VirtualScreen(columns: columns, rows: rows + 1)
            idleRow = rows
            encoder = SubcellEncoder(
                grid, size: size, addressing: isInline ? .inline(idleRow: rows) : .absolute(row: 1, column: 1))
            if isInline { for _ in 0..<rows { try screen.feed("\r\n".utf8) } }
            encoder.assumeCleared()
        }

        mutating func update(
            _ fidelity: Fidelity = .exact, dirty: PixelRect? = nil, recording changes: inout CellChanges?
        ) throws -> [UInt8] {
            out.removeAll()
            encoder.encode(
                raster, dirty: dirty ?? PixelRect(raster.size), fidelity: fidelity, into: &out, recording: &changes)
            try screen.feed(out.bytes)
            return Array(out.bytes)
        }

        mutating func update(_ fidelity: Fidelity = .exact, dirty: PixelRect? = nil) throws -> [UInt8] {
            var nothing: CellChanges?
            return try update(fidelity, dirty: dirty, recording: &nothing)
        }

        var shown: [CellColor] { screen.subcells(raster.cells, grid) }

        /// The best pattern of each cell, computed from the whole raster.
        var wanted: [CellColor] {
            let fitter = SubcellFitter(grid)
            let copy = PictureRaster(size: raster.size, pixelsPerCell: grid.size)
            for cell in 0..<raster.cells.columns * raster.cells.rows {
                let (row, column) = cell.quotientAndRemainder(dividingBy: raster.cells.columns)
                let indices = (0..<grid.count).map {
                    (row * grid.size.height + $0 / 2) * raster.size.width + column * 2 + $0 % 2
                }
                let pattern = indices.map { raster.pixels[$0] }.withUnsafeBufferPointer {
                    fitter.fit($0.baseAddress.unsafelyUnwrapped)
                }
                for (subcell, index) in indices.enumerated() { copy.pixels[index] = pattern.color(subcell) }
            }
            return Array(copy.pixels)
        }

        func scramble(_ random: inout SeededRandom, share: Double) {
            let colors = [.terminalDefault, .black] + (0..<3).map { _ in CellColor.random(using: &random) }
            for index in raster.pixels.indices where Double.random(in: 0..<1, using: &random) < share {
                raster.pixels[index] = colors.randomElement(using: &random) ?? .black
            }
        }

        /// Draws a gradient with jitter of up to `reach` levels.
        func waver(_ random: inout SeededRandom, reach: Int) {
            for index in raster.pixels.indices {
                let (y, x) = index.quotientAndRemainder(dividingBy: raster.size.width)
                func channel(_ slope: Int) -> UInt8 {
                    UInt8(min(255, max(0, 20 + x * slope + y * 2 + .random(in: -reach...reach, using: &random))))
                }
                raster.pixels[index] = CellColor(red: channel(1), green: channel(4), blue: channel(9))
            }
        }
    }

    private func distance(_ left: CellColor, _ right: CellColor) -> Int {
        if left == right { return 0 }
        guard left.isColor, right.isColor else { return 999 }
        return max(abs(left.red - right.red), abs(left.green - right.green), abs(left.blue - right.blue))
    }

    @Test(
        "Octants that kitty and foot lack are never written, and only their transparent cells look different",
        arguments: [CellColor(red: 9, green: 9, blue: 9), CellColor.terminalDefault])
    func missingOctants(rest: CellColor) throws {
        let missing: Set<UInt32> = [0x1CEA0, 0x1CEA3, 0x1CEA8, 0x1CEAB, 0x1FBE6, 0x1FBE7]
        let marked = CellColor(red: 200, green: 0, blue: 0)
        var session = try Session(.octant, columns: 255, rows: 1)
        for mask in 0..<255 {
            for subcell in 0..<8 {
                let index = subcell / 2 * session.raster.size.width + mask * 2 + subcell % 2
                session.raster.pixels[index] = mask >> subcell & 1 != 0 ? marked : rest
            }
        }
        let update = try session.update()
        let different = zip(session.shown, session.raster.pixels).count { $0 != $1 }
        #expect(different == (rest == .terminalDefault ? missing.count : 0))
        var still = ByteBuffer()
        PictureMode.subcells(.octant).encodeStill(session.raster, into: &still)
        var gallery = ByteBuffer()
        let cells = CellSize(columns: 255, rows: 1)
        let screen = ScreenGrid(size: cells)
        let fitted = ScreenCellFitter(.subcells(.octant)).cells(of: session.raster)
        screen.draw(fitted, width: 255, row: 0, column: 0, visible: 0..<1)
        var encoder = ScreenEncoder(size: cells, mode: .subcells(.octant))
        encoder.encode(screen, GlyphTable(), fidelity: .exact, into: &gallery)
        for bytes in [update, Array(still.bytes), Array(gallery.bytes)] {
            let written = String(decoding: bytes, as: UTF8.self).unicodeScalars
            #expect(written.contains { (0x1CD00...0x1CDE5).contains($0.value) })
            #expect(!written.contains { missing.contains($0.value) })
        }
    }

    @Test("The screen shows exactly the best pattern of each cell", arguments: SubcellGrid.allCases, 0..<6)
    func exact(grid: SubcellGrid, seed: UInt64) throws {
        var random = SeededRandom(seed)
        var session = try Session(
            grid, columns: .random(in: 1...14, using: &random), rows: .random(in: 1...7, using: &random),
            isInline: seed % 2 == 0)
        for round in 0..<16 {
            if round % 4 == 3 {
                session.waver(&random, reach: 5)
            } else {
                session.scramble(&random, share: .random(in: 0...1, using: &random))
            }
            _ = try session.update()
            let (shown, wanted) = (session.shown, session.wanted)
            #expect(shown == wanted)
        }
        #expect(session.screen.scrolledLines == 0)
        if seed % 2 == 0 { #expect(session.screen.row == session.idleRow) }
    }

    @Test(
        "With a tolerance, the error of each subcell is limited, and updates are smaller than without one",
        arguments: SubcellGrid.allCases, [Fidelity.standard, .low, .coarse])
    func tolerance(grid: SubcellGrid, fidelity: Fidelity) throws {
        var random = SeededRandom(5)
        var session = try Session(grid, columns: 12, rows: 6)
        var exact = try Session(grid, columns: 12, rows: 6)
        var (bytes, exactBytes) = (0, 0)
        for _ in 0..<20 {
            session.waver(&random, reach: 1)
            exact.raster.pixels.baseAddress?.update(
                from: session.raster.pixels.baseAddress.unsafelyUnwrapped, count: session.raster.size.area)
            bytes += try session.update(fidelity).count
            exactBytes += try exact.update().count
            // A pattern is computed again only if a pixel has changed by more than the bound. The displayed colours can
            // also differ from those of the pattern by the bound. So the error of a subcell is at most the error of the
            // exact pattern plus twice the bound.
            let (shown, pixels, best) = (session.shown, Array(session.raster.pixels), exact.shown)
            let worst = zip(best, pixels).map(visibleDifference).max() ?? 0
            #expect((zip(shown, pixels).map(visibleDifference).max() ?? 0) <= worst + 2 * fidelity.bound)
        }
        #expect(bytes < exactBytes)
    }

    @Test("An exact update after a coarser one corrects every subcell", arguments: SubcellGrid.allCases)
    func refines(grid: SubcellGrid) throws {
        var random = SeededRandom(9)
        var session = try Session(grid, columns: 9, rows: 5)
        for _ in 0..<8 {
            session.waver(&random, reach: 3)
            _ = try session.update(.coarse)
            _ = try session.update(.exact)
            let (shown, wanted) = (session.shown, session.wanted)
            #expect(shown == wanted)
        }
    }

    @Test("No bytes are sent for an unchanged raster", arguments: SubcellGrid.allCases)
    func unchanged(grid: SubcellGrid) throws {
        var random = SeededRandom(2)
        var session = try Session(grid, columns: 6, rows: 4)
        session.scramble(&random, share: 0.5)
        #expect(try !session.update().isEmpty)
        #expect(try session.update().isEmpty)
        #expect(try session.update(dirty: .empty).isEmpty)
    }

    @Test("Only the cells that the dirty rectangle touches are encoded", arguments: SubcellGrid.allCases)
    func dirty(grid: SubcellGrid) throws {
        var session = try Session(grid, columns: 4, rows: 3)
        for index in session.raster.pixels.indices { session.raster.pixels[index] = .black }
        _ = try session.update(dirty: PixelRect(x: 3, y: grid.size.height, width: 2, height: 1))
        let backgrounds = (0..<12).map { session.screen[$0 / 4, $0 % 4].background }
        #expect(backgrounds.indices.filter { backgrounds[$0] == .black } == [5, 6])
    }

    @Test("If a cell is the previous one with swapped colours, the inverted glyph is sent without new colours")
    func inverts() throws {
        let (red, blue) = (CellColor(red: 255, green: 0, blue: 0), CellColor(red: 0, green: 0, blue: 255))
        var session = try Session(.quadrant, columns: 2, rows: 1)
        for (index, color) in [red, blue, blue, red, blue, blue, red, red].enumerated() {
            session.raster.pixels[index] = color
        }
        let text = String(decoding: try session.update(), as: UTF8.self)
        #expect(text.ranges(of: "38;2").count == 1)
        let (shown, wanted) = (session.shown, Array(session.raster.pixels))
        #expect(shown == wanted)
    }

    @Test("A recorded update has the same bytes and result in another encoder", arguments: SubcellGrid.allCases)
    func replays(grid: SubcellGrid) throws {
        var random = SeededRandom(4)
        var session = try Session(grid, columns: 8, rows: 4)
        let follower = SubcellEncoder(
            grid, size: session.raster.size, addressing: .absolute(row: 1, column: 1))
        follower.assumeCleared()
        let copy = PictureRaster(size: session.raster.size, pixelsPerCell: grid.size)
        for round in 0..<10 {
            session.scramble(&random, share: 0.3)
            var changes: CellChanges? = CellChanges()
            let written = try session.update(round == 0 ? .exact : .low, recording: &changes)
            let update = try #require(changes)
            let slice = update[0..<update.count]
            var out = ByteBuffer()
            follower.encode(slice, into: &out)
            #expect(Array(out.bytes) == written)
            follower.copyShown(after: [slice], into: copy)
            let (ahead, shown) = (Array(copy.pixels), session.shown)
            #expect(ahead == shown)
            follower.apply(slice)
            follower.copyShown(after: [], into: copy)
            let copied = Array(copy.pixels)
            #expect(copied == shown)
            // The copy contains exactly the pixels that the terminal displays, so displaying it needs no bytes.
            out.removeAll()
            var nothing: CellChanges?
            follower.encode(copy, dirty: PixelRect(copy.size), fidelity: .exact, into: &out, recording: &nothing)
            #expect(out.count == 0)
        }
    }

    @Test("A still picture consists of the same patterns as an update", arguments: SubcellGrid.allCases)
    func still(grid: SubcellGrid) throws {
        var random = SeededRandom(6)
        var session = try Session(grid, columns: 7, rows: 4)
        session.scramble(&random, share: 0.7)
        _ = try session.update()
        var out = ByteBuffer()
        PictureMode.subcells(grid).encodeStill(session.raster, into: &out)
        var screen = VirtualScreen(columns: 8, rows: 5)
        for line in String(decoding: out.bytes, as: UTF8.self).split(separator: "\n") {
            #expect(line.hasSuffix("\u{1B}[0m"))
            try screen.feed((line + "\r\n").utf8)
        }
        let (still, shown) = (screen.subcells(session.raster.cells, grid), session.shown)
        #expect(still == shown)
    }
}
