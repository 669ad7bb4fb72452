/// Draws pictures with the kitty graphics protocol.
///
/// The picture consists of horizontal strips of whole cells. Each strip is an image with its own number, so that an
/// update replaces only the strips that have changed. Every version of the protocol can replace an image, but not all
/// terminals can change a part of an image.
public final class KittyEncoder: PictureEncoder {
    private let size: PixelSize
    private let pixelsPerCell: PixelSize
    private let cells: CellSize
    private let addressing: CursorAddressing
    private let transport: KittyTransport
    /// The number of the first strip's image.
    private let firstImage: Int
    private let rowsPerStrip: Int
    /// The colours that the terminal shows now.
    private let shown: UnsafeMutableBufferPointer<CellColor>
    private let writer: KittyImageWriter
    /// Whether the cells contain the placeholders of the strips.
    private var hasPlaceholders = false
    private var sentStrips: Set<Int> = []

    /// The maximum number of strips of a picture. Each strip has its own image number.
    public static let maximumStrips = 16
    /// The maximum number of columns of a picture that is shown by placeholders.
    public static let maximumPlaceholderColumns = KittyPlaceholders.maximumCount

    /// The maximum number of frames in shared memory that the terminal has not read. The pixels of further frames are
    /// sent in the commands, so that gifplay treats a slow terminal like a slow connection.
    private static let unreadFrames = 4

    /// - Parameters:
    ///   - size: the ``PictureRaster/size`` of all rasters that will be encoded.
    ///   - firstImage: the first of ``maximumStrips`` image numbers, at most 24 bits long. A terminal replaces an image
    ///     if another image with the same number arrives.
    public init(
        size: PixelSize, pixelsPerCell: PixelSize, addressing: CursorAddressing, transport: KittyTransport,
        firstImage: Int
    ) {
        self.size = size
        self.pixelsPerCell = pixelsPerCell
        self.addressing = addressing
        self.transport = transport
        self.firstImage = firstImage
        cells = size.cells(pixelsPerCell)
        rowsPerStrip = (cells.rows + Self.maximumStrips - 1) / Self.maximumStrips
        shown = .allocate(capacity: size.area)
        shown.initialize(repeating: .unknown)
        let memory =
            transport == .sharedMemory
            ? SharedMemory(limit: Self.unreadFrames * ((cells.rows + rowsPerStrip - 1) / rowsPerStrip)) : nil
        writer = KittyImageWriter(transport: transport, memory: memory)
    }

    deinit { shown.deallocate() }

    public var replayer: (any UpdateReplaying)? { nil }

    public func assumeCleared() {
        shown.update(repeating: .terminalDefault)
        hasPlaceholders = false
        // Some commands that erase text do not erase images. Therefore all strips that were sent are sent again.
        let stripArea = rowsPerStrip * pixelsPerCell.height * size.width
        for strip in sentStrips {
            for index in strip * stripArea..<min((strip + 1) * stripArea, size.area) { shown[index] = .unknown }
        }
    }

    public func end(keepsPicture: Bool, into out: inout ByteBuffer) {
        // If the picture must remain visible, the objects in shared memory are not deleted, because the terminal may
        // not have read them yet.
        guard !keepsPicture else { return }
        writer.memory?.removeUnread()
        for strip in sentStrips.sorted() { writer.delete(firstImage + strip, into: &out) }
        sentStrips.removeAll()
    }

    public func encode(
        _ raster: borrowing PictureRaster, dirty: PixelRect, fidelity: Fidelity, into out: inout ByteBuffer,
        recording changes: inout CellChanges?
    ) {
        precondition(raster.size == size)
        let area = dirty.intersection(PixelRect(size))
        guard !area.isEmpty else { return }
        let pixels = UnsafeBufferPointer(raster.pixels)
        let stripHeight = rowsPerStrip * pixelsPerCell.height
        for strip in area.y / stripHeight..<(area.maxY + stripHeight - 1) / stripHeight {
            let rows = PixelRect(x: 0, y: strip * stripHeight, width: size.width, height: stripHeight)
            guard hasChanged(pixels, area.intersection(rows), fidelity.tolerance) else { continue }
            send(strip, pixels, rows.intersection(PixelRect(size)), into: &out)
        }
    }

    private func hasChanged(
        _ pixels: UnsafeBufferPointer<CellColor>, _ area: PixelRect, _ tolerance: ColorTolerance
    ) -> Bool {
        for y in area.y..<area.maxY {
            for index in y * size.width + area.x..<y * size.width + area.maxX
            where pixels[index].differs(from: shown[index], by: tolerance) {
                return true
            }
        }
        return false
    }

    /// - Parameter rows: the area of the strip, in pixels.
    private func send(
        _ strip: Int, _ pixels: UnsafeBufferPointer<CellColor>, _ rows: PixelRect, into out: inout ByteBuffer
    ) {
        let range = rows.y * size.width..<rows.maxY * size.width
        let part = UnsafeBufferPointer(rebasing: pixels[range])
        _ = UnsafeMutableBufferPointer(rebasing: shown[range]).update(from: part)
        sentStrips.insert(strip)
        let image = KittyImageWriter.Image(
            number: firstImage + strip, size: PixelSize(width: rows.width, height: rows.height),
            cells: CellSize(columns: cells.columns, rows: rows.height / pixelsPerCell.height))
        let row = strip * rowsPerStrip
        switch transport {
        case .direct, .sharedMemory:
            moveToStrip(row, into: &out)
            writer.write(image, part, isVirtual: false, into: &out)
            if case .inline = addressing { out.append("\u{1B}8") }
        case .tmux:
            writer.write(image, part, isVirtual: true, into: &out)
            if !hasPlaceholders { writePlaceholders(into: &out) }
        }
    }

    /// Moves the cursor to the first cell of a row. For an inline picture, first saves the position of the cursor.
    private func moveToStrip(_ row: Int, into out: inout ByteBuffer) {
        switch addressing {
        case .absolute(let top, let left):
            out.append("\u{1B}[")
            out.appendDecimal(top + row)
            out.append(";")
            out.appendDecimal(left)
            out.append("H")
        case .inline(let idleRow):
            out.append("\u{1B}7\u{1B}[")
            out.appendDecimal(idleRow - row)
            out.append("A\r")
        }
    }

    /// Writes the placeholders, in whose cells the terminal shows the strips.
    private func writePlaceholders(into out: inout ByteBuffer) {
        hasPlaceholders = true
        for row in 0..<cells.rows {
            moveToStrip(row, into: &out)
            let strip = row / rowsPerStrip
            KittyPlaceholders.write(
                image: firstImage + strip, row: row - strip * rowsPerStrip, columns: cells.columns, into: &out)
            if case .inline = addressing { out.append("\u{1B}8") }
        }
    }
}

/// The way in which images reach the terminal.
public enum KittyTransport: Equatable, Sendable {
    /// The graphics commands contain the pixels.
    case direct
    /// The graphics commands name objects in shared memory, because the terminal is on the same machine.
    case sharedMemory
    /// The graphics commands pass through tmux, which does not know where the images are. Placeholder characters in the
    /// cells of the pane show the images.
    case tmux
}
