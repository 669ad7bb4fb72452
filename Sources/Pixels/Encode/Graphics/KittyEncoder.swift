/// Draws pictures with the kitty graphics protocol.
///
/// If the terminal supports animations, the picture is one image, and each frame of the GIF is a frame of the image.
/// Inside tmux, the image has two frames: an update changes the one that is not displayed, and displays it.
/// Otherwise, or if the frames need too much memory, the picture consists of horizontal strips of whole cells. Each strip
/// is an image with its own number, so that an update sends only the strips that have changed. Every terminal with kitty
/// graphics can replace an image, but not all can change a part of an image, and some show black in between. A strip has
/// two numbers: an update first sends its strips unseen, and then shows them all and deletes the previous images.
public final class KittyEncoder: PictureEncoder {
    /// The strips with a record of the pixels that the terminal shows, or of the frame that was sent last.
    private let strips: PictureStrips
    private let addressing: CursorAddressing
    private let transport: KittyTransport
    /// The first of the ``imageCount`` numbers.
    private let firstImage: Int
    private let writer: KittyImageWriter
    private var frames = KittyFrames()
    private var storesFrames: Bool
    private let swapsFrames: Bool
    private let sendsWholeFrames: Bool
    /// The two frames that ``swap(_:dirty:_:into:)`` changes in turn, and what the latest change covered.
    private var swapped: (displayed: Int, count: Int, area: PixelRect)?
    private let frameMemory: Int
    /// The gaps between the frames that the terminal knows, in milliseconds.
    private var gaps: [Int] = []
    /// Whether the cells contain the placeholders of the strips.
    private var hasPlaceholders = false
    /// The image that shows each strip, counted from ``firstImage``.
    private var shownImages: [Int: Int] = [:]

    /// The number of image numbers of a picture.
    public static let imageCount = 2 * PictureStrips.maximumCount
    /// The maximum number of columns of a picture that is shown by placeholders.
    public static let maximumPlaceholderColumns = KittyPlaceholders.maximumCount

    /// The default limit for the memory of the terminal's frames, in bytes. It is a third of the memory that kitty
    /// grants to images; for frames, kitty grants five times as much.
    public static let defaultFrameMemory = 107 << 20

    /// The maximum number of frames in shared memory that the terminal has not read. The pixels of further frames are
    /// sent in the commands, so that gifplay treats a slow terminal like a slow connection.
    private static let unreadFrames = 4

    /// - Parameters:
    ///   - size: the ``PictureRaster/size`` of all rasters that will be encoded.
    ///   - firstImage: the first of ``imageCount`` image numbers, at most 24 bits long. A terminal replaces an image
    ///     if another image with the same number arrives.
    ///   - frameMemory: the limit for the memory of the terminal's frames, in bytes.
    public init(
        size: PixelSize, pixelsPerCell: PixelSize, addressing: CursorAddressing, transport: KittyTransport,
        features: KittyFeatures = KittyFeatures(), firstImage: Int, frameMemory: Int = KittyEncoder.defaultFrameMemory
    ) {
        strips = PictureStrips(size: size, pixelsPerCell: pixelsPerCell)
        (self.addressing, self.transport) = (addressing, transport)
        (self.firstImage, self.frameMemory) = (firstImage, frameMemory)
        storesFrames = features.storesFrames
        swapsFrames =
            features.swapsFrames && (transport != .tmux || strips.cells.rows <= KittyPlaceholders.maximumCount)
        sendsWholeFrames = features.sendsWholeFrames
        let memory = transport == .sharedMemory ? SharedMemory(limit: Self.unreadFrames * strips.count) : nil
        writer = KittyImageWriter(transport: transport, memory: memory, compresses: features.compresses)
    }

    public var frameStore: KittyEncoder? { storesFrames ? self : nil }

    public func assumeCleared() {
        strips.assumeCleared()
        hasPlaceholders = false
        swapped = nil
        removeFrames()
        // Some commands that erase text do not erase images. Therefore all strips that were sent are sent again.
        for strip in shownImages.keys { strips.forget(strip) }
    }

    public func end(keepsPicture: Bool, into out: inout ByteBuffer) {
        // If the picture must remain visible, the terminal may still have to read the objects in shared memory.
        guard !keepsPicture else { return }
        writer.memory?.removeUnread()
        for image in shownImages.values.sorted() { writer.delete(firstImage + image, into: &out) }
        shownImages.removeAll()
    }

    public func encode(
        _ raster: borrowing PictureRaster, dirty: PixelRect, fidelity: Fidelity, into out: inout ByteBuffer,
        recording changes: inout CellChanges?
    ) {
        var dirty = dirty
        if storesFrames {
            guard !store(raster, dirty, fidelity.tolerance, into: &out) else { return }
            // The frames need too much memory. Strips replace them.
            storesFrames = false
            strips.forget()
            dirty = PixelRect(strips.size)
        }
        if swapsFrames { return swap(raster, dirty: dirty, fidelity.tolerance, into: &out) }
        var sent: [(row: Int, image: KittyImageWriter.Image)] = []
        var outdated: [Int] = []
        strips.update(raster, dirty: dirty, tolerance: fidelity.tolerance) { strip in
            let previous = shownImages[strip.number]
            let isFirst = transport == .tmux || previous != strip.number
            let number = isFirst ? strip.number : strip.number + PictureStrips.maximumCount
            shownImages[strip.number] = number
            let image = KittyImageWriter.Image(number: firstImage + number, size: strip.size, cells: strip.cells)
            if transport == .tmux {
                writer.write(image, strip.pixels, .placeholders, into: &out)
                if !hasPlaceholders { writePlaceholders(rowsPerImage: strips.rowsPerStrip, into: &out) }
            } else {
                // A slow connection gets long updates in pieces, which begin with a control sequence.
                out.append("\u{1B}[m")
                writer.write(image, strip.pixels, .hidden, into: &out)
                sent.append((strip.row, image))
                if let previous { outdated.append(firstImage + previous) }
            }
        }
        show(sent, into: &out)
        for image in outdated { writer.delete(image, into: &out) }
    }

    /// Appends the commands that show images. They are so few bytes, and contain no control sequence before which a piece
    /// could end, that the terminal shows all images at once.
    private func show(_ images: [(row: Int, image: KittyImageWriter.Image)], into out: inout ByteBuffer) {
        guard var row = images.first?.row else { return }
        addressing.beginImage(row: row, into: &out)
        for (next, image) in images {
            // IND moves the cursor down.
            while row < next {
                out.append("\u{1B}D")
                row += 1
            }
            writer.place(image, into: &out)
        }
        addressing.endImage(into: &out)
    }

    /// Writes the placeholders, in whose cells the terminal shows the images.
    private func writePlaceholders(rowsPerImage: Int, into out: inout ByteBuffer) {
        hasPlaceholders = true
        for row in 0..<strips.cells.rows {
            addressing.beginImage(row: row, into: &out)
            let (strip, rowInStrip) = row.quotientAndRemainder(dividingBy: rowsPerImage)
            KittyPlaceholders.write(
                image: firstImage + strip, row: rowInStrip, columns: strips.cells.columns, into: &out)
            addressing.endImage(into: &out)
        }
    }
}

// MARK: - Frames that the terminal keeps

/// In the first loop iteration, the player calls ``beginFrame(_:of:)`` and `encode` for each frame. As soon as
/// ``canRepeat(_:)`` is true at frame 0, the player sends the bytes of ``appendRepetition(delays:into:)`` and then nothing
/// for all further loop iterations. When a key, a resize or the end of playback needs another picture, the player
/// computes the frame from the time. It shows this frame with ``appendFrame(_:into:)`` if the frame is stored;
/// otherwise it decodes the frame and calls `encode`. Both end the repetition.
extension KittyEncoder {
    /// Sets the number of the frame that the next call of `encode` draws.
    /// - Parameter count: the number of frames; nil until the player knows it.
    public func beginFrame(_ number: Int, of count: Int?) { frames.begin(number, of: count) }

    /// Whether ``appendFrame(_:into:)`` can show the frame.
    public func isStored(_ number: Int) -> Bool { frames.isStored(number) }

    /// Whether the terminal can repeat an animation of `count` frames now.
    public func canRepeat(_ count: Int) -> Bool { (0..<count).allSatisfy(frames.isStored) }

    /// Records that the stored frames are outdated, because the frames are drawn in other colours now.
    public func removeFrames() {
        frames = KittyFrames()
        gaps = []
    }

    /// Appends the bytes that show a stored frame.
    public func appendFrame(_ number: Int, into out: inout ByteBuffer) {
        guard let index = frames.index(of: number) else { return }
        writer.control(firstImage, [(",s=", 1), (",c=", index + 1)], into: &out)
    }

    /// Appends the bytes that show frame 0 and make the terminal repeat the animation without end.
    /// - Parameter delays: how long each frame is displayed at the current speed, in nanoseconds.
    public func appendRepetition(delays: [Int64], into out: inout ByteBuffer) {
        let gaps = delays.map { max(1, Int($0 / 1_000_000)) }
        for (number, gap) in gaps.enumerated() where gaps != self.gaps {
            guard let index = frames.index(of: number) else { return }
            writer.control(firstImage, [(",r=", index + 1), (",z=", gap)], into: &out)
        }
        self.gaps = gaps
        // Of these states, 1 stops an animation, and 3 runs it; v=1 repeats it without end.
        writer.control(firstImage, [(",c=", (frames.index(of: 0) ?? 0) + 1), (",s=", 3), (",v=", 1)], into: &out)
    }

    /// Appends the bytes that end the repetition at the displayed frame, whichever it is.
    public func appendStop(into out: inout ByteBuffer) { writer.control(firstImage, [(",s=", 1)], into: &out) }

    /// Appends the commands that store and show the current frame.
    /// - Returns: false if the frames need too much memory. Nothing is appended then.
    private func store(
        _ raster: borrowing PictureRaster, _ dirty: PixelRect, _ tolerance: ColorTolerance, into out: inout ByteBuffer
    ) -> Bool {
        let (size, pixels) = (strips.size, UnsafeBufferPointer(raster.pixels))
        precondition(raster.size == size)
        let (index, base) = (frames.current, frames.latest)
        let isNew = index >= frames.count
        var changed = PixelRect(size)
        if base != nil, isNew {
            changed = strips.changedArea(pixels, dirty.intersection(changed), tolerance)
            // A frame has at least one pixel.
            if changed.isEmpty { changed = PixelRect(x: 0, y: 0, width: 1, height: 1) }
        }
        while base != nil, frames.count < index { appendEmptyFrame(into: &out) }
        guard frames.fill(changed, of: size, limit: frameMemory) else { return false }
        strips.record(pixels, changed)
        if let base {
            let frame = KittyImageWriter.Frame(
                image: firstImage, area: changed, base: isNew ? base + 1 : nil, edited: isNew ? nil : index + 1)
            writer.write(frame, pixels, width: size.width, into: &out)
            writer.control(firstImage, [(",s=", 1), (",c=", index + 1)], into: &out)
        } else {
            sendImage(pixels, into: &out)
        }
        return true
    }

    /// Appends the commands that change the frame that is not displayed, and display it.
    private func swap(
        _ raster: borrowing PictureRaster, dirty: PixelRect, _ tolerance: ColorTolerance, into out: inout ByteBuffer
    ) {
        let (whole, pixels) = (PixelRect(strips.size), UnsafeBufferPointer(raster.pixels))
        guard let (displayed, count, previous) = swapped else {
            swapped = (0, 1, .empty)
            strips.record(pixels, whole)
            return sendImage(pixels, into: &out)
        }
        let changed = strips.changedArea(pixels, dirty.intersection(whole), tolerance)
        guard !changed.isEmpty else { return }
        strips.record(pixels, changed)
        let isNew = count == 1
        let frame = KittyImageWriter.Frame(
            image: firstImage, area: sendsWholeFrames ? whole : changed.union(previous), base: isNew ? 1 : nil,
            edited: isNew ? nil : 2 - displayed)
        writer.write(frame, UnsafeBufferPointer(strips.shown), width: whole.width, hasAlpha: true, into: &out)
        writer.control(firstImage, [(",s=", 1), (",c=", 2 - displayed)], into: &out)
        swapped = (1 - displayed, 2, changed)
    }

    /// Appends the commands that show an image of one frame.
    private func sendImage(_ pixels: UnsafeBufferPointer<CellColor>, into out: inout ByteBuffer) {
        let isVirtual = transport == .tmux
        if let image = shownImages.updateValue(0, forKey: 0) { writer.delete(firstImage + image, into: &out) }
        addressing.beginImage(row: 0, into: &out)
        // The alpha channel of the first frame makes transparent pixels possible in all frames.
        let image = KittyImageWriter.Image(number: firstImage, size: strips.size, cells: strips.cells)
        writer.write(image, pixels, isVirtual ? .placeholders : .overText, hasAlpha: true, into: &out)
        addressing.endImage(into: &out)
        if isVirtual, !hasPlaceholders { writePlaceholders(rowsPerImage: strips.cells.rows, into: &out) }
    }

    /// Appends the command that reserves the number of a frame whose picture is not known.
    private func appendEmptyFrame(into out: inout ByteBuffer) {
        frames.appendEmpty()
        let frame = KittyImageWriter.Frame(image: firstImage, area: PixelRect(x: 0, y: 0, width: 1, height: 1))
        writer.write(frame, UnsafeBufferPointer(strips.shown), width: strips.size.width, hasAlpha: true, into: &out)
    }
}
