import Pixels

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
            try Canvas(for: frame), target: appearance.layout.picture, pixelsPerCell: appearance.layout.pixelsPerCell,
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
        do { try picture.draw(frame) } catch { throw .outOfMemory }
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
