import GIFDecode
import Pixels

/// Converts indexed frames to bytes for the screen. Keeps the canvas, the scaled picture and a record of what the
/// terminal shows.
final class FramePainter {
    private var canvas: Canvas
    private var view: View
    private let options: PlaybackOptions
    private var canvasDirty = PixelRect.empty
    private var pictureDirty = PixelRect.empty
    /// Whether the pane is prepared for the current layout: the screen was cleared (full screen), or there is room for
    /// the picture (inline).
    private var isPrepared = false
    /// The fidelity that all cells on the screen are known to meet.
    private var shownFidelity = Fidelity.coarse
    private var previousRows: Int?
    private var recorded: CellChanges?

    /// The bytes of the last update.
    private(set) var output = ByteBuffer(capacity: 32 << 10)

    /// The state that depends on the layout of the pane.
    private struct View: ~Copyable {
        let layout: PaneLayout
        private(set) var backdrop: Backdrop
        private(set) var scaler: Scaler
        let raster: HalfBlockRaster
        var encoder: CellEncoder

        init(canvas: PixelSize, layout: PaneLayout, backdrop: Backdrop, filter: PictureFit.Filter) {
            self.layout = layout
            self.backdrop = backdrop
            scaler = Scaler(source: canvas, target: layout.picture, filter: filter, backdrop: backdrop)
            raster = HalfBlockRaster(size: layout.picture)
            encoder = CellEncoder(size: raster.size, addressing: layout.addressing)
        }

        mutating func replaceBackdrop(_ backdrop: Backdrop, filter: PictureFit.Filter) {
            self.backdrop = backdrop
            scaler = Scaler(source: scaler.source, target: layout.picture, filter: filter, backdrop: backdrop)
        }

        mutating func encode(
            _ dirty: PixelRect, _ fidelity: Fidelity, into out: inout ByteBuffer, recording changes: inout CellChanges?
        ) {
            encoder.encode(raster, dirty: dirty, fidelity: fidelity, into: &out, recording: &changes)
        }
    }

    init(for frame: IndexedFrame, traits: TerminalTraits, options: PlaybackOptions) throws(GIFError) {
        self.options = options
        canvas = try Canvas(for: frame)
        let size = frame.canvas
        let layout = PaneLayout(canvas: size, traits: traits, options: options)
        view = View(
            canvas: size, layout: layout, backdrop: Self.backdrop(traits, options), filter: options.fit.filter)
    }

    var layout: PaneLayout { view.layout }

    private static func backdrop(_ traits: TerminalTraits, _ options: PlaybackOptions) -> Backdrop {
        if let color = options.background { return .solid(color) }
        return .terminal(traits.background ?? .black)
    }

    /// How a change of the terminal affects the picture.
    enum Adaptation {
        case unchanged
        /// The colours of some cells may change. The screen still shows their previous colours.
        case recolored
        /// The screen has to be cleared and drawn again.
        case relaidOut
    }

    /// Updates the layout and the backdrop for a changed terminal.
    func adapt(to traits: TerminalTraits) -> Adaptation {
        let layout = PaneLayout(canvas: canvas.size, traits: traits, options: options)
        let backdrop = Self.backdrop(traits, options)
        guard layout != view.layout else {
            guard backdrop != view.backdrop else { return .unchanged }
            // Do not clear the screen: the terminal reports its background after the first frame, and clearing would
            // flicker.
            view.replaceBackdrop(backdrop, filter: options.fit.filter)
            canvasDirty = PixelRect(canvas.size)
            return .recolored
        }
        // If the layout changes several times before the next update, only the first change finds a drawn picture,
        // whose number of rows `prepare()` needs.
        if isPrepared { previousRows = view.layout.rows }
        view = View(canvas: canvas.size, layout: layout, backdrop: backdrop, filter: options.fit.filter)
        forgetScreen()
        return .relaidOut
    }

    /// Records that the screen no longer shows any part of the picture.
    func forgetScreen() {
        isPrepared = false
        canvasDirty = PixelRect(canvas.size)
        pictureDirty = PixelRect(view.raster.size)
    }

    /// Makes the next update draw the whole picture again at the same position, after something was drawn over it.
    func redrawInPlace() {
        if isPrepared { previousRows = view.layout.rows }
        forgetScreen()
    }

    // MARK: - Decoded frames

    /// Clears the canvas for a new loop iteration.
    func beginIteration() {
        canvas.clear()
        canvasDirty = PixelRect(canvas.size)
    }

    func draw(_ frame: IndexedFrame) throws(GIFError) {
        canvasDirty = canvasDirty.union(try canvas.compose(frame))
    }

    /// Encodes the canvas into ``output``.
    /// - Parameters:
    ///   - fidelity: must be exact for frame 0 of a loop iteration, so that every cell gets the colours of the picture.
    ///   - records: whether to record the sent cells in ``recordedChanges``.
    func paint(_ fidelity: Fidelity, records: Bool) {
        output.removeAll()
        prepare()
        let changed = view.scaler.scale(canvas, dirty: canvasDirty, into: view.raster)
        // An earlier update of a coarser fidelity may have left cells whose error exceeds the new tolerance.
        let comparesAllCells = fidelity.rawValue < shownFidelity.rawValue
        pictureDirty = comparesAllCells ? PixelRect(view.raster.size) : pictureDirty.union(changed)
        shownFidelity = fidelity
        canvasDirty = .empty
        if records { recorded = recorded ?? CellChanges() } else { recorded = nil }
        recorded?.removeAll()
        view.encode(pictureDirty, fidelity, into: &output, recording: &recorded)
        pictureDirty = .empty
    }

    /// The cells that the last ``paint(_:records:)`` sent; empty if it did not record them.
    var recordedChanges: CellChanges { recorded ?? CellChanges() }

    // MARK: - Replayed frames

    /// Updates the record of the screen with a recorded update that a replay has sent.
    func apply(_ changes: CellChanges.Slice) {
        shownFidelity = .coarse
        view.encoder.apply(changes)
    }

    /// Encodes a recorded update into ``output`` again. The screen must be in the state before this update.
    func encode(_ changes: CellChanges.Slice) {
        output.removeAll()
        shownFidelity = .coarse
        view.encoder.encode(changes, into: &output)
    }

    /// Encodes one update into ``output`` that has the same effect as all `updates` together, starting from what the
    /// terminal shows now.
    func catchUp(through updates: [CellChanges.Slice]) {
        output.removeAll()
        view.encoder.copyShown(into: view.raster)
        for update in updates { view.raster.apply(update) }
        var nothing: CellChanges?
        view.encode(PixelRect(view.raster.size), .exact, into: &output, recording: &nothing)
        // The raster no longer matches the canvas, so the next decoded frame must be scaled as a whole.
        canvasDirty = PixelRect(canvas.size)
    }

    // MARK: - Preparing and leaving the pane

    /// Clears the pane (full screen) or makes room for the picture (inline), once per layout.
    private func prepare() {
        guard !isPrepared else { return }
        isPrepared = true
        switch view.layout.addressing {
        case .absolute:
            output.append("\u{1B}[0m\u{1B}[2J")
        case .inline(let idleRow):
            output.append("\r\u{1B}[0m")
            if let previousRows {
                output.append("\u{1B}[")
                output.appendDecimal(previousRows)
                output.append("A")
            }
            previousRows = nil
            output.append("\u{1B}[J")
            for _ in 0..<idleRow { output.append("\r\n") }
        }
        view.encoder.assumeCleared()
        pictureDirty = PixelRect(view.raster.size)
    }

    /// Encodes the bytes that clear the status line below an inline picture into ``output``.
    func conclude() {
        output.removeAll()
        if isPrepared, case .belowPicture = view.layout.status { output.append("\r\u{1B}[0m\u{1B}[K") }
    }
}
