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
