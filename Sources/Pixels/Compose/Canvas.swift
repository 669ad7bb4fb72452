/// The picture a GIF has built up so far.
///
/// In: indexed frames, in file order. Out: pixels and, for each frame, the rectangle of them that may have changed.
/// Composes as browsers do: uncovered canvas and cleared areas are transparent, frames are clipped to the canvas.
public struct Canvas: ~Copyable {
    public let size: PixelSize

    private var layer: Layer
    private let palettes = PaletteSlots()
    private var pending: PendingDisposal = .none

    private enum Layer {
        /// Slots of ``PaletteSlots``.
        case slots(PixelPlane<UInt16>)
        /// Colours as ``RGBA/bits``, for a canvas that shows more palettes than there are slots for.
        case colors(PixelPlane<UInt32>)
    }

    private enum PendingDisposal {
        case none
        case clear(PixelRect)
        case restore(PixelRect)
    }

    /// Where the scaler reads the pixels; valid until the canvas changes.
    enum Source {
        case slots(UnsafePointer<UInt16>, lights: UnsafePointer<Scaler.Light>)
        case colors(UnsafePointer<UInt32>)
    }

    public init(size: PixelSize) throws(OutOfMemory) {
        self.size = size
        layer = .slots(try PixelPlane(size: size))
    }

    /// The pixels, rows from the top. Computed: the canvas holds palette slots.
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

    /// Back to wholly transparent, as before the first frame.
    public mutating func clear() {
        clear(PixelRect(size))
        pending = .none
    }

    /// Whether nothing is drawn yet.
    public var isEmpty: Bool {
        switch layer {
        case .slots(let plane): plane.pixels.allSatisfy { $0 == 0 }
        case .colors(let plane): plane.pixels.allSatisfy { $0 == 0 }
        }
    }

    /// Disposes of the frame before, then draws this one.
    /// - Returns: what of the canvas may differ from before the call; `.empty` when nothing does.
    /// - Throws: where there is no memory for what the frame covers and is to give back.
    public mutating func draw(_ frame: IndexedFrame) throws(OutOfMemory) -> PixelRect {
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

    private mutating func disposePending() -> PixelRect {
        defer { pending = .none }
        switch pending {
        case .none:
            return .empty
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

    private mutating func paint(_ frame: IndexedFrame, _ area: PixelRect) throws(OutOfMemory) -> PixelRect {
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
