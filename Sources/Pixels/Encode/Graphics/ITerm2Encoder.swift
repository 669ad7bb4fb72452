/// Draws pictures with the inline images of iTerm2, which WezTerm, Konsole, mintty and VS Code show as well. Each
/// strip of the picture is a PNG file.
///
/// An image replaces the contents of its cells, so nothing has to be deleted.
public final class ITerm2Encoder: PictureEncoder {
    private let strips: PictureStrips
    private let addressing: CursorAddressing
    private let isInTmux: Bool
    private let playsFiles: Bool
    private let png = PNGEncoder()

    /// In bytes. The sequence of such a file is shorter than 1 MiB, the limit of some terminals.
    public static let largestFile = 700 << 10

    /// - Parameters:
    ///   - size: the ``PictureRaster/size`` of all rasters that will be encoded.
    ///   - isInTmux: whether the images pass through tmux to the terminal.
    ///   - playsFiles: whether the terminal plays GIF files by itself.
    public init(
        size: PixelSize, pixelsPerCell: PixelSize, addressing: CursorAddressing, isInTmux: Bool,
        playsFiles: Bool = false
    ) {
        (self.addressing, self.isInTmux, self.playsFiles) = (addressing, isInTmux, playsFiles)
        strips = PictureStrips(size: size, pixelsPerCell: pixelsPerCell)
    }

    public var filePlayer: ITerm2Encoder? { playsFiles ? self : nil }

    public func assumeCleared() { strips.assumeCleared() }

    public func end(keepsPicture: Bool, into out: inout ByteBuffer) {}

    public func encode(
        _ raster: borrowing PictureRaster, dirty: PixelRect, fidelity: Fidelity, into out: inout ByteBuffer,
        recording changes: inout CellChanges?
    ) {
        strips.update(raster, dirty: dirty, tolerance: fidelity.tolerance) { strip in
            guard let file = png.encode(strip.pixels, strip.size) else { return }
            addressing.beginImage(row: strip.row, into: &out)
            // tmux moves the cursor of the terminal only when it draws. Erasing a cell moves the cursor to this cell.
            if isInTmux { out.append("\u{1B}[X\u{1B}Ptmux;\u{1B}") }
            Self.append(file, strip.cells, into: &out)
            if isInTmux { out.append("\u{1B}\\") }
            addressing.endImage(into: &out)
        }
    }

    /// Appends the bytes that make the terminal play a file of at most ``largestFile`` bytes in place of the picture. The
    /// next update ends that.
    public func appendFile(_ file: [UInt8], into out: inout ByteBuffer) {
        strips.forget()
        addressing.beginImage(into: &out)
        file.withUnsafeBufferPointer { Self.append($0, strips.cells, into: &out) }
        addressing.endImage(into: &out)
    }

    /// Appends a file for a pipe, with the cursor after it.
    public static func appendLine(_ file: [UInt8], _ cells: CellSize, into out: inout ByteBuffer) {
        file.withUnsafeBufferPointer { append($0, cells, movesCursor: true, into: &out) }
        out.append("\n")
    }

    /// Appends an image at the cursor. Some terminals then move the cursor to the end of the image's last row, so the
    /// last row of the screen would scroll it.
    static func append(
        _ file: UnsafeBufferPointer<UInt8>, _ cells: CellSize, movesCursor: Bool = false, into out: inout ByteBuffer
    ) {
        out.append(
            "\u{1B}]1337;File=inline=1;size=\(file.count);width=\(cells.columns);height=\(cells.rows)"
                + ";preserveAspectRatio=0\(movesCursor ? "" : ";doNotMoveCursor=1"):")
        Base64.append(file[...], into: &out)
        out.append("\u{07}")
    }
}
