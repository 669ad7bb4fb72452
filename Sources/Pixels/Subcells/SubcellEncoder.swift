/// Draws pictures with quadrants, sextants or octants: two colours per cell, and a glyph that divides the cell.
///
/// As for half-blocks, ``CellPlan`` chooses the colours and the order of the cells. The plan's "upper half" of a cell
/// is the marked subcells, and its "lower half" is the other subcells.
final class SubcellEncoder: PictureEncoder, UpdateReplaying {
    private let grid: SubcellGrid
    private let cells: CellSize
    private let addressing: CursorAddressing
    private let glyphs: UnsafePointer<PackedGlyph>
    private let fitter: SubcellFitter
    private var format = ColorFormat.standard
    /// Converts the colours of patterns to those of the terminal; nil if the terminal shows all colours.
    private var palette: Palette?
    /// The pixels for which the pattern of each cell was computed. The pixels of a cell are adjacent in memory.
    private let sources: UnsafeMutablePointer<CellColor>
    /// The pattern of each cell, computed from ``sources``.
    private let fitted: UnsafeMutablePointer<SubcellPattern>
    /// The patterns that the terminal shows now.
    private let shown: UnsafeMutablePointer<SubcellPattern>
    private var plan: CellPlan
    private var queue: CellQueue

    /// - Parameter size: the ``PictureRaster/size`` of all rasters that will be encoded.
    init(_ grid: SubcellGrid, size: PixelSize, addressing: CursorAddressing) {
        self.grid = grid
        self.addressing = addressing
        cells = size.cells(grid.size)
        glyphs = PackedGlyph.table(grid)
        fitter = SubcellFitter(grid)
        let count = cells.columns * cells.rows
        sources = .allocate(capacity: count * grid.count)
        sources.initialize(repeating: .unknown, count: count * grid.count)
        fitted = .allocate(capacity: count)
        fitted.initialize(repeating: .unknown, count: count)
        shown = .allocate(capacity: count)
        shown.initialize(repeating: .unknown, count: count)
        plan = CellPlan(capacity: count)
        queue = CellQueue(capacity: count)
    }

    deinit {
        sources.deallocate()
        fitted.deallocate()
        shown.deallocate()
    }

    private var count: Int { cells.columns * cells.rows }

    var replayer: (any UpdateReplaying)? { count <= CellChanges.maximumCells ? self : nil }

    func setColors(_ newFormat: ColorFormat) {
        guard newFormat != format else { return }
        format = newFormat
        palette = Palette(newFormat, background: nil)
        // Makes the next update compute the pattern of each cell in its dirty area again.
        sources.update(repeating: .unknown, count: count * grid.count)
    }

    func assumeCleared() { shown.update(repeating: .blank, count: count) }

    func end(keepsPicture: Bool, into out: inout ByteBuffer) {}

    func encode(
        _ raster: borrowing PictureRaster, dirty: PixelRect, fidelity: Fidelity, into out: inout ByteBuffer,
        recording changes: inout CellChanges?
    ) {
        precondition(raster.cells == cells && raster.pixelsPerCell == grid.size)
        let area = dirty.intersection(PixelRect(raster.size))
        guard !area.isEmpty else { return }
        let columns = area.x / 2..<(area.maxX + 1) / 2
        queue.begin(palette == nil ? fidelity : .exact)
        for row in area.y / grid.size.height..<(area.maxY + grid.size.height - 1) / grid.size.height {
            planRow(row, columns, raster, fidelity.tolerance, &queue)
        }
        plan.begin()
        plan.add(all: queue)
        plan.finish()
        write(into: &out, recording: &changes)
    }

    /// Adds each cell of a row to the queue if its pattern differs by more than `tolerance` from the displayed pattern.
    private func planRow(
        _ row: Int, _ columns: Range<Int>, _ raster: borrowing PictureRaster, _ tolerance: ColorTolerance,
        _ queue: inout CellQueue
    ) {
        let all = grid.all
        for column in columns {
            let cell = row * cells.columns + column
            if updateSource(cell, row, column, raster, tolerance) {
                let pixels = UnsafePointer(sources + cell * grid.count)
                if let palette {
                    fitted[cell] = fit(pixels, palette, row, column)
                } else {
                    fitted[cell] = fitter.fit(pixels)
                }
            }
            let pattern = fitted[cell]
            let current = shown[cell]
            guard pattern.differs(from: current, by: tolerance, all) else { continue }
            let from = pattern.mask == current.mask ? current : .unknown
            let marked = CellPlan.Half(pattern.marked, from: from.marked, reach: tolerance.sentErrors(pattern.marked))
            let rest = CellPlan.Half(pattern.rest, from: from.rest, reach: tolerance.sentErrors(pattern.rest))
            let glyphs = (marked: glyphs[Int(pattern.mask)], rest: glyphs[Int(~pattern.mask & all)])
            queue.append(
                CellPosition(row: Int32(truncatingIfNeeded: row), column: Int32(truncatingIfNeeded: column)),
                marked, rest, CellPlan.Kind(marked, rest, glyphs), pattern.marked, pattern.rest)
        }
    }

    /// Returns the pattern for the pixels of a cell in the colours of a palette.
    private func fit(
        _ pixels: UnsafePointer<CellColor>, _ palette: Palette, _ row: Int, _ column: Int
    ) -> SubcellPattern {
        // After ``copyShown(after:into:)``, the pixels can be palette colours. A cell then has at most two colours, so
        // its pattern is known without fitting.
        if (0..<grid.count).contains(where: { pixels[$0].isPalette }) {
            return SubcellPattern(shownAs: UnsafeBufferPointer(start: pixels, count: grid.count))
        }
        return fitter.fit(pixels).reduced(palette, row, column, grid)
    }

    /// Copies the pixels of a cell from the raster if any pixel differs by more than `tolerance` from its value in
    /// ``sources``.
    /// - Returns: whether the pixels were copied.
    @inline(__always)
    private func updateSource(
        _ cell: Int, _ row: Int, _ column: Int, _ raster: borrowing PictureRaster, _ tolerance: ColorTolerance
    ) -> Bool {
        let height = grid.size.height
        // Two adjacent pixels form one 64-bit word.
        let rowWords = raster.size.width / 2
        let words =
            UnsafeRawPointer(raster.pixels.baseAddress.unsafelyUnwrapped)
            .assumingMemoryBound(to: UInt64.self) + (row * height * rowWords + column)
        let known = UnsafeMutableRawPointer(sources).assumingMemoryBound(to: UInt64.self) + cell * height
        var isChanged = false
        for line in 0..<height {
            let word = words[line &* rowWords]
            guard word != known[line] else { continue }
            isChanged = isChanged || tolerance.isExceeded(word, known[line])
        }
        guard isChanged else { return false }
        for line in 0..<height { known[line] = words[line &* rowWords] }
        return true
    }

    /// Writes the planned cells and records that the terminal shows them now.
    private func write(into out: inout ByteBuffer, recording changes: inout CellChanges?) {
        var writer = CellWriter(addressing, width: cells.columns)
        let all = grid.all
        for number in 0..<plan.count {
            let cell = plan[number]
            let (row, column) = (Int(cell.position.row), Int(cell.position.column))
            let index = row * cells.columns + column
            let drawn = Self.drawing(of: cell, plan, mask: fitted[index].mask, all: all)
            out.reserve(CellWriter.longestCell)
            writer.write(row: row, column: column, glyphs[Int(drawn.mask)], drawn.marked, drawn.rest, &out)
            shown[index] =
                cell.glyph == .lower
                ? SubcellPattern(mask: fitted[index].mask, marked: drawn.rest, rest: drawn.marked) : drawn
            changes?.append(
                CellChanges.Change(
                    cell: index, glyph: drawn.mask, foreground: drawn.marked, background: drawn.rest),
                width: cells.columns)
        }
        writer.finish(&out)
    }

    /// Returns the foreground (`marked`), the background (`rest`) and the glyph's mask of a planned cell.
    /// - Parameters:
    ///   - mask: the mask of the cell's pattern.
    ///   - all: the mask of all subcells.
    @inline(__always)
    private static func drawing(
        of cell: CellPlan.Cell, _ plan: borrowing CellPlan, mask: UInt8, all: UInt8
    ) -> SubcellPattern {
        let background = plan.color(cell.background)
        switch cell.glyph {
        case .space: return SubcellPattern(mask: 0, marked: .unknown, rest: background)
        case .upper: return SubcellPattern(mask: mask, marked: plan.color(cell.foreground), rest: background)
        case .lower: return SubcellPattern(mask: ~mask & all, marked: plan.color(cell.foreground), rest: background)
        }
    }

    // MARK: - Replaying

    func encode(_ changes: CellChanges.Slice, into out: inout ByteBuffer) {
        var writer = CellWriter(addressing, width: cells.columns)
        changes.forEach { row, column, change in
            out.reserve(CellWriter.longestCell)
            writer.write(
                row: row, column: column, glyphs[Int(change.glyph)], change.foreground, change.background, &out)
        }
        writer.finish(&out)
    }

    func apply(_ changes: CellChanges.Slice) {
        changes.forEach { row, column, change in shown[row * cells.columns + column] = SubcellPattern(change) }
    }

    func copyShown(after updates: [CellChanges.Slice], into raster: borrowing PictureRaster) {
        for row in 0..<cells.rows {
            for column in 0..<cells.columns { draw(shown[row * cells.columns + column], row, column, raster) }
        }
        for update in updates {
            update.forEach { row, column, change in draw(SubcellPattern(change), row, column, raster) }
        }
    }

    private func draw(_ pattern: SubcellPattern, _ row: Int, _ column: Int, _ raster: borrowing PictureRaster) {
        for subcell in 0..<grid.count {
            let (y, x) = (row * grid.size.height + subcell / 2, column * 2 + subcell % 2)
            raster.pixels[y * raster.size.width + x] = pattern.color(subcell)
        }
    }
}
