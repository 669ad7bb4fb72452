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
    /// Sets the colours that the terminal can show. Ignored if the rasters already have them, and for images.
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

    /// The encoder itself if the terminal keeps the frames of the animation; otherwise nil. Can become nil later, if
    /// the frames need too much of the terminal's memory.
    var frameStore: (any FrameStoring)? { get }

    /// The encoder itself if the terminal plays GIF files by itself; otherwise nil.
    var filePlayer: (any GIFFilePlaying)? { get }

    /// Appends the bytes that must be sent before this encoder is released. For example, they delete images.
    /// - Parameter keepsPicture: whether the picture must remain visible.
    func end(keepsPicture: Bool, into out: inout ByteBuffer)
}

extension PictureEncoder {
    public func setColors(_ format: ColorFormat) {}
    public var frameStore: (any FrameStoring)? { nil }
    public var filePlayer: (any GIFFilePlaying)? { nil }
}

/// Replays the recorded updates of a ``PictureEncoder``.
public protocol UpdateReplaying: AnyObject {
    /// Appends the bytes of a recorded update again. ``apply(_:)`` records that the terminal shows it.
    func encode(_ changes: CellChanges.Slice, into out: inout ByteBuffer)

    /// Records that the terminal shows the cells in `changes`.
    func apply(_ changes: CellChanges.Slice)

    /// Sets the pixels of `raster` to the colours that the terminal shows after the recorded updates.
    func copyShown(after updates: [CellChanges.Slice], into raster: borrowing PictureRaster)
}

/// A ``PictureEncoder`` whose terminal keeps the frames of an animation, and can repeat the animation by itself.
///
/// In the first loop iteration, the player calls ``beginFrame(_:of:)`` and `encode` for each frame. As soon as
/// ``canRepeat(_:)`` is true at frame 0, the player sends the bytes of ``appendRepetition(delays:into:)`` and then nothing
/// for all further loop iterations. When a key, a resize or the end of playback needs another picture, the player
/// computes the frame from the time. It shows this frame with ``appendFrame(_:into:)`` if the frame is stored;
/// otherwise it decodes the frame and calls `encode`. Both must end the repetition.
public protocol FrameStoring: AnyObject {
    /// Sets the number of the frame that the next call of `encode` draws.
    /// - Parameter count: the number of frames; nil until the player knows it.
    func beginFrame(_ number: Int, of count: Int?)

    /// Whether ``appendFrame(_:into:)`` can show the frame.
    func isStored(_ number: Int) -> Bool

    /// Appends the bytes that show a stored frame.
    func appendFrame(_ number: Int, into out: inout ByteBuffer)

    /// Whether the terminal can repeat an animation of `count` frames now.
    func canRepeat(_ count: Int) -> Bool

    /// Appends the bytes that show frame 0 and make the terminal repeat the animation without end.
    /// - Parameter delays: how long each frame is displayed at the current speed, in nanoseconds.
    func appendRepetition(delays: [Int64], into out: inout ByteBuffer)

    /// Appends the bytes that end the repetition at the displayed frame, whichever it is.
    func appendStop(into out: inout ByteBuffer)

    /// Records that the stored frames are outdated, because the frames are drawn in other colours now.
    func removeFrames()
}

/// A ``PictureEncoder`` whose terminal plays GIF files by itself, in place of the picture. The next update ends that.
public protocol GIFFilePlaying: AnyObject {
    /// Appends the bytes that make the terminal play a file, at most ``ITerm2Encoder/largestFile`` bytes long.
    func appendFile(_ file: [UInt8], into out: inout ByteBuffer)
}
