/// The picture a GIF has built up so far.
///
/// In: indexed frames, in file order. Out: a raster of ``RGBA`` and, for each frame, the
/// rectangle of it that may have changed. Composes as browsers do: uncovered canvas and cleared
/// areas are transparent, frames are clipped to the canvas.
public struct Canvas: ~Copyable {
    public let size: PixelSize
    /// Rows top down, `size.area` pixels.
    public let pixels: UnsafeMutableBufferPointer<RGBA>

    private var pending: PendingDisposal = .none
    /// What a frame with ``Disposal/restore`` covers; kept from frame to frame for its room.
    private var covered = UnsafeMutableBufferPointer<RGBA>(start: nil, count: 0)

    private enum PendingDisposal {
        case none
        case clear(PixelRect)
        case restore(PixelRect)
    }

    public init(size: PixelSize) throws(OutOfMemory) {
        self.size = size
        pixels = try PictureMemory.allocate(RGBA.self, count: size.area)
        pixels.initialize(repeating: .transparent)
    }

    deinit {
        PictureMemory.release(pixels)
        PictureMemory.release(covered)
    }

    /// Back to wholly transparent, as before the first frame.
    public mutating func clear() {
        pixels.update(repeating: .transparent)
        pending = .none
    }

    /// Whether nothing is drawn yet.
    public var isEmpty: Bool { pixels.allSatisfy { $0 == .transparent } }

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
            try save(area)
            pending = .restore(area)
        }
        guard !area.isEmpty, frame.decodedCount > 0 else { return disposed }
        return disposed.union(paint(frame, area))
    }

    private mutating func disposePending() -> PixelRect {
        defer { pending = .none }
        switch pending {
        case .none:
            return .empty
        case .clear(let area):
            for y in area.y..<area.maxY {
                row(y, from: area.x).update(repeating: .transparent, count: area.width)
            }
            return area
        case .restore(let area):
            guard let base = covered.baseAddress else { return area }
            for (line, y) in (area.y..<area.maxY).enumerated() {
                row(y, from: area.x).update(from: base + line * area.width, count: area.width)
            }
            return area
        }
    }

    private mutating func save(_ area: PixelRect) throws(OutOfMemory) {
        try PictureMemory.grow(&covered, toCount: area.width * area.height)
        guard let base = covered.baseAddress else { return }
        for (line, y) in (area.y..<area.maxY).enumerated() {
            (base + line * area.width).update(from: row(y, from: area.x), count: area.width)
        }
    }

    /// Draws the decoded part of the frame that lies in `area` and tells which rows it changed.
    private func paint(_ frame: IndexedFrame, _ area: PixelRect) -> PixelRect {
        let width = frame.rect.width
        let skipped = area.x - frame.rect.x
        var first = area.maxY
        var last = area.y - 1
        var rows = RowOrder(height: frame.rect.height, isInterlaced: frame.isInterlaced)
        var offset = 0
        while let line = rows.next(), offset < frame.decodedCount {
            defer { offset += width }
            let y = frame.rect.y + line
            guard y >= area.y, y < area.maxY else { continue }
            let count = min(area.width, frame.decodedCount - offset - skipped)
            guard count > 0 else { continue }
            let source = frame.indices.baseAddress.unsafelyUnwrapped + offset + skipped
            guard paintRow(source, count, frame, into: row(y, from: area.x)) else { continue }
            first = min(first, y)
            last = max(last, y)
        }
        guard first <= last else { return .empty }
        return PixelRect(x: area.x, y: first, width: area.width, height: last - first + 1)
    }

    /// - Returns: whether any pixel of the row is another than before: what stays needs neither scaling nor sending.
    @inline(__always)
    private func paintRow(
        _ source: UnsafePointer<UInt8>, _ count: Int, _ frame: IndexedFrame, into target: UnsafeMutablePointer<RGBA>
    ) -> Bool {
        let palette = frame.palette.baseAddress.unsafelyUnwrapped
        var changed: UInt32 = 0
        guard frame.transparentIndex >= 0 else {
            for x in 0..<count {
                let color = palette[Int(source[x])].bits
                changed |= target[x].bits ^ color
                target[x].bits = color
            }
            return changed != 0
        }
        let transparent = UInt8(truncatingIfNeeded: frame.transparentIndex)
        // Encoders scatter transparent pixels over every frame, so a branch on each would be guessed
        // wrong about as often as right: both are read and one is taken.
        for x in 0..<count {
            let index = source[x]
            let color = palette[Int(index)].bits
            let before = target[x].bits
            let after = index == transparent ? before : color
            changed |= before ^ after
            target[x].bits = after
        }
        return changed != 0
    }

    @inline(__always)
    private func row(_ y: Int, from x: Int) -> UnsafeMutablePointer<RGBA> {
        pixels.baseAddress.unsafelyUnwrapped + y * size.width + x
    }
}

/// The order in which a GIF transmits its rows.
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
            // A plain picture has one pass; an interlaced one four, at offsets 0, 4, 2, 1.
            guard step > 1, pass < 3 else { return nil }
            pass += 1
            y = 8 >> pass
            if pass > 1 { step >>= 1 }
        }
        defer { y += step }
        return y
    }
}
