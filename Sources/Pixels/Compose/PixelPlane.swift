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
