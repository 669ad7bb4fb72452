/// Draws pictures with half-blocks: two pixels per cell, one above the other.
public final class HalfBlockEncoder: PictureEncoder, UpdateReplaying {
    private var encoder: CellEncoder
    private let canRecord: Bool

    /// - Parameter size: the ``PictureRaster/size`` of all rasters that will be encoded.
    public init(size: PixelSize, addressing: CursorAddressing) {
        encoder = CellEncoder(size: size, addressing: addressing)
        canRecord = size.area / 2 <= CellChanges.maximumCells
    }

    public var replayer: (any UpdateReplaying)? { canRecord ? self : nil }

    public func assumeCleared() { encoder.assumeCleared() }

    public func encode(
        _ raster: borrowing PictureRaster, dirty: PixelRect, fidelity: Fidelity, into out: inout ByteBuffer,
        recording changes: inout CellChanges?
    ) {
        encoder.encode(raster, dirty: dirty, fidelity: fidelity, into: &out, recording: &changes)
    }

    public func end(keepsPicture: Bool, into out: inout ByteBuffer) {}

    public func encode(_ changes: CellChanges.Slice, into out: inout ByteBuffer) { encoder.encode(changes, into: &out) }

    public func apply(_ changes: CellChanges.Slice) { encoder.apply(changes) }

    public func copyShown(after updates: [CellChanges.Slice], into raster: borrowing PictureRaster) {
        encoder.copyShown(into: raster)
        for update in updates { raster.apply(update) }
    }
}

extension PictureRaster {
    /// Sets the half-blocks in `changes` to the colours of the recorded update.
    public func apply(_ changes: CellChanges.Slice) {
        changes.forEach { row, column, change in
            let index = row * 2 * size.width + column
            pixels[index] = change.top
            pixels[index + size.width] = change.bottom
        }
    }
}
