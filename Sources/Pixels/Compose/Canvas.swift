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
