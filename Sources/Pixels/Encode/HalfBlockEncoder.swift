/// Draws pictures with half-blocks: two pixels per cell, one above the other.
public final class HalfBlockEncoder: PictureEncoder, UpdateReplaying {
    /// The colours that the terminal shows now.
    private let shown: PictureRaster
    private var plan: CellPlan
    private var queue: CellQueue
    public let addressing: CursorAddressing

    /// - Parameter size: the ``PictureRaster/size`` of all rasters that will be encoded.
    public init(size: PixelSize, addressing: CursorAddressing) {
        shown = PictureRaster(size: size)
        plan = CellPlan(capacity: shown.size.area / 2)
        queue = CellQueue(capacity: shown.size.area / 2)
        self.addressing = addressing
        forget()
    }

    /// Marks all cells as unknown. The next update then sends every cell of its dirty area.
    public func forget() { shown.pixels.update(repeating: .unknown) }

    public var replayer: (any UpdateReplaying)? { shown.size.area / 2 <= CellChanges.maximumCells ? self : nil }

    public func assumeCleared() { shown.pixels.update(repeating: .terminalDefault) }

    public func end(keepsPicture: Bool, into out: inout ByteBuffer) {}

    public func encode(
        _ raster: borrowing PictureRaster, dirty: PixelRect, fidelity: Fidelity,
        into out: inout ByteBuffer, recording changes: inout CellChanges?
    ) {
        precondition(raster.size == shown.size)
        let area = dirty.intersection(PixelRect(raster.size))
        guard !area.isEmpty else { return }
        queue.begin(fidelity)
        for row in area.y / 2..<(area.maxY + 1) / 2 {
            planRow(row, area.x..<area.maxX, raster, fidelity.tolerance, &queue)
        }
        plan.begin()
        plan.add(all: queue)
        plan.finish()
        write(plan, into: &out, recording: &changes)
    }

    /// Adds the cells of a row to the queue that differ by more than `tolerance` from the cells that the terminal shows.
    @inline(__always)
    private func planRow(
        _ row: Int, _ columns: Range<Int>, _ raster: borrowing PictureRaster, _ tolerance: ColorTolerance,
        _ queue: inout CellQueue
    ) {
        let width = raster.size.width
        let upper = raster.pixels.baseAddress.unsafelyUnwrapped + row * 2 * width
        let lower = upper + width
        let shownUpper = shown.pixels.baseAddress.unsafelyUnwrapped + row * 2 * width
        let shownLower = shownUpper + width
        for column in columns {
            let top = upper[column]
            let bottom = lower[column]
            let target = Self.bits(top, bottom)
            let current = Self.bits(shownUpper[column], shownLower[column])
            guard target != current, tolerance.isExceeded(target, current) else { continue }
            let upperHalf = CellPlan.Half(top, from: shownUpper[column], reach: tolerance.sentErrors(top))
            let lowerHalf = CellPlan.Half(bottom, from: shownLower[column], reach: tolerance.sentErrors(bottom))
            queue.append(
                CellPosition(row: Int32(truncatingIfNeeded: row), column: Int32(truncatingIfNeeded: column)),
                upperHalf, lowerHalf, CellPlan.Kind(upperHalf, lowerHalf), top, bottom)
        }
    }

    @inline(__always)
    private static func bits(_ top: CellColor, _ bottom: CellColor) -> UInt64 {
        UInt64(top.bits) | UInt64(bottom.bits) &<< 32
    }

    /// Writes the planned cells and records that the terminal shows them now.
    private func write(
        _ plan: borrowing CellPlan, into out: inout ByteBuffer, recording changes: inout CellChanges?
    ) {
        let width = shown.size.width
        var writer = CellWriter(addressing, width: width)
        for number in 0..<plan.count {
            let cell = plan[number]
            let (row, column) = (Int(cell.position.row), Int(cell.position.column))
            let foreground = cell.glyph == .space ? .unknown : plan.color(cell.foreground)
            let background = plan.color(cell.background)
            out.reserve(CellWriter.longestCell)
            writer.write(row: row, column: column, cell.glyph, foreground, background, &out)
            let upper = shown.pixels.baseAddress.unsafelyUnwrapped + (row * 2 * width + column)
            upper[0] = cell.glyph == .upper ? foreground : background
            upper[width] = cell.glyph == .lower ? foreground : background
            changes?.append(
                CellChanges.Change(
                    cell: row * width + column, glyph: cell.glyph.rawValue, foreground: foreground,
                    background: background),
                width: width)
        }
        writer.finish(&out)
    }

    // MARK: - Replaying

    public func encode(_ changes: CellChanges.Slice, into out: inout ByteBuffer) {
        var writer = CellWriter(addressing, width: shown.size.width)
        changes.forEach { row, column, change in
            out.reserve(CellWriter.longestCell)
            writer.write(row: row, column: column, change.halfBlock, change.foreground, change.background, &out)
        }
        writer.finish(&out)
    }

    public func apply(_ changes: CellChanges.Slice) { shown.apply(changes) }

    public func copyShown(after updates: [CellChanges.Slice], into raster: borrowing PictureRaster) {
        raster.pixels.baseAddress?.update(from: shown.pixels.baseAddress.unsafelyUnwrapped, count: shown.size.area)
        for update in updates { raster.apply(update) }
    }
}

extension PictureRaster {
    /// Sets the half-blocks in `changes` to the colours of the recorded update.
    fileprivate func apply(_ changes: CellChanges.Slice) {
        changes.forEach { row, column, change in
            let index = row * 2 * size.width + column
            pixels[index] = change.top
            pixels[index + size.width] = change.bottom
        }
    }
}
