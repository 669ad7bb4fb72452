import Base
import Pixels

/// Converts decoded frames to bytes for the screen, with a fidelity that suits the speed of the connection. Clears or
/// makes room for the picture. ``loop`` replays the frames that it has recorded.
///
/// The bytes that a method returns are valid until the next call of any method of the same object.
final class FramePainter {
    private var options: PlaybackOptions
    private var appearance: PictureAppearance
    private let picture: ScreenPicture
    let loop: LoopCache
    private var fidelityController: FidelityController
    /// Whether the pane is prepared for the current layout: cleared (full screen), or with room (inline).
    private(set) var isPrepared = false
    /// The layout of the previous picture, which the next `prepare()` clears; nil if there is none.
    private var previous: PaneLayout?
    /// Whether the terminal has rewrapped the lines of the previous picture.
    private var rewrapsLines = false
    /// The rows of earlier inline pictures above the first row of the pane.
    private var scrolledRows = 0
    private var output = ByteBuffer(capacity: 32 << 10)
    /// The bytes that remove the pictures of replaced encoders. The next update sends these bytes.
    private var removals = ByteBuffer(capacity: 16)
    /// Whether a panel with text is open.
    private var isBehindPanel = false
    /// Whether a frame was due while the terminal was still processing the previous frame.
    var isConnectionBehind = false

    /// - Parameter replaced: the painter whose picture the first update removes.
    init(
        for frame: IndexedFrame, traits: TerminalTraits, options: PlaybackOptions,
        replacing replaced: FramePainter? = nil
    ) throws(GIFError) {
        self.options = options
        appearance = PictureAppearance(canvas: frame.canvas, traits, options)
        picture = try ScreenPicture(for: frame, appearance, options.fit.filter)
        loop = LoopCache(limit: 0, picture)
        fidelityController = FidelityController(options.fidelity)
        loop.limit = cacheLimit
        if let replaced { removals.append(replaced.conclude()) }
    }

    private var cacheLimit: Int { options.loops == .times(1) || !picture.canReplay ? 0 : options.loopCacheBytes }

    var layout: PaneLayout { appearance.layout }

    /// Adapts the picture to a changed terminal, or to another drawing.
    /// - Parameter shown: the number of the frame on the screen.
    /// - Returns: whether the picture has to be drawn again.
    func adapt(to traits: TerminalTraits, _ drawing: Drawing? = nil, shown: Int) -> Bool {
        options.drawing = drawing ?? options.drawing
        let old = appearance
        appearance = PictureAppearance(canvas: picture.canvasSize, traits, options)
        guard appearance != old else { return false }
        // After characters that were wider than assumed, the record of the screen is wrong.
        guard layout != old.layout || appearance.colors.hasHalfBlocks != old.colors.hasHalfBlocks else {
            // The layout is the same, and clearing the screen would flicker. The encoder compares the next picture with
            // its record of the screen, so this record must first include the cells that a replay has sent.
            loop.includeReplayed(through: shown)
            picture.adapt(to: appearance)
            return true
        }
        // `prepare()` needs the layout of the picture on the screen. As long as the pane is not prepared, nothing is
        // drawn, so `previous` must not be replaced by a layout that was never drawn.
        if isPrepared { previous = old.layout }
        rewrapsLines = traits.rewrapsLines
        picture.replaceEncoder(for: appearance, removals: &removals)
        loop.limit = cacheLimit
        if picture.frameStore != nil { fidelityController = FidelityController(options.fidelity) }
        forgetScreen()
        return true
    }

    /// Records that the screen no longer shows any part of the picture.
    func forgetScreen() {
        isPrepared = false
        picture.invalidate()
    }

    /// Makes the next update remove a picture that would cover an open panel, or draw the whole picture again at the same
    /// position after the panel was closed.
    /// - Returns: whether the picture has to be drawn again.
    func setPanel(isOpen: Bool) -> Bool {
        isBehindPanel = isOpen
        if isOpen {
            guard layout.mode.coversText else { return false }
            picture.end(keepsPicture: false, into: &removals)
        }
        if isPrepared { previous = layout }
        forgetScreen()
        return true
    }

    // MARK: - Frames

    func draw(_ frame: IndexedFrame) throws(GIFError) {
        loop.noteDelay(frame.playNanoseconds, of: frame.number)
        try picture.draw(frame)
    }

    /// Returns and records the update that shows the canvas, which must contain the frame at `position`.
    func paint(_ position: LoopPosition) -> UnsafeRawBufferPointer {
        output.removeAll()
        prepare()
        if isBehindPanel, layout.mode.coversText { return output.bytes }
        loop.beginFrame()
        // In frame 0 of a loop iteration, every cell gets exactly the colours of the picture; see ``LoopCache``.
        let fidelity: Fidelity = position.frame == 0 ? .exact : fidelityController.level
        picture.encode(position, fidelity, into: &output, recording: &loop.frameChanges)
        loop.record(
            frame: position.frame, frames: position.summary?.frames, fidelity: fidelityController.level,
            encoded: output)
        return output.bytes
    }

    /// If the fidelity has changed since the recording, ends the replay at frame `shown` and deletes the recording.
    /// - Returns: whether the replay has ended.
    func endOutdatedReplay(at shown: Int) -> Bool {
        guard loop.fidelity != fidelityController.level else { return false }
        loop.includeReplayed(through: shown)
        return loop.discard()
    }

    func fidelity(of frame: Int) -> Fidelity {
        frame == 0 ? .exact : loop.isReplaying ? loop.fidelity : fidelityController.level
    }

    /// ``Fidelity/bound`` if the fidelity is coarser than requested; otherwise nil.
    var bound: Int? { fidelityController.isLowered ? fidelityController.level.bound : nil }

    /// Updates the fidelity at the end of a frame, depending on whether the terminal processed the frame in time.
    func adaptFidelity(at now: Instant) {
        // The terminal repeats stored frames for ever, so they never get a coarser fidelity.
        guard options.speed != .max, picture.frameStore == nil,
            fidelityController.update(wasBehind: isConnectionBehind, at: now)
        else { return }
        // The fidelity has changed. All frames of a recording need the same fidelity, so discard an incomplete
        // recording. A running replay continues to the end of its loop iteration.
        if loop.isRecording { loop.discard() }
    }

    // MARK: - Preparing and leaving the pane

    /// Clears the pane (full screen) or makes room for the picture (inline), once per layout.
    private func prepare() {
        guard !isPrepared else { return }
        isPrepared = true
        output.append(removals.bytes)
        removals.removeAll()
        switch layout.addressing {
        case .absolute: output.append("\u{1B}[0m\u{1B}[2J")
        case .inline(let idleRow):
            output.append("\r\u{1B}[0m")
            if let previous {
                output.append("\u{1B}[")
                output.appendDecimal(rowsToClear(of: previous))
                output.append("A")
            }
            previous = nil
            // From the first cell of the screen, tmux would move everything into its history before it clears it.
            output.append("\u{1B}[K\u{1B}[C\u{1B}[J")
            for _ in 0..<idleRow { output.append("\r\n") }
        }
        picture.assumeCleared()
    }

    /// Returns the number of rows above the cursor that earlier pictures fill. A pane that becomes smaller scrolls some of
    /// them away, and shows them again above the present picture when it grows.
    private func rowsToClear(of previous: PaneLayout) -> Int {
        let (old, new) = (previous.pane.columns, layout.pane.columns)
        let rows = rewrapsLines ? previous.rows(rewrappedTo: new) : previous.rows
        // A wider pane joins wrapped rows. Rounded down, because other text must stay.
        let count = rows + (rewrapsLines && new > old ? scrolledRows * old / new : scrolledRows)
        scrolledRows = max(0, count - (layout.pane.rows - 1))
        return count
    }

    /// Returns the bytes that end the picture and clear the status line below an inline picture.
    func conclude() -> UnsafeRawBufferPointer {
        output.removeAll()
        output.append(removals.bytes)
        picture.end(keepsPicture: options.screen == .inline, into: &output)
        if isPrepared, case .belowPicture = layout.status { output.append("\r\u{1B}[0m\u{1B}[K") }
        return output.bytes
    }
}

/// Chooses a coarser fidelity while the connection is too slow for the requested one.
///
/// A frame is slow if the terminal is still processing it when the next frame is due. After two slow frames in a row,
/// the level becomes one step coarser. After 3 s without two slow frames in a row, it becomes one step finer. If a
/// finer level lasts for less than this delay, the delay doubles, up to 60 s; otherwise the delay is 3 s again.
struct FidelityController {
    private let requested: Fidelity
    private(set) var level: Fidelity
    private var behindCount = 0
    /// The start of the period in which the connection has kept up; nil if no such period has started.
    private var keepsUpSince: Instant?
    private var raiseDelay = Self.minimumRaiseDelay
    private var raisedAt: Instant?

    static let minimumRaiseDelay = 3 * Span.second
    static let maximumRaiseDelay = 60 * Span.second

    /// - Parameter requested: the finest level. ``Fidelity/exact`` is never replaced by a coarser level.
    init(_ requested: Fidelity) {
        self.requested = requested
        level = requested
    }

    var isLowered: Bool { level != requested }

    /// Updates the level after a frame.
    /// - Parameter wasBehind: whether the terminal was still processing the frame when the next one was due.
    /// - Returns: whether the level changed.
    mutating func update(wasBehind: Bool, at now: Instant) -> Bool {
        guard wasBehind else {
            behindCount = 0
            return raiseIfDue(at: now)
        }
        behindCount += 1
        guard behindCount >= 2 else { return false }
        keepsUpSince = nil
        guard let coarser = level.coarser else { return false }
        level = coarser
        if let raisedAt {
            let hasLasted = now - raisedAt >= raiseDelay
            raiseDelay = hasLasted ? Self.minimumRaiseDelay : min(raiseDelay * 2, Self.maximumRaiseDelay)
        }
        raisedAt = nil
        // Ignore the first frame of a level, because it still sends changes that are left over from the previous level.
        behindCount = -1
        return true
    }

    private mutating func raiseIfDue(at now: Instant) -> Bool {
        guard isLowered else { return false }
        let since = keepsUpSince ?? now
        keepsUpSince = since
        guard now - since >= raiseDelay else { return false }
        level = Fidelity.allCases.first { $0.coarser == level } ?? level
        keepsUpSince = nil
        raisedAt = now
        return true
    }
}

/// The picture of a GIF, and the encoder with its record of the picture that the terminal shows.
final class ScreenPicture {
    private var picture: ScaledPicture
    private let filter: PictureFit.Filter
    private var encoder: any PictureEncoder
    /// Converts the picture to the colours of the terminal; nil if it shows all colours, or if the encoder does it.
    private var reducer: ColorReducer?
    /// The area of the raster that is not encoded yet.
    private var dirty = PixelRect.empty
    /// Every cell on the screen is at least as accurate as this fidelity requires.
    private var shownFidelity = Fidelity.coarse

    init(for frame: IndexedFrame, _ appearance: PictureAppearance, _ filter: PictureFit.Filter) throws(GIFError) {
        self.filter = filter
        let picture = ScaledPicture(
            try Canvas(size: frame.canvas), target: appearance.layout.picture,
            pixelsPerCell: appearance.layout.pixelsPerCell,
            filter: filter, backdrop: appearance.backdrop)
        encoder = appearance.makeEncoder(picture.raster.size)
        reducer = appearance.makeReducer(picture.raster.size)
        self.picture = picture
    }

    var canvasSize: PixelSize { picture.canvasSize }

    /// Changes the scale and the colours, but not the position and the mode.
    func adapt(to appearance: PictureAppearance) {
        scale(to: appearance)
        encoder.setColors(appearance.colors)
        encoder.frameStore?.removeFrames()
    }

    /// Changes also the position and the mode.
    /// - Parameter removals: the bytes that remove the picture from the screen are appended to it.
    func replaceEncoder(for appearance: PictureAppearance, removals: inout ByteBuffer) {
        scale(to: appearance)
        encoder.end(keepsPicture: false, into: &removals)
        encoder = appearance.makeEncoder(picture.raster.size)
    }

    private func scale(to appearance: PictureAppearance) {
        picture.scale(
            to: appearance.layout.picture, pixelsPerCell: appearance.layout.pixelsPerCell, filter: filter,
            backdrop: appearance.backdrop)
        reducer = appearance.makeReducer(picture.raster.size)
    }

    /// Makes the next update contain the whole picture.
    func invalidate() {
        picture.invalidate()
        dirty = PixelRect(picture.raster.size)
    }

    /// Records that the area of the picture is empty on the screen.
    func assumeCleared() {
        encoder.assumeCleared()
        dirty = PixelRect(picture.raster.size)
    }

    func draw(_ frame: IndexedFrame) throws(GIFError) {
        if frame.number == 0 { picture.clear() }
        try picture.draw(frame)
    }

    /// Appends the update that shows the canvas, which contains the frame at `position`.
    func encode(
        _ position: LoopPosition, _ fidelity: Fidelity, into output: inout ByteBuffer,
        recording changes: inout CellChanges?
    ) {
        if let store = encoder.frameStore {
            if store.isStored(position.frame) { return store.appendFrame(position.frame, into: &output) }
            store.beginFrame(position.frame, of: position.summary?.frames)
        }
        let changed = picture.update()
        // Cells from an earlier, coarser update can have errors that exceed the new tolerance.
        let comparesAllCells = fidelity.bound < shownFidelity.bound
        let area = comparesAllCells ? PixelRect(picture.raster.size) : dirty.union(changed)
        shownFidelity = fidelity
        dirty = .empty
        guard let reducer else {
            return encoder.encode(picture.raster, dirty: area, fidelity: fidelity, into: &output, recording: &changes)
        }
        let fidelity = reducer.reduce(picture.raster, dirty: area, fidelity: fidelity)
        encoder.encode(reducer.raster, dirty: area, fidelity: fidelity, into: &output, recording: &changes)
    }

    /// Appends the bytes that end the picture.
    func end(keepsPicture: Bool, into output: inout ByteBuffer) {
        encoder.end(keepsPicture: keepsPicture, into: &output)
    }

    // MARK: - Replaying

    var canReplay: Bool { encoder.replayer != nil }
    var frameStore: KittyEncoder? { encoder.frameStore }
    var filePlayer: ITerm2Encoder? { encoder.filePlayer }

    /// Appends the bytes of a recorded update. Does not change the record of the screen; ``include(_:)`` does.
    func encode(_ update: CellChanges.Slice, into output: inout ByteBuffer) {
        encoder.replayer?.encode(update, into: &output)
    }

    /// Applies a replayed update to the record of the screen.
    func include(_ update: CellChanges.Slice) {
        shownFidelity = .coarse
        encoder.replayer?.apply(update)
    }

    /// Appends one update that has the same effect as all of these recorded updates together.
    func encode(allOf updates: [CellChanges.Slice], into output: inout ByteBuffer) {
        encoder.replayer?.copyShown(after: updates, into: picture.raster)
        var nothing: CellChanges?
        encoder.encode(
            picture.raster, dirty: PixelRect(picture.raster.size), fidelity: .exact, into: &output, recording: &nothing)
        // The raster no longer matches the canvas, so the next decoded frame must be scaled as a whole.
        picture.invalidate()
    }
}
