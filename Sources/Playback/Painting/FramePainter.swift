import GIFDecode
import Pixels

/// Indexed frames -> bytes for the screen: the canvas, its picture, and what the terminal holds of it.
final class FramePainter {
    private var canvas: Canvas
    private var view: View
    private let options: PlaybackOptions
    private var canvasDirty = PixelRect.empty
    private var pictureDirty = PixelRect.empty
    /// What the next update must do before any cell: clear the screen, make room.
    private var isPrepared = false
    /// No cell that has not changed is further off than this.
    private var reached = Fidelity.coarse
    private var previousRows: Int?
    private var recorded: CellChanges?

    /// The bytes of the update made last.
    private(set) var output = ByteBuffer(capacity: 32 << 10)

    /// What depends on the pane.
    private struct View: ~Copyable {
        let layout: PaneLayout
        private(set) var backdrop: Backdrop
        private(set) var scaler: Scaler
        let raster: HalfBlockRaster
        var encoder: CellEncoder

        init(canvas: PixelSize, layout: PaneLayout, backdrop: Backdrop, filter: Fit.Filter) {
            self.layout = layout
            self.backdrop = backdrop
            scaler = Scaler(source: canvas, target: layout.picture, filter: filter, backdrop: backdrop)
            raster = HalfBlockRaster(size: layout.picture)
            encoder = CellEncoder(size: raster.size, addressing: layout.addressing)
        }

        mutating func replaceBackdrop(_ backdrop: Backdrop, filter: Fit.Filter) {
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
        /// Some cells may have other colours; the screen still shows the previous ones.
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
            // The answer about the background arrives after the first frame: clearing the screen for it would flicker.
            view.replaceBackdrop(backdrop, filter: options.fit.filter)
            canvasDirty = PixelRect(canvas.size)
            return .recolored
        }
        // Several changes may come before the next update.
        if isPrepared { previousRows = view.layout.rows }
        view = View(canvas: canvas.size, layout: layout, backdrop: backdrop, filter: options.fit.filter)
        forgetScreen()
        return .relaidOut
    }

    /// The screen holds nothing of the picture any more.
    func forgetScreen() {
        isPrepared = false
        canvasDirty = PixelRect(canvas.size)
        pictureDirty = PixelRect(view.raster.size)
    }

    /// The next update draws the whole picture again, in its place, as after something was drawn over it.
    func redrawInPlace() {
        if isPrepared { previousRows = view.layout.rows }
        forgetScreen()
    }

    // MARK: - Decoded frames

    /// A pass begins: back to an empty canvas.
    func beginPass() {
        canvas.clear()
        canvasDirty = PixelRect(canvas.size)
    }

    func draw(_ frame: IndexedFrame) throws(GIFError) {
        canvasDirty = canvasDirty.union(try canvas.compose(frame))
    }

    /// Encodes what was drawn into ``output``.
    /// - Parameters:
    ///   - fidelity: where exact, every cell becomes the picture's, as frame 0 of a pass must.
    ///   - records: keeps the cells sent, for ``recordedChanges``.
    func paint(_ fidelity: Fidelity, records: Bool) {
        output.removeAll()
        prepare()
        let changed = view.scaler.scale(canvas, dirty: canvasDirty, into: view.raster)
        // What a coarser update left as it was may be too far off now.
        let looksAtAll = fidelity.rawValue < reached.rawValue
        pictureDirty = looksAtAll ? PixelRect(view.raster.size) : pictureDirty.union(changed)
        reached = fidelity
        canvasDirty = .empty
        if records { recorded = recorded ?? CellChanges() } else { recorded = nil }
        recorded?.removeAll()
        view.encode(pictureDirty, fidelity, into: &output, recording: &recorded)
        pictureDirty = .empty
    }

    /// The cells that the last ``paint(_:records:)`` sent.
    var recordedChanges: CellChanges { recorded ?? CellChanges() }

    // MARK: - Replayed frames

    /// Notes that the terminal shows what these recorded updates made of it.
    func apply(_ changes: CellChanges.Slice) {
        reached = .coarse
        view.encoder.apply(changes)
    }

    /// Encodes recorded cells into ``output`` anew; they follow what the terminal shows.
    func encode(_ changes: CellChanges.Slice) {
        output.removeAll()
        reached = .coarse
        view.encoder.encode(changes, into: &output)
    }

    /// Encodes into ``output`` what leads from the present screen to the state after `updates`.
    func catchUp(through updates: [CellChanges.Slice]) {
        output.removeAll()
        view.encoder.copyShown(into: view.raster)
        for update in updates { view.raster.apply(update) }
        var nothing: CellChanges?
        view.encode(PixelRect(view.raster.size), .exact, into: &output, recording: &nothing)
        // The raster no longer follows the canvas: a decoded frame must be scaled as a whole.
        canvasDirty = PixelRect(canvas.size)
    }

    // MARK: - Before and after

    /// Clears the pane, or makes room in the flow of text, once per layout.
    private func prepare() {
        guard !isPrepared else { return }
        isPrepared = true
        switch view.layout.addressing {
        case .absolute:
            output.append("\u{1B}[0m\u{1B}[2J")
        case .inline(let restRow):
            output.append("\r\u{1B}[0m")
            if let previousRows {
                output.append("\u{1B}[")
                output.appendDecimal(previousRows)
                output.append("A")
            }
            previousRows = nil
            output.append("\u{1B}[J")
            for _ in 0..<restRow { output.append("\r\n") }
        }
        view.encoder.assumeCleared()
        pictureDirty = PixelRect(view.raster.size)
    }

    /// What leaves the screen tidy behind a picture in the flow of text.
    func conclude() {
        output.removeAll()
        if isPrepared, case .rest = view.layout.status { output.append("\r\u{1B}[0m\u{1B}[K") }
    }
}
