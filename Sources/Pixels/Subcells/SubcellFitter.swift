/// Finds the pattern of two colours that shows the pixels of a cell with the least squared error in linear light.
///
/// For a given mask, the best colours are the averages of the two groups of pixels. If `d` is the sum of the marked
/// pixels' differences from the average of the cell, the mask reduces the error by `|d|² · n / (marked · unmarked)`,
/// where `n`, `marked` and `unmarked` are numbers of pixels. All masks are compared, four at a time. A mask and its
/// inverse can show the same picture, so the last subcell is never marked.
struct SubcellFitter: ~Copyable {
    private let grid: SubcellGrid
    private let count: Int
    private let transfer = TransferFunction.shared
    /// The factor `n / (marked · unmarked)` of each mask; 0 for the empty mask.
    private let factors: UnsafeMutablePointer<SIMD4<Float>>
    /// The pixels in linear light. As soon as their average is known, it is subtracted from each pixel.
    private let lights: UnsafeMutablePointer<SIMD4<Float>>
    /// The sum of each subset of `lights[2]` to `lights[count - 2]`. Four masks belong to each subset, because a mask
    /// can also contain the pixels 0 and 1.
    private let sums: UnsafeMutablePointer<SIMD4<Float>>
    private let groups: Int
    private let all: UInt8

    init(_ grid: SubcellGrid) {
        self.grid = grid
        count = grid.count
        all = grid.all
        groups = 1 << (grid.count - 3)
        lights = .allocate(capacity: grid.count)
        lights.initialize(repeating: .zero, count: grid.count)
        sums = .allocate(capacity: groups)
        sums.initialize(repeating: .zero, count: groups)
        factors = .allocate(capacity: groups)
        for group in 0..<groups {
            var lanes = SIMD4<Float>.zero
            for lane in 0..<4 {
                let marked = (group * 4 + lane).nonzeroBitCount
                lanes[lane] = marked == 0 ? 0 : Float(grid.count) / Float(marked * (grid.count - marked))
            }
            (factors + group).initialize(to: lanes)
        }
    }

    deinit {
        lights.deallocate()
        sums.deallocate()
        factors.deallocate()
    }

    /// Returns the best pattern for the pixels of a cell. If some pixels show the terminal's own background, exactly
    /// these subcells show the background, and all other subcells get one colour. If the glyph for this is often
    /// missing, one subcell less shows the background, because no glyph can have the background as its foreground.
    /// - Parameter pixels: the pixels of the cell in the order of ``SubcellGrid``.
    @inline(__always)
    func fit(_ pixels: UnsafePointer<CellColor>) -> SubcellPattern {
        var opaque: UInt8 = 0
        var isFlat = true
        var total = SIMD4<Float>.zero
        for index in 0..<count {
            let color = pixels[index]
            isFlat = isFlat && color == pixels[0]
            guard color.isColor else { continue }
            opaque |= 1 &<< UInt8(truncatingIfNeeded: index)
            let light = SIMD4(
                transfer.linear[color.red], transfer.linear[color.green], transfer.linear[color.blue], 0)
            lights[index] = light
            total += light
        }
        if isFlat { return SubcellPattern(flat: pixels[0]) }
        if opaque != all {
            return SubcellPattern(
                mask: grid.similarShown(opaque), marked: color(total / Float(opaque.nonzeroBitCount)),
                rest: .terminalDefault)
        }
        return fit(around: total / Float(count))
    }

    /// Returns the best pattern for the pixels of a cell of `raster`.
    func fit(_ raster: borrowing PictureRaster, row: Int, column: Int) -> SubcellPattern {
        let first = row * (count / 2) * raster.size.width + column * 2
        return withUnsafeTemporaryAllocation(of: CellColor.self, capacity: count) { pixels in
            for subcell in 0..<count {
                pixels.initializeElement(
                    at: subcell, to: raster.pixels[first + subcell / 2 * raster.size.width + subcell % 2])
            }
            return fit(pixels.baseAddress.unsafelyUnwrapped)
        }
    }

    private func fit(around average: SIMD4<Float>) -> SubcellPattern {
        for index in 0..<count { lights[index] -= average }
        addSubsets()
        let mask = bestMask()
        guard mask != 0 else { return SubcellPattern(flat: color(average)) }
        var sum = sums[mask &>> 2]
        if mask & 1 != 0 { sum += lights[0] }
        if mask & 2 != 0 { sum += lights[1] }
        let marked = mask.nonzeroBitCount
        return SubcellPattern(
            mask: UInt8(truncatingIfNeeded: mask), marked: color(average + sum / Float(marked)),
            rest: color(average - sum / Float(count - marked)))
    }

    /// Computes ``sums`` from ``lights``.
    private func addSubsets() {
        var filled = 1
        for index in 2..<count - 1 {
            for subset in 0..<filled { sums[filled &+ subset] = sums[subset] + lights[index] }
            filled &*= 2
        }
    }

    /// Returns the mask that reduces the error most; 0 if none reduces it.
    private func bestMask() -> Int {
        let (first, second) = (lights[0], lights[1])
        let both = first + second
        let red = SIMD4(0, first.x, second.x, both.x)
        let green = SIMD4(0, first.y, second.y, both.y)
        let blue = SIMD4(0, first.z, second.z, both.z)
        var best = SIMD4<Float>.zero
        var bestGroups = SIMD4<Int32>.zero
        for group in 0..<groups {
            let sum = sums[group]
            let (x, y, z) = (red + sum.x, green + sum.y, blue + sum.z)
            let gain = (x * x + y * y + z * z) * factors[group]
            let isBetter = gain .> best
            best.replace(with: gain, where: isBetter)
            bestGroups.replace(with: SIMD4(repeating: Int32(truncatingIfNeeded: group)), where: isBetter)
        }
        var lane = 0
        for other in 1..<4 where best[other] > best[lane] { lane = other }
        return best[lane] > 0 ? Int(bestGroups[lane]) &* 4 &+ lane : 0
    }

    @inline(__always)
    private func color(_ light: SIMD4<Float>) -> CellColor {
        CellColor(
            bits: transfer.encoded(light.x) << 16 | transfer.encoded(light.y) << 8 | transfer.encoded(light.z))
    }
}
