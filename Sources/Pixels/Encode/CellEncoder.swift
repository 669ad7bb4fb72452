/// A raster -> the bytes that make the terminal show it, given what it shows already.
public struct CellEncoder: ~Copyable {
    /// What the terminal shows, laid out as the raster is.
    private let shown: HalfBlockRaster
    public let addressing: CursorAddressing

    /// - Parameter size: of the rasters to come, as ``HalfBlockRaster/size``.
    public init(size: PixelSize, addressing: CursorAddressing) {
        shown = HalfBlockRaster(size: size)
        self.addressing = addressing
        forget()
    }

    /// From here on the terminal may show anything: the next update sends every cell.
    public func forget() {
        shown.pixels.update(repeating: .unknown)
    }

    /// The terminal was cleared: every cell shows its own background.
    public func assumeCleared() {
        shown.pixels.update(repeating: .terminalDefault)
    }

    /// Appends the update that brings the terminal to `raster` within `fidelity`.
    /// - Parameters:
    ///   - dirty: in half-block pixels; outside it `raster` is as at the call before.
    ///   - changes: if given, takes a record of the cells sent, for ``apply(_:)``.
    /// - Returns: how many cells were sent.
    @discardableResult
    public func encode(
        _ raster: borrowing HalfBlockRaster, dirty: PixelRect, fidelity: Fidelity,
        into out: inout ByteBuffer, recording changes: inout CellChanges?
    ) -> Int {
        precondition(raster.size == shown.size)
        let area = dirty.intersection(PixelRect(raster.size))
        guard !area.isEmpty else { return 0 }
        var writer = CellWriter(addressing, tolerance: fidelity.tolerance)
        var sent = 0
        for row in area.y / 2..<(area.maxY + 1) / 2 {
            out.reserve((area.width + 1) * CellWriter.longestCell)
            sent += encodeRow(row, area.x..<area.maxX, raster, fidelity.tolerance, &writer, &out, &changes)
        }
        writer.finish(&out)
        return sent
    }

    @inline(__always)
    private func encodeRow(
        _ row: Int, _ columns: Range<Int>, _ raster: borrowing HalfBlockRaster, _ tolerance: Int,
        _ writer: inout CellWriter, _ out: inout ByteBuffer, _ changes: inout CellChanges?
    ) -> Int {
        let width = raster.size.width
        let upper = raster.pixels.baseAddress.unsafelyUnwrapped + row * 2 * width
        let lower = upper + width
        let shownUpper = shown.pixels.baseAddress.unsafelyUnwrapped + row * 2 * width
        let shownLower = shownUpper + width
        var sent = 0
        var adjacent = false
        for column in columns {
            let top = upper[column]
            let bottom = lower[column]
            guard
                top.differs(from: shownUpper[column], by: tolerance)
                    || bottom.differs(from: shownLower[column], by: tolerance)
            else {
                adjacent = false
                continue
            }
            if !adjacent { writer.move(row: row, column: column, &out) }
            let now = writer.write(top, bottom, &out)
            shownUpper[column] = now.top
            shownLower[column] = now.bottom
            changes?.append(row: row, column: column, width: width, now.top, now.bottom)
            adjacent = true
            sent += 1
        }
        return sent
    }

    /// Appends the update that sends recorded cells once more: byte for byte what recorded them,
    /// where the screen is as it was then. What the encoder believes of the screen stays as it is.
    public func encode(_ changes: CellChanges.Slice, into out: inout ByteBuffer) {
        var writer = CellWriter(addressing, tolerance: 0)
        var next = (row: -1, column: -1)
        changes.forEach { row, column, top, bottom in
            out.reserve(CellWriter.longestCell)
            if (row, column) != next { writer.move(row: row, column: column, &out) }
            _ = writer.write(top, bottom, &out)
            next = (row, column + 1)
        }
        writer.finish(&out)
    }

    /// Notes that the terminal shows `changes` now, which were written as recorded bytes.
    public func apply(_ changes: CellChanges.Slice) {
        shown.apply(changes)
    }

    /// Copies what the terminal shows into `raster`.
    public func copyShown(into raster: borrowing HalfBlockRaster) {
        raster.pixels.baseAddress?.update(from: shown.pixels.baseAddress.unsafelyUnwrapped, count: shown.size.area)
    }
}
