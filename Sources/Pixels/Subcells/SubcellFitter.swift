/// Finds the mask that divides the pixels of a cell into two groups with the least squared error, and shows each group
/// in the colour of its average light.
///
/// The error is that of gamma-encoded values, because their differences are closer to visible ones than those of linear
/// light. If `d` is the sum of the marked pixels' differences from the average of the cell, a mask reduces the error by
/// `|d|² · n / (marked · unmarked)`, where `n`, `marked` and `unmarked` are numbers of pixels. All masks are compared,
/// four at a time. A mask and its inverse can show the same picture, so the last subcell is never marked.
struct SubcellFitter: ~Copyable {
    private let grid: SubcellGrid
    private let count: Int
    private let transfer = TransferFunction.shared
    /// The factor `n / (marked · unmarked)` of each mask; 0 for the empty mask.
    private let factors: UnsafeMutablePointer<SIMD4<Float>>
    /// The gamma-encoded pixels. As soon as their average is known, it is subtracted from each pixel.
    private let values: UnsafeMutablePointer<SIMD4<Float>>
    /// The sum of each subset of `values[2]` to `values[count - 2]`. Four masks belong to each subset, because a mask
    /// can also contain the pixels 0 and 1.
    private let sums: UnsafeMutablePointer<SIMD4<Float>>
    private let groups: Int
    private let all: UInt8

    init(_ grid: SubcellGrid) {
        self.grid = grid
        count = grid.count
        all = grid.all
        groups = 1 << (grid.count - 3)
        values = .allocate(capacity: grid.count)
        values.initialize(repeating: .zero, count: grid.count)
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
        values.deallocate()
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
            let value = SIMD4(Float(color.red), Float(color.green), Float(color.blue), 0)
            values[index] = value
            total += value
        }
        if isFlat { return SubcellPattern(flat: pixels[0]) }
        if opaque != all {
            return SubcellPattern(
                mask: grid.similarShown(opaque), marked: average(pixels, opaque), rest: .terminalDefault)
        }
        for index in 0..<count { values[index] -= total / Float(count) }
        addSubsets()
        let mask = bestMask()
        return SubcellPattern(mask: mask, marked: average(pixels, mask), rest: average(pixels, ~mask & all))
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

    /// Computes ``sums`` from ``values``.
    private func addSubsets() {
        var filled = 1
        for index in 2..<count - 1 {
            for subset in 0..<filled { sums[filled &+ subset] = sums[subset] + values[index] }
            filled &*= 2
        }
    }

    /// Returns the mask that reduces the error most. At least two pixels must differ.
    private func bestMask() -> UInt8 {
        let (first, second) = (values[0], values[1])
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
        return UInt8(truncatingIfNeeded: Int(bestGroups[lane]) &* 4 &+ lane)
    }

    /// Returns the colour with the average light of the pixels in `mask`.
    @inline(__always)
    private func average(_ pixels: UnsafePointer<CellColor>, _ mask: UInt8) -> CellColor {
        var light = SIMD4<Float>.zero
        for index in 0..<count where mask &>> UInt8(truncatingIfNeeded: index) & 1 != 0 {
            light += transfer.light(pixels[index])
        }
        return transfer.color(light / Float(mask.nonzeroBitCount))
    }
}

/// The two colours of a cell and the subcells that each colour fills.
struct SubcellPattern: Equatable {
    /// The subcells with the colour ``marked``; see ``SubcellGrid``.
    var mask: UInt8
    var marked: CellColor
    var rest: CellColor

    static let blank = SubcellPattern(flat: .terminalDefault)
    static let unknown = SubcellPattern(flat: .unknown)

}

extension SubcellPattern {
    /// Creates a pattern with one colour. The mask has no visible effect, because both colours of the pattern are
    /// equal.
    init(flat color: CellColor) {
        self.init(mask: 0b11, marked: color, rest: color)
    }

    /// Creates the pattern that a recorded change shows in its cell.
    init(_ change: CellChanges.Change) {
        self.init(mask: change.glyph, marked: change.foreground, rest: change.background)
    }

    /// Creates the pattern of pixels with at most two colours. Pixels that show the terminal's own background are not
    /// marked.
    init(shownAs pixels: UnsafeBufferPointer<CellColor>) {
        let rest: CellColor = pixels.contains(.terminalDefault) ? .terminalDefault : pixels[pixels.count - 1]
        var pattern = SubcellPattern(flat: rest)
        if let marked = pixels.first(where: { $0 != rest }) {
            pattern = SubcellPattern(mask: 0, marked: marked, rest: rest)
            for index in pixels.indices where pixels[index] != rest { pattern.mask |= 1 &<< UInt8(index) }
        }
        self = pattern
    }

    /// Returns the pattern in the colours of a palette. In a smooth cell, each subcell is a pixel of the dither pattern.
    func reduced(_ palette: Palette, _ row: Int, _ column: Int, _ grid: SubcellGrid) -> SubcellPattern {
        let average = TransferFunction.shared.flattened(marked, rest)
        guard palette.isSmooth(marked, rest), palette.isMixed(average) else {
            return SubcellPattern(mask: mask, marked: palette.entry(for: marked), rest: palette.entry(for: rest))
        }
        return withUnsafeTemporaryAllocation(of: CellColor.self, capacity: grid.count) { pixels in
            for subcell in 0..<grid.count {
                let (x, y) = (column * 2 + subcell % 2, row * grid.size.height + subcell / 2)
                pixels.initializeElement(at: subcell, to: palette.entry(for: average, x: x, y: y))
            }
            return SubcellPattern(shownAs: UnsafeBufferPointer(pixels))
        }
    }

    /// Returns the colour of the subcell with this number.
    func color(_ subcell: Int) -> CellColor { mask &>> UInt8(subcell) & 1 != 0 ? marked : rest }

    /// Returns whether the colour of any subcell differs by more than `tolerance` from its colour in `other`.
    /// - Parameter all: the mask of all subcells of the grid.
    @inline(__always)
    func differs(from other: SubcellPattern, by tolerance: ColorTolerance, _ all: UInt8) -> Bool {
        if self == other { return false }
        return mask & other.mask != 0 && marked.differs(from: other.marked, by: tolerance)
            || mask & ~other.mask != 0 && marked.differs(from: other.rest, by: tolerance)
            || ~mask & other.mask & all != 0 && rest.differs(from: other.marked, by: tolerance)
            || ~mask & ~other.mask & all != 0 && rest.differs(from: other.rest, by: tolerance)
    }
}
