/// Draws pictures with sixel graphics. A sixel image consists of bands of six pixel rows. Each band is sent one colour
/// after another.
///
/// An update is an image of the size of the picture. It contains only the changed pixels. The terminal keeps the other
/// pixels, because the image has a transparent background. The position and the size of the image are always the same,
/// because xterm then draws into the existing image instead of adding an image.
public final class SixelEncoder: PictureEncoder {
    private let size: PixelSize
    private let addressing: CursorAddressing
    /// The colour for pixels that become transparent, because sixels cannot erase pixels.
    private let background: CellColor
    private let sendsWholePictures: Bool
    /// The raster colours of the displayed pixels, before the conversion to palette colours.
    private let shown: UnsafeMutableBufferPointer<CellColor>
    private var palette: SixelPalette
    private var band: SixelBand

    /// - Parameters:
    ///   - size: the ``PictureRaster/size`` of all rasters that will be encoded.
    ///   - background: the background colour of the terminal.
    ///   - colors: the number of colour registers of the terminal.
    ///   - sendsWholePictures: whether each update contains all pixels, for terminals such as mlterm, in which the
    ///     transparent pixels of an image erase the cells below.
    public init(
        size: PixelSize, addressing: CursorAddressing, background: CellColor, colors: Int = 256,
        sendsWholePictures: Bool = false
    ) {
        self.size = size
        self.addressing = addressing
        self.background = background
        self.sendsWholePictures = sendsWholePictures
        shown = .allocate(capacity: size.area)
        shown.initialize(repeating: .unknown)
        palette = SixelPalette(limit: max(2, min(256, colors)))
        band = SixelBand(width: size.width)
    }

    deinit { shown.deallocate() }

    public var replayer: (any UpdateReplaying)? { nil }

    public func assumeCleared() { shown.update(repeating: .terminalDefault) }

    public func end(keepsPicture: Bool, into out: inout ByteBuffer) {}

    public func encode(
        _ raster: borrowing PictureRaster, dirty: PixelRect, fidelity: Fidelity, into out: inout ByteBuffer,
        recording changes: inout CellChanges?
    ) {
        precondition(raster.size == size)
        let area = dirty.intersection(PixelRect(size))
        guard !area.isEmpty else { return }
        let pixels = UnsafeBufferPointer(raster.pixels)
        let hasNewColors = hasNewColors(pixels, area, fidelity.tolerance, &palette)
        if hasNewColors { palette.build(from: pixels, width: size.width, adding: background) }
        let isWhole = hasNewColors || sendsWholePictures
        if isWhole { forgetColors() }
        write(pixels, isWhole ? PixelRect(size) : area, fidelity.tolerance, into: &out)
    }

    /// Makes the next update send all pixels. Pixels that still show the terminal's background are left out, unless a
    /// transparent pixel would erase them.
    private func forgetColors() {
        for index in shown.indices where sendsWholePictures || shown[index] != .terminalDefault {
            shown[index] = .unknown
        }
    }

    /// Returns whether the palette must be replaced, because it does not fit the changed pixels in `area`. The palette is
    /// an argument here and below, because Swift checks each access to a property of a class for exclusivity.
    private func hasNewColors(
        _ pixels: UnsafeBufferPointer<CellColor>, _ area: PixelRect, _ tolerance: ColorTolerance,
        _ palette: inout SixelPalette
    ) -> Bool {
        palette.beginFitting()
        for y in area.y..<area.maxY {
            for index in y * size.width + area.x..<y * size.width + area.maxX {
                let color = pixels[index]
                guard color.differs(from: shown[index], by: tolerance) else { continue }
                if !palette.fit(color.isColor ? color : background) { return true }
            }
        }
        return !palette.endFitting()
    }

    private func write(
        _ pixels: UnsafeBufferPointer<CellColor>, _ area: PixelRect, _ tolerance: ColorTolerance,
        into out: inout ByteBuffer
    ) {
        var isBegun = false
        var skippedBands = area.y / 6
        palette.beginUpdate()
        for top in stride(from: area.y / 6 * 6, to: area.maxY, by: 6) {
            collect(pixels, top, area, tolerance, &palette, &band)
            guard !band.isEmpty else {
                skippedBands += 1
                continue
            }
            if !isBegun { begin(&out) }
            isBegun = true
            for _ in 0..<skippedBands { out.append(UInt8(ascii: "-")) }
            skippedBands = 1
            band.write(&palette, into: &out)
        }
        guard isBegun else { return }
        out.append("\u{1B}\\")
        addressing.endImage(into: &out)
    }

    /// Adds the changed pixels of the band that begins at row `top`, and records that the terminal shows them.
    private func collect(
        _ pixels: UnsafeBufferPointer<CellColor>, _ top: Int, _ area: PixelRect, _ tolerance: ColorTolerance,
        _ palette: inout SixelPalette, _ band: inout SixelBand
    ) {
        var last = (color: background, register: palette.register(background))
        for y in max(top, area.y)..<min(top + 6, area.maxY) {
            let bit = UInt8(1) << UInt8(y - top)
            let start = y * size.width
            for x in area.x..<area.maxX {
                let color = pixels[start + x]
                guard color.differs(from: shown[start + x], by: tolerance) else { continue }
                shown[start + x] = color
                let wanted = color.isColor ? color : background
                if wanted != last.color { last = (wanted, palette.register(wanted)) }
                band.set(x, bit, last.register)
            }
        }
    }

    /// Appends the start of an image at the position of the picture. Its pixels are square, and pixels without a colour
    /// stay unchanged.
    private func begin(_ out: inout ByteBuffer) {
        addressing.beginImage(into: &out)
        out.append("\u{1B}P0;1;0q\"1;1;")
        out.appendDecimal(size.width)
        out.append(";")
        out.appendDecimal(size.height)
    }
}
