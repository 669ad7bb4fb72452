/// The picture that results when the frames of a GIF are drawn one after another.
///
/// The frames must be drawn in file order. As in browsers, the canvas is transparent at first, cleared areas become
/// transparent, and frames are clipped to the canvas.
public struct Canvas: ~Copyable {
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

    public init(size: PixelSize) throws(OutOfMemory) {
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
    public mutating func clear() {
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
