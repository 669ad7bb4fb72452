/// The colour registers of a sixel picture.
///
/// If the picture has few colours, each colour has its own register. Otherwise, the palette is adapted to one picture.
/// It is kept while it fits the following pictures, because after a change of the palette, all pixels must be sent
/// again.
struct SixelPalette: ~Copyable {
    private let limit: Int
    /// Whether the current update has defined each register.
    private var isDefined = [Bool](repeating: false, count: 256)
    /// The register that the current update selected last.
    private var selected: UInt8?
    private var isExact = true
    private var exact = ColorTable()
    private var exactLimit: Int
    /// The most registers of an exact palette for a noisy picture. With more, it takes up to 2.5 times the bytes of an
    /// adapted palette, whose errors the noise hides.
    private static let noisyLimit = 64
    private var adapted = AdaptedPalette()

    /// The mean squared error with which the palette shows the pixels for which it was built. In contrast, ``errorSum``
    /// and ``fittedCount`` belong to the pixels that were added after the last call of ``beginFitting()``.
    private var acceptedError = 0
    private var errorSum = 0
    private var fittedCount = 0

    /// - Parameter limit: the number of registers, 2 to 256.
    init(limit: Int) {
        self.limit = limit
        exactLimit = min(limit, Self.noisyLimit)
    }

    // MARK: - Fitting

    mutating func beginFitting() {
        errorSum = 0
        fittedCount = 0
    }

    /// Adds a pixel to the pixels that the palette must show. An exact palette adds a register for a new colour.
    /// - Returns: false if no register is left.
    @inline(__always)
    mutating func fit(_ color: CellColor) -> Bool {
        if isExact { return exactRegister(color) != nil }
        errorSum += Self.distance(color, adapted.colors[Int(adapted.register(color))])
        fittedCount += 1
        return true
    }

    /// Returns whether the palette shows the added pixels about as well as the pixels for which it was built.
    func endFitting() -> Bool {
        isExact || fittedCount == 0 || errorSum / fittedCount <= 2 * acceptedError + Self.tolerableError
    }

    /// A mean squared error, summed over the channels, that is hardly visible.
    private static let tolerableError = 48

    /// Replaces the palette with a palette for `pixels`.
    mutating func build(from pixels: UnsafeBufferPointer<CellColor>, width: Int, adding background: CellColor) {
        exact.removeAll()
        let isNoisy = Self.isNoisy(pixels, width)
        exactLimit = isNoisy ? min(limit, Self.noisyLimit) : limit
        isExact = true
        _ = fit(background)
        var last = background
        let hasRegisters = pixels.allSatisfy { pixel in
            if pixel == last || !pixel.isColor { return true }
            last = pixel
            return fit(pixel)
        }
        if hasRegisters { return }
        isExact = false
        adapted = AdaptedPalette(pixels, adding: background, limit: limit, isNoisy: isNoisy)
        beginFitting()
        for pixel in pixels where pixel.isColor { _ = fit(pixel) }
        acceptedError = errorSum / max(1, fittedCount)
    }

    /// Returns whether most pixels, of a sample of every seventh, differ from their left and upper neighbours.
    private static func isNoisy(_ pixels: UnsafeBufferPointer<CellColor>, _ width: Int) -> Bool {
        let sample = stride(from: width, to: pixels.count, by: 7)
        let noise = sample.count { pixels[$0] != pixels[$0 - 1] && pixels[$0] != pixels[$0 - width] }
        return noise > pixels.count / 14
    }

    // MARK: - Writing

    mutating func beginUpdate() {
        for index in isDefined.indices { isDefined[index] = false }
        selected = nil
    }

    /// Returns the register for a pixel. Does not dither, because dithering multiplied the bytes by 3.7, and GIFs with many
    /// colours are usually dithered already.
    @inline(__always)
    mutating func register(_ color: CellColor) -> UInt8 {
        isExact ? exactRegister(color) ?? 0 : adapted.register(color)
    }

    /// Appends the selection of a register, unless it is selected. If this update has not defined the register yet, first appends its
    /// definition. In xterm, a definition alone does not select the register.
    mutating func select(_ register: UInt8, into out: inout ByteBuffer) {
        guard register != selected else { return }
        selected = register
        if !isDefined[Int(register)] {
            isDefined[Int(register)] = true
            let color = isExact ? exact.colors[Int(register)] : adapted.colors[Int(register)]
            out.append(UInt8(ascii: "#"))
            out.appendDecimal(Int(register))
            out.append(";2")
            for channel in [color.red, color.green, color.blue] {
                out.append(UInt8(ascii: ";"))
                out.appendDecimal(Self.percent(channel))
            }
        }
        out.append(UInt8(ascii: "#"))
        out.appendDecimal(Int(register))
    }

    // MARK: - Colours

    /// Converts a channel from 0...255 to percent, the unit of sixel colours.
    private static func percent(_ channel: Int) -> Int { (channel * 100 + 127) / 255 }

    static func rounded(_ color: CellColor) -> CellColor {
        func channel(_ value: Int) -> UInt8 { UInt8((percent(value) * 255 + 50) / 100) }
        return CellColor(red: channel(color.red), green: channel(color.green), blue: channel(color.blue))
    }

    private static func distance(_ left: CellColor, _ right: CellColor) -> Int {
        let (red, green, blue) = (left.red - right.red, left.green - right.green, left.blue - right.blue)
        return red * red + green * green + blue * blue
    }

    @inline(__always)
    private mutating func exactRegister(_ color: CellColor) -> UInt8? {
        let (red, green) = (UInt32(Self.percent(color.red)), UInt32(Self.percent(color.green)))
        let key = red << 14 | green << 7 | UInt32(Self.percent(color.blue))
        return exact.number(of: color, key: key, limit: exactLimit)
    }
}

/// Numbers up to 256 colours in the order in which they are added. Colours are found in a hash table with linear probing.
struct ColorTable {
    private(set) var colors: [CellColor] = []
    private var keys = [UInt32](repeating: .max, count: ColorTable.slotCount)
    private var numbers = [UInt8](repeating: 0, count: ColorTable.slotCount)
    private static let slotCount = 1024

    mutating func removeAll() {
        colors.removeAll(keepingCapacity: true)
        for slot in keys.indices { keys[slot] = .max }
    }

    /// Returns the number of the colour with this key, which is added if it is new; nil if there are `limit` colours.
    /// - Parameter key: equal for colours that share a number.
    @inline(__always)
    mutating func number(of color: CellColor, key: UInt32, limit: Int) -> UInt8? {
        var slot = Int((key &* 0x9E37_79B1) >> 22)
        while keys[slot] != key {
            if keys[slot] == .max {
                guard colors.count < limit else { return nil }
                keys[slot] = key
                numbers[slot] = UInt8(colors.count)
                colors.append(color)
                break
            }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return numbers[slot]
    }
}
