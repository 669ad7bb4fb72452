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
    var frameStore: KittyEncoder? { get }

    /// The encoder itself if the terminal plays GIF files by itself; otherwise nil.
    var filePlayer: ITerm2Encoder? { get }

    /// Appends the bytes that must be sent before this encoder is released. For example, they delete images.
    /// - Parameter keepsPicture: whether the picture must remain visible.
    func end(keepsPicture: Bool, into out: inout ByteBuffer)
}

extension PictureEncoder {
    public func setColors(_ format: ColorFormat) {}
    public var replayer: (any UpdateReplaying)? { nil }
    public var frameStore: KittyEncoder? { nil }
    public var filePlayer: ITerm2Encoder? { nil }
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

/// A record of the cells that updates have sent. From a recorded update, the player can encode the same bytes again. If
/// it sends stored bytes instead, the record determines what the terminal shows afterwards.
public struct CellChanges: Sendable {
    struct Change {
        /// The cell's number in row order, counted from 0, with the glyph in the highest byte.
        private let packed: UInt32
        /// The foreground; ``CellColor/unknown`` for a space, which has no foreground.
        let foreground: CellColor
        let background: CellColor

        /// - Parameter glyph: the number of the glyph: a ``CellGlyph`` or a mask of a ``SubcellGrid``.
        init(cell: Int, glyph: UInt8, foreground: CellColor, background: CellColor) {
            packed = UInt32(cell) | UInt32(glyph) << 24
            self.foreground = foreground
            self.background = background
        }

        var cell: Int { Int(packed & 0xFF_FFFF) }
        var glyph: UInt8 { UInt8(packed >> 24) }
        var halfBlock: CellGlyph { CellGlyph(rawValue: glyph) ?? .space }
        var top: CellColor { halfBlock == .upper ? foreground : background }
        var bottom: CellColor { halfBlock == .lower ? foreground : background }
    }

    public struct Slice {
        fileprivate let changes: ArraySlice<Change>
        fileprivate let width: Int

        func forEach(_ body: (_ row: Int, _ column: Int, _ change: Change) -> Void) {
            for change in changes {
                let (row, column) = change.cell.quotientAndRemainder(dividingBy: width)
                body(row, column, change)
            }
        }
    }

    /// The largest number of cells of a picture whose changes can be recorded.
    public static let maximumCells = 1 << 24

    private var changes: [Change] = []
    private var width = 1

    public init() {}

    public var count: Int { changes.count }
    public var byteCount: Int { changes.count * MemoryLayout<Change>.stride }

    @inline(__always)
    mutating func append(_ change: Change, width: Int) {
        self.width = width
        changes.append(change)
    }

    public mutating func append(contentsOf other: CellChanges) {
        width = other.width
        changes.append(contentsOf: other.changes)
    }

    /// Removes all changes, but keeps the capacity.
    public mutating func removeAll() { changes.removeAll(keepingCapacity: true) }

    /// The changes of one update.
    /// - Parameter range: from ``count`` before the update was recorded to ``count`` after it was recorded.
    public subscript(range: Range<Int>) -> Slice { Slice(changes: changes[range], width: width) }
}
