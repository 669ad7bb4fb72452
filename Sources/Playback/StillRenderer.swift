import GIFDecode
import Pixels
import TerminalIO

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
        var picture = ScaledPicture(
            canvas, target: target, pixelsPerCell: pixelsPerCell, filter: fit.filter, backdrop: backdrop)
        picture.update()
        mode.encodeStill(picture.raster, colors: traits.colors, into: &out)
    }

    private static func picture(_ reader: GIFReader, last: Bool) throws(GIFError) -> Canvas {
        let frame = IndexedFrame()
        guard try reader.next(into: frame) else { throw .noImage(reader.summary.damage) }
        var canvas = try Canvas(for: frame)
        try canvas.compose(frame)
        while last || canvas.isEmpty, try reader.next(into: frame) { try canvas.compose(frame) }
        return canvas
    }
}
