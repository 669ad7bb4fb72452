/// The picture that results when the frames of a GIF are drawn one after another.
///
/// The frames must be drawn in file order. As in browsers, the canvas is transparent at first, cleared areas become
/// transparent, and frames are clipped to the canvas.
public final class Canvas {
    public let size: PixelSize

    private var layer: Layer
    private let palettes = PaletteSlots()
    private var pending: PendingDisposal = .none

    private enum Layer {
        /// Each pixel is a slot of ``PaletteSlots``.
        case slots(PixelPlane<UInt16>)
        /// Each pixel is a colour (``RGBA/bits``). The canvas switches to this representation when it shows more
        /// palettes than ``PaletteSlots`` can store.
        case colors(PixelPlane<UInt32>)
    }

    private enum PendingDisposal {
        case none
        case clear(PixelRect)
        case restore(PixelRect)
    }

    /// The pixels in the representation that the scaler reads. The pointers are valid until the canvas changes.
    enum Source {
        case slots(UnsafePointer<UInt16>, lights: UnsafePointer<Scaler.Light>)
        case colors(UnsafePointer<UInt32>)
    }

    public init(size: PixelSize) throws(GIFError) {
        self.size = size
        layer = .slots(try PixelPlane(size: size))
    }

    /// The pixels, top row first. Each access converts the whole canvas.
    public var pixels: [RGBA] {
        switch layer {
        case .slots(let plane): plane.pixels.map { RGBA(bits: palettes.colors[Int($0)]) }
        case .colors(let plane): plane.pixels.map(RGBA.init(bits:))
        }
    }

    var source: Source {
        switch layer {
        case .slots(let plane):
            .slots(UnsafePointer(plane.pixels.baseAddress.unsafelyUnwrapped), lights: UnsafePointer(palettes.lights))
        case .colors(let plane): .colors(UnsafePointer(plane.pixels.baseAddress.unsafelyUnwrapped))
        }
    }

    /// Makes the whole canvas transparent, like a new canvas.
    public func clear() {
        clear(PixelRect(size))
        pending = .none
    }

    public var isEmpty: Bool {
        switch layer {
        case .slots(let plane): plane.pixels.allSatisfy { $0 == 0 }
        case .colors(let plane): plane.pixels.allSatisfy { $0 == 0 }
        }
    }

    /// Applies the disposal method of the previous frame, then draws `frame`.
    /// - Returns: a rectangle that contains all changed pixels; `.empty` if nothing changed.
    /// - Throws: if there is not enough memory. Memory is needed to save the pixels under a frame with
    ///   ``Disposal/restore``, and to convert the canvas from palette slots to colours.
    @discardableResult
    public func draw(_ frame: IndexedFrame) throws(GIFError) -> PixelRect {
        let disposed = disposePending()
        let area = frame.rect.intersection(PixelRect(size))
        switch frame.disposal {
        case .keep: pending = .none
        case .clear: pending = .clear(area)
        case .restore:
            switch layer {
            case .slots(let plane): try plane.save(area)
            case .colors(let plane): try plane.save(area)
            }
            pending = .restore(area)
        }
        guard !area.isEmpty, frame.decodedCount > 0 else { return disposed }
        return disposed.union(try paint(frame, area))
    }

    private func disposePending() -> PixelRect {
        defer { pending = .none }
        switch pending {
        case .none: return .empty
        case .clear(let area):
            clear(area)
            return area
        case .restore(let area):
            switch layer {
            case .slots(let plane): plane.restore()
            case .colors(let plane): plane.restore()
            }
            return area
        }
    }

    private func clear(_ area: PixelRect) {
        switch layer {
        case .slots(let plane): plane.clear(area)
        case .colors(let plane): plane.clear(area)
        }
    }

    private func paint(_ frame: IndexedFrame, _ area: PixelRect) throws(GIFError) -> PixelRect {
        if case .slots(let plane) = layer {
            if let first = palettes.firstSlot(of: frame, on: plane) {
                return plane.paint(frame, area) { first | UInt16($0) }
            }
            let colors = palettes.colors
            layer = .colors(try PixelPlane(plane) { colors[Int($0)] })
        }
        guard case .colors(let plane) = layer else { return .empty }
        let palette = frame.palette.baseAddress.unsafelyUnwrapped
        return plane.paint(frame, area) { palette[Int($0)].bits }
    }
}

/// The palettes of the frames on a canvas. A slot is a 16-bit number: its high byte is the number of a palette, and its
/// low byte is the index of a colour in that palette.
///
/// Pixels are stored as slots instead of colours. Therefore drawing a frame only copies its indices, and the linear
/// light of a pixel needs only one table lookup. Palette 0 has only the transparent slot 0; others belong to frames.
final class PaletteSlots {
    /// The maximum number of palettes. The tables for this number of palettes take 1.3 MB.
    private static let maximumPaletteCount = 256
    /// The minimum number of unused palettes for which ``reclaimPalettes(_:)`` succeeds. Each call reads the whole
    /// canvas, so frequent calls that free only a few palettes would be slow.
    private static let minimumReclaimedCount = 16

    /// The colour of each slot, as ``RGBA/bits``.
    let colors: UnsafeMutablePointer<UInt32>
    let lights: UnsafeMutablePointer<Scaler.Light>
    private var isUsed: [Bool]
    /// Scratch space for ``reclaimPalettes(_:)``, so that this method does not allocate memory.
    private var isVisible: [Bool]
    private var current = 0

    init() {
        isUsed = Array(repeating: false, count: Self.maximumPaletteCount)
        isUsed[0] = true
        isVisible = isUsed
        // The system provides memory for a page of these tables only when a palette is first written to that page.
        colors = .allocate(capacity: Self.maximumPaletteCount << 8)
        lights = .allocate(capacity: Self.maximumPaletteCount << 8)
        colors[0] = 0
        lights[0] = .zero
    }

    deinit {
        colors.deallocate()
        lights.deallocate()
    }

    /// Returns the slot of the first colour of a frame's palette. Stores the palette if it is new. Returns nil if the
    /// canvas shows too many different palettes.
    /// - Parameter canvas: the pixels, which determine the palettes that are still in use.
    func firstSlot(of frame: IndexedFrame, on canvas: PixelPlane<UInt16>) -> UInt16? {
        if !isStored(frame.palette, current) {
            if let known = (1..<Self.maximumPaletteCount).first(where: { isStored(frame.palette, $0) }) {
                current = known
            } else {
                guard let free = isUsed.firstIndex(of: false) ?? reclaimPalettes(canvas) else { return nil }
                current = free
                set(frame.palette)
            }
        }
        return UInt16(current << 8)
    }

    private func isStored(_ palette: UnsafeMutableBufferPointer<RGBA>, _ number: Int) -> Bool {
        guard number > 0, isUsed[number] else { return false }
        var difference: UInt32 = 0
        let colors = colors + number << 8
        for index in 0..<256 { difference |= palette[index].bits ^ colors[index] }
        return difference == 0
    }

    private func set(_ palette: UnsafeMutableBufferPointer<RGBA>) {
        isUsed[current] = true
        for index in 0..<256 {
            let slot = current << 8 + index
            colors[slot] = palette[index].bits
            lights[slot] = TransferFunction.shared.light(palette[index])
        }
    }

    /// Frees the palettes that no pixel uses any more.
    /// - Returns: the number of a free palette; nil if fewer than ``minimumReclaimedCount`` palettes are unused.
    private func reclaimPalettes(_ canvas: PixelPlane<UInt16>) -> Int? {
        for number in 1..<Self.maximumPaletteCount { isVisible[number] = false }
        canvas.forEach { isVisible[Int($0 >> 8)] = true }
        guard isVisible.count(where: { !$0 }) >= Self.minimumReclaimedCount else { return nil }
        swap(&isUsed, &isVisible)
        isVisible[0] = true
        return isUsed.firstIndex(of: false)
    }
}

/// The pixels of a canvas, stored either as palette slots or as colours. The value 0 is transparent.
///
/// A second buffer stores the pixels that a frame with ``Disposal/restore`` covers.
///
/// The class has no requirements for `Pixel`: they would make the runtime look up conformances at each start.
final class PixelPlane<Pixel> {
    /// The pixels, top row first.
    let pixels: UnsafeMutableBufferPointer<Pixel>
    private let size: PixelSize
    /// The pixels of ``savedArea``, row by row.
    private var saved = UnsafeMutableBufferPointer<Pixel>(start: nil, count: 0)
    private var savedArea = PixelRect.empty

    /// All pixels are transparent.
    init(size: PixelSize) throws(GIFError) where Pixel: FixedWidthInteger {
        self.size = size
        pixels = try PictureMemory.allocateZeros(Pixel.self, count: size.area)
    }

    /// Creates the plane from a plane of another pixel type. Converts all pixels, including the saved pixels.
    init<Other>(_ other: PixelPlane<Other>, convert: (Other) -> Pixel) throws(GIFError) {
        size = other.size
        pixels = try PictureMemory.allocate(Pixel.self, count: size.area)
        for index in 0..<size.area { pixels[index] = convert(other.pixels[index]) }
        savedArea = other.savedArea
        try PictureMemory.grow(&saved, toCount: savedArea.width * savedArea.height)
        for index in 0..<savedArea.width * savedArea.height { saved[index] = convert(other.saved[index]) }
    }

    deinit {
        PictureMemory.release(pixels)
        PictureMemory.release(saved)
    }

    /// Calls `body` for every pixel of the canvas, and for every saved pixel, which ``restore()`` can make visible.
    func forEach(_ body: (Pixel) -> Void) {
        pixels.forEach(body)
        saved.prefix(savedArea.width * savedArea.height).forEach(body)
    }

    func clear(_ area: PixelRect) where Pixel: FixedWidthInteger {
        for y in area.y..<area.maxY { row(y, from: area.x).update(repeating: 0, count: area.width) }
    }

    /// Saves the pixels of `area` for ``restore()``.
    func save(_ area: PixelRect) throws(GIFError) {
        try PictureMemory.grow(&saved, toCount: area.width * area.height)
        savedArea = area
        guard let base = saved.baseAddress else { return }
        for (line, y) in (area.y..<area.maxY).enumerated() {
            (base + line * area.width).update(from: row(y, from: area.x), count: area.width)
        }
    }

    /// Restores the pixels that the last call of ``save(_:)`` saved.
    func restore() {
        guard let base = saved.baseAddress else { return }
        for (line, y) in (savedArea.y..<savedArea.maxY).enumerated() {
            row(y, from: savedArea.x).update(from: base + line * savedArea.width, count: savedArea.width)
        }
        savedArea = .empty
    }

    /// Draws the decoded pixels of `frame` that are in `area`.
    /// - Parameter pixel: converts a palette index to a pixel.
    /// - Returns: a rectangle as wide as `area`, from the first to the last changed row; `.empty` if no row changed.
    @inline(__always)
    func paint(_ frame: IndexedFrame, _ area: PixelRect, _ pixel: (UInt8) -> Pixel) -> PixelRect
    where Pixel: FixedWidthInteger {
        let width = frame.rect.width
        let skippedColumns = area.x - frame.rect.x
        var first = area.maxY
        var last = area.y - 1
        var rows = RowOrder(height: frame.rect.height, isInterlaced: frame.isInterlaced)
        var offset = 0
        while let line = rows.next(), offset < frame.decodedCount {
            defer { offset += width }
            let y = frame.rect.y + line
            guard y >= area.y, y < area.maxY else { continue }
            let count = min(area.width, frame.decodedCount - offset - skippedColumns)
            guard count > 0 else { continue }
            let source = frame.indices.baseAddress.unsafelyUnwrapped + offset + skippedColumns
            let target = row(y, from: area.x)
            guard Self.paintRow(source, count, frame.transparentIndex, target, pixel) else { continue }
            first = min(first, y)
            last = max(last, y)
        }
        guard first <= last else { return .empty }
        return PixelRect(x: area.x, y: first, width: area.width, height: last - first + 1)
    }

    /// Draws `count` pixels of a row.
    /// - Returns: whether any pixel of the row changed.
    @inline(__always)
    private static func paintRow(
        _ source: UnsafePointer<UInt8>, _ count: Int, _ transparentIndex: Int, _ target: UnsafeMutablePointer<Pixel>,
        _ pixel: (UInt8) -> Pixel
    ) -> Bool where Pixel: FixedWidthInteger {
        var changed: Pixel = 0
        guard transparentIndex >= 0 else {
            for x in 0..<count {
                let after = pixel(source[x])
                changed |= target[x] ^ after
                target[x] = after
            }
            return changed != 0
        }
        let transparent = UInt8(truncatingIfNeeded: transparentIndex)
        // This loop has no branch, for two reasons. First, encoders scatter transparent pixels over every frame, so the
        // processor would mispredict a branch for about half of the pixels. Second, the compiler can vectorise the
        // loop.
        for x in 0..<count {
            let index = source[x]
            let before = target[x]
            let after = index == transparent ? before : pixel(index)
            changed |= before ^ after
            target[x] = after
        }
        return changed != 0
    }

    @inline(__always)
    private func row(_ y: Int, from x: Int) -> UnsafeMutablePointer<Pixel> {
        pixels.baseAddress.unsafelyUnwrapped + y * size.width + x
    }
}

/// The order in which a GIF stores the rows of a frame.
struct RowOrder {
    private let height: Int
    private var y = 0
    private var step: Int
    private var pass = 0

    init(height: Int, isInterlaced: Bool) {
        self.height = height
        step = isInterlaced ? 8 : 1
    }

    mutating func next() -> Int? {
        while y >= height {
            // An interlaced image has four passes, which begin at rows 0, 4, 2 and 1. Other images have one pass.
            guard step > 1, pass < 3 else { return nil }
            pass += 1
            y = 8 >> pass
            if pass > 1 { step >>= 1 }
        }
        defer { y += step }
        return y
    }
}
