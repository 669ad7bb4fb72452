/// Writes a GIF as one image of the kitty graphics protocol with all its frames, and then the command that makes the
/// terminal repeat them by itself. Needs no reply of the terminal, so the bytes suit a pipe.
///
/// The pixels are those of the GIF; the terminal scales them to the cells. Scaled before, the built-in GIFs would need
/// 280 to 3,346 KB instead of 5 to 343 KB.
public final class KittyAnimationWriter {
    private let image: KittyImageWriter.Image
    private let isVirtual: Bool
    private let writer: KittyImageWriter
    /// The picture of the latest frame.
    private let latest: PictureStrips
    private var frames = KittyFrames()
    private var firstGap = 0

    /// kitty grants the frames of an image 1,600 MB, and Ghostty all images together 320 MB.
    public static let frameMemory = 300 << 20
    /// zlib's level. Level 1 needs 20 to 40 percent more bytes, level 6 up to twice the time.
    private static let level: Int32 = 4

    /// - Parameters:
    ///   - image: the number of the image. Terminals replace an image with the same number, wherever they show it.
    ///   - size: the size of all rasters.
    ///   - cells: the size at which the terminal shows the image.
    ///   - isVirtual: whether placeholders show the image; otherwise, it is shown at the cursor.
    ///   - isInTmux: whether the commands pass through tmux.
    public init(image: Int, size: PixelSize, cells: CellSize, isVirtual: Bool, isInTmux: Bool) {
        self.image = KittyImageWriter.Image(number: image, size: size, cells: cells)
        self.isVirtual = isVirtual
        writer = KittyImageWriter(transport: isInTmux ? .tmux : .direct, memory: nil, level: Self.level)
        latest = PictureStrips(size: size, pixelsPerCell: PixelSize(width: 1, height: 1))
    }

    public var frameCount: Int { frames.count }

    /// Appends the next frame.
    /// - Parameters:
    ///   - dirty: the only area that can differ from the previous frame.
    ///   - delay: the display time in nanoseconds.
    /// - Returns: false if the frames then need too much memory. Nothing is appended then.
    public func append(
        _ raster: borrowing PictureRaster, dirty: PixelRect, delay: Int64, into out: inout ByteBuffer
    ) -> Bool {
        let (pixels, width, number) = (UnsafeBufferPointer(raster.pixels), raster.size.width, frames.count)
        let gap = min(max(1, Int(delay / 1_000_000)), Int(Int32.max))
        var changed = PixelRect(raster.size)
        if number > 0 {
            changed = latest.changedArea(pixels, dirty.intersection(changed), Fidelity.exact.tolerance)
            // A frame has at least one pixel.
            if changed.isEmpty { changed = PixelRect(x: 0, y: 0, width: 1, height: 1) }
        }
        frames.begin(number, of: nil)
        guard frames.fill(changed, of: raster.size, limit: Self.frameMemory) else { return false }
        if number == 0 {
            firstGap = gap
            writer.writeKeeper(into: &out)
            writer.write(image, pixels, isVirtual ? .placeholders : .atCursor, hasAlpha: true, into: &out)
        } else {
            if number == 1 { writer.control(image.number, [(",r=", 1), (",z=", firstGap)], into: &out) }
            let frame = KittyImageWriter.Frame(
                image: image.number, area: changed, base: number, gap: gap,
                shown: isMostlyEqual(pixels, changed, width: width) ? UnsafeBufferPointer(latest.shown) : nil)
            writer.write(frame, pixels, width: width, hasAlpha: true, into: &out)
        }
        latest.record(pixels, changed)
        return true
    }

    /// Whether an area is smaller if its unchanged pixels are transparent. Not possible if a pixel becomes transparent.
    private func isMostlyEqual(_ pixels: UnsafeBufferPointer<CellColor>, _ area: PixelRect, width: Int) -> Bool {
        var count = 0
        for y in area.y..<area.maxY {
            for index in y * width + area.x..<y * width + area.maxX {
                if pixels[index] == latest.shown[index] { count += 1 } else if !pixels[index].isColor { return false }
            }
        }
        return 2 * count >= area.width * area.height
    }

    /// Appends the command that starts the animation at its first frame.
    /// - Parameter plays: how often the terminal plays it; nil for ever.
    public func start(plays: Int?, into out: inout ByteBuffer) {
        guard frames.count > 1 else { return }
        // Without c=1, an animation that replaces one with the same number can stay at a frame.
        let count = plays.map { min($0, Int(Int32.max) - 1) + 1 } ?? 1
        writer.control(image.number, [(",c=", 1), (",s=", 3), (",v=", count)], into: &out)
    }

    /// Appends the lines of cells that show the image, wherever they are written.
    public func appendPlaceholders(into out: inout ByteBuffer) {
        for row in 0..<image.cells.rows {
            KittyPlaceholders.write(image: image.number, row: row, columns: image.cells.columns, into: &out)
            out.append("\n")
        }
    }
}
