// The parts of this folder, from the pixels of a picture to the bytes for the terminal:
//
//     PictureRaster ──▶ ColorReducer ──▶ HalfBlockEncoder ─┐
//           │           (palettes)                         │ cells that differ from the record of the screen
//           ├─────────▶ SubcellFitter ─▶ SubcellEncoder ───┤
//           │                                              ▼
//           │                          CellQueue    links cells of similar colours
//           │                              ▼
//           │                          CellPlan     chooses the order, the glyphs (CellDrawing) and, as late as
//           │                              ▼        possible, the colours (ColorBox)
//           │                          CellWriter   writes cells, SGR and cursor moves (CursorAddressing)
//           │                              ▼
//           └─▶ KittyEncoder, ITerm2Encoder, SixelEncoder ─▶ ByteBuffer
//
// PictureMode chooses the encoder of a picture. CellChanges records an update, so that a loop can be replayed.
// ScreenEncoder draws the text and the pictures of the gallery, and PictureMode.encodeStill draws a still; for
// text, both use CellDrawing and CellWriter.

/// Encodes rasters as bytes that update the terminal, and keeps a record of the picture that the terminal shows.
///
/// An encoder draws at a fixed position in one ``PictureMode``. Each frame needs one call of `encode`.
public protocol PictureEncoder: AnyObject {
    /// Sets the colours that the terminal can show. An encoder ignores this call if its rasters already have these
    /// colours, or if it sends images.
    func setColors(_ format: ColorFormat)

    /// Records that the terminal was cleared and that every cell shows the terminal's background.
    func assumeCleared()

    /// Appends the bytes of an update that makes the terminal show `raster`, within the tolerance of `fidelity`.
    /// - Parameters:
    ///   - dirty: the changed area in pixels of the raster. All other pixels must be the same as in the previous call.
    ///   - changes: records the cells of the update, if it is not nil and the encoder has a ``replayer``.
    func encode(
        _ raster: borrowing PictureRaster, dirty: PixelRect, fidelity: Fidelity, into out: inout ByteBuffer,
        recording changes: inout CellChanges?)

    /// The encoder itself if it can record and replay updates; otherwise nil.
    var replayer: (any UpdateReplaying)? { get }

    /// Appends the bytes that must be sent before this encoder is released. For example, they delete images that remain
    /// visible when text is erased.
    /// - Parameter keepsPicture: whether the picture must remain visible.
    func end(keepsPicture: Bool, into out: inout ByteBuffer)
}

extension PictureEncoder {
    public func setColors(_ format: ColorFormat) {}
}

/// Replays the recorded updates of a ``PictureEncoder``.
public protocol UpdateReplaying: AnyObject {
    /// Appends the bytes of a recorded update again. Does not record that the terminal shows the cells; call
    /// ``apply(_:)`` for that.
    func encode(_ changes: CellChanges.Slice, into out: inout ByteBuffer)

    /// Records that the terminal shows the cells in `changes`.
    func apply(_ changes: CellChanges.Slice)

    /// Sets the pixels of `raster` to the colours that the terminal shows after the recorded updates.
    func copyShown(after updates: [CellChanges.Slice], into raster: borrowing PictureRaster)
}
