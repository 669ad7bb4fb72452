import Pixels
import TestSupport

/// Renders a canvas to a virtual screen and checks the result of each step. The pixels of a small canvas are also
/// compared with those of a slow, simple implementation.
final class FuzzedPicture {
    private let canvas: Canvas
    private let scaler: Scaler
    private let raster: PictureRaster
    private var encoder: HalfBlockEncoder
    private var screen: VirtualScreen
    private var out = ByteBuffer()
    /// The simple implementation with which ``canvas`` is compared; nil if the comparison would take too long.
    private var reference: ReferenceRenderer?
    private var before: [RGBA]
    private let origin: (row: Int, column: Int)
    private let fidelity: Fidelity
    private let filter: PictureFit.Filter
    private let backdrop: Backdrop
    private var isFirst = true

    /// The maximum number of canvas pixels for the comparison with the reference renderer. The renderer is too slow for
    /// larger canvases.
    private static let maximumPixelsCompared = 1 << 12

    /// - Parameter choice: a number whose bits select the pane size, the filter, the fidelity, the backdrop, the
    ///   enlargement of small pictures, the cursor addressing and the position of the picture.
    init(canvas size: PixelSize, choice: UInt64) throws(GIFError) {
        let panes = [(1, 1), (13, 7), (5, 3), (24, 6)]
        let (columns, rows) = panes[Int(choice & 3)]
        filter = choice >> 2 & 3 == 0 ? .pixelated : .smooth
        fidelity = [Fidelity.exact, .standard, .low, .coarse][Int(choice >> 4 & 3)]
        backdrop = choice >> 6 & 1 == 0 ? .terminal(.black) : .solid(CellColor(red: 200, green: 20, blue: 90))
        let fit = PictureFit(filter: filter, enlarges: choice >> 7 & 3 != 0)
        let target = fit.target(for: size, in: CellSize(columns: columns, rows: rows))
        canvas = try Canvas(size: size)
        scaler = Scaler(source: size, target: target, filter: filter, backdrop: backdrop)
        raster = PictureRaster(size: target)
        let cells = raster.cells
        let isInline = choice >> 9 & 1 == 0
        origin = isInline ? (0, 0) : (Int(choice >> 10 & 3), Int(choice >> 12 & 3))
        screen = VirtualScreen(columns: cells.columns + origin.column, rows: cells.rows + origin.row + 1)
        encoder = HalfBlockEncoder(
            size: raster.size,
            addressing: isInline
                ? .inline(idleRow: cells.rows) : .absolute(row: origin.row + 1, column: origin.column + 1))
        if isInline { try? screen.feed(Array(repeating: [13, 10], count: cells.rows).joined()) }
        encoder.assumeCleared()
        reference = size.area <= Self.maximumPixelsCompared ? ReferenceRenderer(canvas: size) : nil
        before = canvas.pixels
    }

    func draw(_ frame: IndexedFrame) throws {
        var dirty = try canvas.draw(frame)
        let whole = PixelRect(canvas.size)
        try require(dirty.isEmpty || dirty.intersection(whole) == dirty, "\(dirty) reaches beyond \(whole)")
        if frame.rect.width * frame.rect.height > Self.maximumPixelsCompared * 4 { reference = nil }
        if reference != nil { try compareCanvas(frame, dirty) }
        if isFirst { dirty = whole }
        let changed = scaler.scale(canvas, dirty: dirty, into: raster)
        try require(
            changed.isEmpty || changed.intersection(PixelRect(raster.size)) == changed, "\(changed) of \(raster.size)")
        try compareRaster()
        try show(changed)
        isFirst = false
    }

    private func compareCanvas(_ frame: IndexedFrame, _ dirty: PixelRect) throws {
        let size = canvas.size
        reference?.draw(frame)
        guard let plain = reference?.pixels else { return }
        for (index, pixel) in canvas.pixels.enumerated() {
            let (y, x) = index.quotientAndRemainder(dividingBy: size.width)
            if pixel != before[index] {
                let isInside = x >= dirty.x && x < dirty.maxX && y >= dirty.y && y < dirty.maxY
                try require(isInside, "pixel \(x),\(y) changed outside \(dirty)")
                before[index] = pixel
            }
            let color =
                pixel.bits >> 24 == 0
                ? nil
                : CellColor(
                    red: UInt8(pixel.bits & 0xFF), green: UInt8(pixel.bits >> 8 & 0xFF),
                    blue: UInt8(pixel.bits >> 16 & 0xFF))
            try require(color == plain[index], "pixel \(x),\(y) differs from the reference")
        }
    }

    /// Checks that the updated raster is the same as a raster that a new scaler computes from the whole canvas.
    private func compareRaster() throws {
        guard canvas.size.area <= 1 << 15 else { return }
        let fresh = PictureRaster(size: scaler.target)
        let other = Scaler(source: canvas.size, target: scaler.target, filter: filter, backdrop: backdrop)
        _ = other.scale(canvas, dirty: PixelRect(canvas.size), into: fresh)
        for index in raster.pixels.indices {
            try require(raster.pixels[index] == fresh.pixels[index], "half-cell \(index) differs from a full scaling")
        }
    }

    private func show(_ dirty: PixelRect) throws {
        out.removeAll()
        var changes: CellChanges? = CellChanges()
        let used: Fidelity = isFirst ? .exact : fidelity
        encoder.encode(raster, dirty: dirty, fidelity: used, into: &out, recording: &changes)
        let written = Array(out.bytes)
        try screen.feed(written)
        let shown = screen.halves(row: origin.row, column: origin.column, raster.cells)
        for (index, color) in shown.enumerated() {
            let wanted = raster.pixels[index]
            try require(
                visibleDifference(color, wanted) <= used.bound, "half-cell \(index) shows \(color), not \(wanted)")
        }
        // Checks that encoding the recorded changes gives the bytes that were written for this frame.
        guard let changes else { return }
        out.removeAll()
        encoder.encode(changes[0..<changes.count], into: &out)
        try require(written.elementsEqual(out.bytes), "the recorded changes encode to other bytes")
    }
}
