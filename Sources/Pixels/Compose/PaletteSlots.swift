/// The palettes of the frames on a canvas. A slot is a 16-bit number: its high byte is the number of a palette, and its
/// low byte is the index of a colour in that palette.
///
/// Pixels are stored as slots instead of colours. Therefore a frame is painted by copying its indices, and the linear
/// light of a pixel takes one lookup. Palette 0 has only the transparent slot 0; the other palettes belong to frames.
final class PaletteSlots {
    /// The maximum number of palettes, with which the tables take 1.3 MB.
    private static let maximumPaletteCount = 256
    /// The minimum number of palettes that a search for unused palettes must free, because each search reads the whole
    /// canvas.
    private static let minimumReclaimedCount = 16

    /// The colour of each slot, as ``RGBA/bits``.
    let colors: UnsafeMutablePointer<UInt32>
    /// The linear light of each slot.
    let lights: UnsafeMutablePointer<Scaler.Light>
    private var isUsed: [Bool]
    /// Scratch space of ``reclaimPalettes(_:)``, which therefore does not allocate memory.
    private var isVisible: [Bool]
    private var current = 0

    init() {
        isUsed = Array(repeating: false, count: Self.maximumPaletteCount)
        isUsed[0] = true
        isVisible = isUsed
        // A page of these tables takes memory only after a palette is written to the page.
        colors = .allocate(capacity: Self.maximumPaletteCount << 8)
        lights = .allocate(capacity: Self.maximumPaletteCount << 8)
        colors[0] = 0
        lights[0] = .zero
    }

    deinit {
        colors.deallocate()
        lights.deallocate()
    }

    /// Returns the slot of index 0 of a frame's palette; nil if the canvas shows too many different palettes. Stores
    /// the palette if it is new.
    /// - Parameter canvas: the pixels that show which palettes are still in use.
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
