/// The palettes of the frames on a canvas. A slot combines the number of a palette (high byte) with the index of a
/// colour in it (low byte).
///
/// Because pixels are slots instead of colours, a frame is painted by copying its indices, and the linear light of a
/// pixel is one lookup. Palette 0 has only the transparent slot 0; the other palettes belong to frames.
final class PaletteSlots {
    /// The tables take 1.3 MB if a file has this many palettes.
    private static let maximumPaletteCount = 256
    /// Reclaiming reads the whole canvas, so it must free enough palettes to be worth it.
    private static let minimumReclaimedCount = 16

    /// The colour of each slot, as ``RGBA/bits``.
    let colors: UnsafeMutablePointer<UInt32>
    /// The linear light of each slot.
    let lights: UnsafeMutablePointer<Scaler.Light>
    private var isUsed: [Bool]
    /// Scratch space of ``reclaimPalettes(_:)``, so that it does not allocate.
    private var isVisible: [Bool]
    private var current = 0

    init() {
        isUsed = Array(repeating: false, count: Self.maximumPaletteCount)
        isUsed[0] = true
        isVisible = isUsed
        // Pages take memory only once a palette is written to them.
        colors = .allocate(capacity: Self.maximumPaletteCount << 8)
        lights = .allocate(capacity: Self.maximumPaletteCount << 8)
        colors[0] = 0
        lights[0] = .zero
    }

    deinit {
        colors.deallocate()
        lights.deallocate()
    }

    /// The slot of index 0 of a frame's palette.
    /// - Parameter canvas: the canvas, which is searched for palettes that no pixel uses any more.
    /// - Returns: nil if the canvas shows too many different palettes.
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
    /// - Returns: the number of a free palette; nil if there are fewer than ``minimumReclaimedCount``.
    private func reclaimPalettes(_ canvas: PixelPlane<UInt16>) -> Int? {
        for number in 1..<Self.maximumPaletteCount { isVisible[number] = false }
        canvas.forEach { isVisible[Int($0 >> 8)] = true }
        guard isVisible.count(where: { !$0 }) >= Self.minimumReclaimedCount else { return nil }
        swap(&isUsed, &isVisible)
        isVisible[0] = true
        return isUsed.firstIndex(of: false)
    }
}
