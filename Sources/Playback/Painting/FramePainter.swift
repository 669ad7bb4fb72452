import Base
import GIFDecode
import Pixels

/// Converts decoded and recorded frames to bytes for the screen, with a fidelity that suits the speed of the
/// connection. Stores the picture and a record of what the terminal shows.
///
/// The bytes that a method returns are valid until the next call of any method of the same object.
final class FramePainter {
    private let options: PlaybackOptions
    private(set) var layout: PaneLayout
    private var backdrop: Backdrop
    private var picture: ScaledPicture
    private var encoder: any PictureEncoder
    private var colors: ColorFormat
    private var background: CellColor?
    /// Converts the picture to the colours of the terminal; nil if the terminal shows all colours, or if the encoder
    /// converts them.
    private var reducer: ColorReducer?
    /// The area of the raster that is not encoded yet.
    private var pictureDirty = PixelRect.empty
    /// Whether the pane is prepared for the current layout: the screen was cleared (full screen), or there is room for
    /// the picture (inline).
    private var isPrepared = false
    /// Every cell on the screen is at least as accurate as this fidelity requires.
    private var shownFidelity = Fidelity.coarse
    /// The layout of the previous picture, which the next `prepare()` clears; nil if there is none.
    private var previous: PaneLayout?
    /// Whether the terminal has rewrapped the lines of the previous picture.
    private var rewrapsLines = false
    private var recorded: CellChanges?
    private var output = ByteBuffer(capacity: 32 << 10)
    /// The bytes that remove the pictures of encoders that were replaced after a change of the layout. The next update
    /// sends these bytes.
    private var removals = ByteBuffer(capacity: 16)
    private var cache: LoopCache
    private var fidelityController: FidelityController
    /// Whether a frame was due while the terminal was still processing the previous frame.
    var isConnectionBehind = false

    init(for frame: IndexedFrame, traits: TerminalTraits, options: PlaybackOptions) throws(GIFError) {
        self.options = options
        layout = PaneLayout(canvas: frame.canvas, traits: traits, options: options)
        backdrop = Self.backdrop(traits, options)
        let picture = ScaledPicture(
            try Canvas(for: frame), target: layout.picture, pixelsPerCell: layout.pixelsPerCell,
            filter: options.fit.filter, backdrop: backdrop)
        encoder = layout.mode.makeEncoder(size: picture.raster.size, addressing: layout.addressing)
        encoder.setColors(traits.colors)
        colors = traits.colors
        background = traits.background
        reducer = layout.mode.makeReducer(
            size: picture.raster.size, traits.colors, background: traits.background)
        self.picture = picture
        cache = LoopCache(limit: Self.cacheLimit(encoder, options))
        fidelityController = FidelityController(options.fidelity)
    }

    private static func backdrop(_ traits: TerminalTraits, _ options: PlaybackOptions) -> Backdrop {
        if let color = options.background { return .solid(color) }
        return traits.background.map { .terminal($0) } ?? .unknownTerminal
    }

    private static func cacheLimit(_ encoder: any PictureEncoder, _ options: PlaybackOptions) -> Int {
        options.loops == .times(1) || encoder.replayer == nil ? 0 : options.loopCacheBytes
    }

    /// Updates the layout, the backdrop and the colours for a changed terminal.
    /// - Parameter shown: the number of the frame on the screen.
    /// - Returns: whether the picture has to be drawn again.
    func adapt(to traits: TerminalTraits, shown: Int) -> Bool {
        let (oldLayout, oldBackdrop, oldColors) = (layout, backdrop, colors)
        layout = PaneLayout(canvas: picture.canvasSize, traits: traits, options: options)
        backdrop = Self.backdrop(traits, options)
        colors = traits.colors
        // If the terminal shows no colours, the choice of characters depends on its background, even if the user has
        // set the colour of the backdrop.
        let isInkChanged = colors.depth == .none && traits.background != background
        background = traits.background
        guard layout != oldLayout || backdrop != oldBackdrop || colors != oldColors || isInkChanged else {
            return false
        }
        picture.scale(
            to: layout.picture, pixelsPerCell: layout.pixelsPerCell, filter: options.fit.filter, backdrop: backdrop)
        reducer = layout.mode.makeReducer(size: picture.raster.size, colors, background: background)
        guard layout != oldLayout else {
            // The layout is the same, and clearing the screen would flicker. The encoder compares the next picture with
            // its record of the screen, so this record must first include the cells that a replay has sent.
            includeReplayed(through: shown)
            encoder.setColors(colors)
            return true
        }
        // `prepare()` needs the layout of the picture on the screen. As long as the pane is not prepared, nothing is
        // drawn, so `previous` must not be replaced by a layout that was never drawn.
        if isPrepared { previous = oldLayout }
        rewrapsLines = traits.rewrapsLines
        encoder.end(keepsPicture: false, into: &removals)
        encoder = layout.mode.makeEncoder(size: picture.raster.size, addressing: layout.addressing)
        encoder.setColors(colors)
        cache.limit = Self.cacheLimit(encoder, options)
        forgetScreen()
        return true
    }

    /// Records that the screen no longer shows any part of the picture.
    func forgetScreen() {
        isPrepared = false
        picture.invalidate()
        pictureDirty = PixelRect(picture.raster.size)
    }

    /// Makes the next update draw the whole picture again at the same position, after something was drawn over it.
    func redrawInPlace() {
        if isPrepared { previous = layout }
        forgetScreen()
    }

    // MARK: - Decoded frames

    /// Draws the next frame on the canvas.
    func draw(_ frame: IndexedFrame) throws(GIFError) {
        if frame.number == 0 { picture.clear() }
        do { try picture.draw(frame) } catch { throw .outOfMemory }
    }

    /// Returns the update that shows the canvas, and adds the update to the recording. The canvas must contain the
    /// frame at `position`.
    func paint(_ position: LoopPosition) -> UnsafeRawBufferPointer {
        // In frame 0 of a loop iteration, every cell gets exactly the colours of the picture; see ``LoopCache``.
        let fidelity: Fidelity = position.frame == 0 ? .exact : fidelityController.level
        output.removeAll()
        prepare()
        let changed = picture.update()
        // Cells from an earlier, coarser update can have errors that exceed the new tolerance.
        let comparesAllCells = fidelity.rawValue < shownFidelity.rawValue
        pictureDirty = comparesAllCells ? PixelRect(picture.raster.size) : pictureDirty.union(changed)
        shownFidelity = fidelity
        if cache.isRecording { recorded = recorded ?? CellChanges() } else { recorded = nil }
        recorded?.removeAll()
        encode(fidelity)
        pictureDirty = .empty
        cache.record(
            frame: position.frame, delay: position.end - position.start, frames: position.summary?.frames,
            fidelity: fidelityController.level, encoded: output, recorded ?? CellChanges())
        isConnectionBehind = false
        return output.bytes
    }

    private func encode(_ fidelity: Fidelity) {
        guard let reducer else {
            encoder.encode(picture.raster, dirty: pictureDirty, fidelity: fidelity, into: &output, recording: &recorded)
            return
        }
        let fidelity = reducer.reduce(picture.raster, dirty: pictureDirty, fidelity: fidelity)
        encoder.encode(reducer.raster, dirty: pictureDirty, fidelity: fidelity, into: &output, recording: &recorded)
    }

    /// Deletes the recording. If a replay was running, the caller must decode the frame on the screen again, because
    /// the canvas does not contain it.
    func discardRecording() { cache.discard() }

    // MARK: - Replayed frames

    /// Whether the frame on the screen and the next frame come from the recording.
    var isReplaying: Bool { cache.isReplaying }

    func nextRecorded(after number: Int) -> (frame: Int, delay: Int64) { cache.next(after: number) }

    /// Returns the bytes that replace frame `shown`, which is on the screen, by the recorded frame `frame`.
    func replay(from shown: Int, to frame: Int) -> UnsafeRawBufferPointer {
        isConnectionBehind = false
        let isNext = frame == cache.next(after: shown).frame
        if isNext, let bytes = cache.bytes(of: frame) { return bytes }
        output.removeAll()
        if isNext {
            shownFidelity = .coarse
            encoder.replayer?.encode(cache.changes(of: frame), into: &output)
            return output.bytes
        }
        // Encode one update that has the same effect as all updates from `shown` to `frame` together.
        includeReplayed(through: shown)
        encoder.replayer?.copyShown(after: cache.takeUnsynced(through: frame), into: picture.raster)
        var nothing: CellChanges?
        encoder.encode(
            picture.raster, dirty: PixelRect(picture.raster.size), fidelity: .exact, into: &output,
            recording: &nothing)
        // The raster no longer matches the canvas, so the next decoded frame must be scaled as a whole.
        picture.invalidate()
        return output.bytes
    }

    /// Ends a replay at frame `shown`, but keeps the recording. The next replay starts when frame 0 is drawn again.
    func stopReplay(at shown: Int) {
        includeReplayed(through: shown)
        cache.stopReplay()
    }

    /// If the fidelity has changed since the loop was recorded, ends the replay at frame `shown` and deletes the
    /// recording.
    /// - Returns: whether the replay has ended.
    func endOutdatedReplay(at shown: Int) -> Bool {
        guard cache.fidelity != fidelityController.level else { return false }
        includeReplayed(through: shown)
        cache.discard()
        return true
    }

    /// Applies the replayed updates, up to frame `shown`, to the record of the screen.
    private func includeReplayed(through shown: Int) {
        for update in cache.takeUnsynced(through: shown) {
            shownFidelity = .coarse
            encoder.replayer?.apply(update)
        }
    }

    /// Returns the fidelity with which a frame is encoded.
    func fidelity(of frame: Int) -> Fidelity {
        frame == 0 ? .exact : isReplaying ? cache.fidelity : fidelityController.level
    }

    /// The largest error of a colour channel (0 to 255) if the fidelity is coarser than requested; otherwise nil.
    var bound: Int? { fidelityController.isLowered ? fidelityController.level.rawValue : nil }

    /// Updates the fidelity at the end of a frame, depending on whether the terminal processed the frame in time.
    func adaptFidelity(at now: Instant) {
        guard options.speed != .max, fidelityController.update(wasBehind: isConnectionBehind, at: now) else { return }
        // The fidelity has changed. All frames of a recording need the same fidelity, so discard an incomplete
        // recording. A running replay continues to the end of its loop iteration.
        if cache.isRecording { cache.discard() }
    }

    // MARK: - Preparing and leaving the pane

    /// Clears the pane (full screen) or makes room for the picture (inline), once per layout.
    private func prepare() {
        guard !isPrepared else { return }
        isPrepared = true
        output.append(removals.bytes)
        removals.removeAll()
        switch layout.addressing {
        case .absolute:
            output.append("\u{1B}[0m\u{1B}[2J")
        case .inline(let idleRow):
            output.append("\r\u{1B}[0m")
            if let previous {
                output.append("\u{1B}[")
                output.appendDecimal(rewrapsLines ? previous.rows(rewrappedTo: layout.pane.columns) : previous.rows)
                output.append("A")
            }
            previous = nil
            output.append("\u{1B}[J")
            for _ in 0..<idleRow { output.append("\r\n") }
        }
        encoder.assumeCleared()
        pictureDirty = PixelRect(picture.raster.size)
    }

    /// Returns the bytes that end the picture and clear the status line below an inline picture.
    func conclude() -> UnsafeRawBufferPointer {
        output.removeAll()
        output.append(removals.bytes)
        encoder.end(keepsPicture: options.screen == .inline, into: &output)
        if isPrepared, case .belowPicture = layout.status { output.append("\r\u{1B}[0m\u{1B}[K") }
        return output.bytes
    }
}
