import Base
import Pixels

/// Draws one frame as lines of text or as an image, for output that is not a terminal.
public enum StillRenderer {
    /// Appends the first picture that is not empty, or the last one. If all pictures are empty, appends the last one.
    /// - Parameter traits: the terminal for which the picture is intended. The picture has at most its size.
    /// - Throws: ``GIFError`` if the file has no frame to draw.
    public static func render(
        _ reader: GIFReader, for traits: TerminalTraits, options: PlaybackOptions, last: Bool = false,
        into out: inout ByteBuffer
    ) throws(GIFError) {
        let canvas = try picture(reader, last: last)
        let mode = PictureMode(options, traits, pane: traits.size).adapted(to: traits.colors)
        let pixelsPerCell = mode.pixelsPerCell
        var fit = options.fit
        fit.cellAspect = traits.cellAspect
        let target = fit.target(
            for: canvas.size, in: mode.limited(traits.size, traits.graphics), pixelsPerCell: pixelsPerCell)
        let backdrop: Backdrop = options.background.map { .solid($0) } ?? .unknownTerminal
        let picture = ScaledPicture(
            canvas, target: target, pixelsPerCell: pixelsPerCell, filter: fit.filter, backdrop: backdrop)
        picture.update()
        mode.encodeStill(picture.raster, colors: traits.colors, into: &out)
    }

    private static func picture(_ reader: GIFReader, last: Bool) throws(GIFError) -> Canvas {
        let frame = IndexedFrame()
        guard try reader.next(into: frame) else { throw .noImage(reader.summary.damage) }
        let canvas = try Canvas(for: frame)
        try canvas.compose(frame)
        while last || canvas.isEmpty, try reader.next(into: frame) { try canvas.compose(frame) }
        return canvas
    }
}

/// Writes a GIF for a terminal that repeats it by itself, even after this process has ended.
public struct RepeatingImage {
    /// The number of the terminal's image. Another image with this number is replaced.
    public var number: Int
    /// Whether placeholder characters show the image, because another program draws the screen.
    public var isVirtual = false
    public var isInTmux = false
    /// Whether only the first picture that is not empty is written.
    public var isStill = false

    public init(number: Int) { self.number = number }

    public enum Part {
        case image
        /// The lines of placeholders.
        case cells
    }

    /// Writes the commands of each frame as soon as it is decoded.
    /// - Parameter write: returns false to end.
    /// - Returns: the number of frames if the terminal would not keep the others; otherwise nil.
    /// - Throws: ``GIFError`` if the file has no frame to draw. Nothing is written then.
    public func write(
        _ reader: GIFReader, for traits: TerminalTraits, options: PlaybackOptions,
        to write: (Part, UnsafeRawBufferPointer) -> Bool
    ) throws(GIFError) -> Int? {
        let frame = IndexedFrame()
        guard try reader.next(into: frame) else { throw .noImage(reader.summary.damage) }
        let fit = RepeatingFit(canvas: frame.canvas, traits, options, isVirtual: isVirtual)
        let picture = ScaledPicture(
            try Canvas(for: frame), target: fit.pixels, pixelsPerCell: PixelSize(width: 1, height: 1),
            filter: options.fit.filter, backdrop: options.background.map { .solid($0) } ?? .unknownTerminal)
        let writer = KittyAnimationWriter(
            image: number, size: fit.pixels, cells: fit.cells, isVirtual: isVirtual, isInTmux: isInTmux)
        let speed = if case .factor(let factor) = options.speed { factor } else { 1.0 }
        var out = ByteBuffer()
        var (hasNext, excess) = (true, Int?.none)
        while hasNext, excess == nil {
            do { try picture.draw(frame) } catch { throw .outOfMemory }
            if isStill, picture.isEmpty, try reader.next(into: frame) { continue }
            let dirty = picture.update()
            out.removeAll()
            let delay = Int64(Double(frame.playNanoseconds) / speed)
            if !writer.append(picture.raster, dirty: dirty, delay: delay, into: &out) { excess = writer.frameCount }
            guard write(.image, out.bytes) else { return nil }
            hasNext = isStill ? false : try reader.next(into: frame)
        }
        out.removeAll()
        writer.start(plays: options.loops.count(reader.summary), into: &out)
        if !isVirtual { out.append("\n") }
        guard write(.image, out.bytes), isVirtual else { return excess }
        out.removeAll()
        writer.appendPlaceholders(into: &out)
        _ = write(.cells, out.bytes)
        return excess
    }
}

/// The size of an image whose pixels the terminal scales to cells.
public struct RepeatingFit: Equatable {
    public let cells: CellSize
    /// That of the canvas, unless it is very large or the picture is pixelated.
    public let pixels: PixelSize

    public init(canvas: PixelSize, _ traits: TerminalTraits, _ options: PlaybackOptions, isVirtual: Bool = false) {
        var (fit, box) = (options.fit, traits.size)
        fit.cellAspect = traits.cellAspect
        if isVirtual {
            box.columns = min(box.columns, KittyEncoder.maximumPlaceholderColumns)
            box.rows = min(box.rows, KittyEncoder.maximumPlaceholderColumns)
        }
        let cell = traits.graphics.cell ?? PictureMode.assumedCell
        let target = fit.target(for: canvas, in: box, pixelsPerCell: cell)
        func count(_ length: Int, _ unit: Int, _ limit: Int) -> Int {
            min(limit, max(1, Int((Double(length) / Double(unit)).rounded())))
        }
        cells = CellSize(
            columns: count(target.width, cell.width, box.columns), rows: count(target.height, cell.height, box.rows))
        let largest = PictureMode.largestPicture
        // kitty accepts at most 10,000 pixels in a direction.
        let scale = min(
            1, (Double(largest.area) / Double(canvas.area)).squareRoot(),
            10_000 / Double(max(canvas.width, canvas.height)))
        let enlarged = min(target.width / canvas.width, target.height / canvas.height)
        let factor = fit.filter == .pixelated ? max(1, enlarged) : 1
        pixels =
            scale < 1
            ? PixelSize(
                width: max(1, Int(Double(canvas.width) * scale)), height: max(1, Int(Double(canvas.height) * scale)))
            : PixelSize(width: canvas.width * factor, height: canvas.height * factor)
    }
}
