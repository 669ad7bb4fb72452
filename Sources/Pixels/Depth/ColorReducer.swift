/// Converts a raster of 24-bit colours to a raster that the terminal can show. If necessary, replaces the colours with
/// palette colours or characters, and merges the two colours of each cell into one.
///
/// A pixel gets a new palette colour only if its 24-bit colour has changed by more than the fidelity allows.
public final class ColorReducer {
    /// The picture in the colours of the terminal.
    public let raster: PictureRaster
    private let format: ColorFormat
    private let palette: Palette?
    /// The 24-bit colours for which the pixels of ``raster`` were chosen.
    private let sources: PictureRaster
    private let transfer = TransferFunction.shared

    /// Returns nil if the terminal shows half-blocks in 24-bit colours, because no conversion is needed.
    /// - Parameters:
    ///   - size: the size of the rasters.
    ///   - background: the terminal's background colour; nil if it is unknown.
    public init?(size: PixelSize, _ format: ColorFormat, background: CellColor?) {
        guard !format.isUnchanged else { return nil }
        self.format = format
        palette = Palette(format, background: background)
        raster = PictureRaster(size: size)
        sources = PictureRaster(size: size)
        sources.pixels.update(repeating: .unknown)
    }

    /// Updates ``raster`` in the cells that `dirty` touches.
    /// - Parameters:
    ///   - source: the picture in 24-bit colours.
    ///   - fidelity: the largest change of a 24-bit colour for which no new palette colour is chosen.
    /// - Returns: the fidelity with which ``raster`` must be encoded. Palette colours must be encoded exactly.
    public func reduce(_ source: borrowing PictureRaster, dirty: PixelRect, fidelity: Fidelity) -> Fidelity {
        precondition(source.size == raster.size)
        let area = dirty.intersection(PixelRect(raster.size))
        let tolerance = (palette == nil ? Fidelity.exact : fidelity).tolerance
        for row in area.y / 2..<(area.maxY + 1) / 2 {
            for column in area.x..<area.maxX {
                let upper = row * 2 * raster.size.width + column
                let lower = upper + raster.size.width
                if format.isFlat {
                    let color = transfer.flattened(source.pixels[upper], source.pixels[lower])
                    reduce(color, upper, x: column, y: row, tolerance)
                    raster.pixels[lower] = raster.pixels[upper]
                } else {
                    reduce(source.pixels[upper], upper, x: column, y: row * 2, tolerance)
                    reduce(source.pixels[lower], lower, x: column, y: row * 2 + 1, tolerance)
                }
            }
        }
        return palette == nil ? fidelity : .exact
    }

    @inline(__always)
    private func reduce(_ color: CellColor, _ index: Int, x: Int, y: Int, _ tolerance: ColorTolerance) {
        guard color.differs(from: sources.pixels[index], by: tolerance) else { return }
        sources.pixels[index] = color
        raster.pixels[index] = palette?.entry(for: color, x: x, y: y) ?? color
    }
}

extension TransferFunction {
    /// Returns the single colour for both halves of a cell. A transparent half does not affect this colour.
    func flattened(_ top: CellColor, _ bottom: CellColor) -> CellColor {
        guard top != bottom, bottom.isColor else { return top }
        return top.isColor ? color((light(top) + light(bottom)) / 2) : bottom
    }
}
