import Pixels

/// Builds valid and damaged GIF files block by block.
///
///     GIFBuilder(width: 2, height: 1).loop(0).control(delay: 10).image(width: 2, height: 1, [0, 1]).trailer()
public struct GIFBuilder: Sendable {
    public private(set) var bytes: [UInt8]

    /// Black, red, green and blue. Most tests need no other colours.
    public static let fourColors = [
        CellColor.black, CellColor(red: 255, green: 0, blue: 0), CellColor(red: 0, green: 255, blue: 0),
        CellColor(red: 0, green: 0, blue: 255),
    ]

    /// - Parameter palette: the global palette, which is padded with black to a power of two; nil for no palette.
    public init(
        width: Int, height: Int, palette: [CellColor]? = fourColors, version: String = "GIF89a", background: UInt8 = 0,
        aspect: UInt8 = 0
    ) {
        bytes = Array(version.utf8) + Self.word(width) + Self.word(height)
        bytes += [palette.map { 0xF0 | Self.sizeField($0) } ?? 0x70, background, aspect]
        bytes += Self.table(palette)
    }

    // MARK: - Blocks

    /// Adds the loop extension. A count of 0 means an endless loop, and a count of n means n repetitions after the
    /// first play.
    public func loop(_ count: Int, application: String = "NETSCAPE2.0") -> Self {
        applicationExtension(application, [[1] + Self.word(count)])
    }

    /// Adds an application extension with these sub-blocks after its name.
    public func applicationExtension(_ name: String, _ subBlocks: [[UInt8]]) -> Self {
        block(0xFF, [Array(name.utf8)] + subBlocks)
    }

    /// Adds the graphic control extension of the next image.
    public func control(delay: Int = 10, disposal: Int = 0, transparent: UInt8? = nil) -> Self {
        let flags = UInt8(disposal << 2) | (transparent == nil ? 0 : 1)
        return block(0xF9, [[flags] + Self.word(delay) + [transparent ?? 0]])
    }

    public func comment(_ text: String) -> Self { block(0xFE, [Array(text.utf8)]) }

    public func plainText(_ text: String) -> Self {
        block(0x01, [[0, 0, 0, 0, 1, 0, 1, 0, 8, 8, 1, 0], Array(text.utf8)])
    }

    /// Adds an extension with a label and sub-blocks of at most 255 bytes each.
    public func block(_ label: UInt8, _ subBlocks: [[UInt8]]) -> Self {
        raw([0x21, label] + subBlocks.flatMap { [UInt8($0.count)] + $0 } + [0])
    }

    /// Adds an image and compresses its indices.
    /// - Parameters:
    ///   - indices: the indices row by row from the top, even if the image is interlaced.
    ///   - subBlock: the length of the data sub-blocks in bytes, at most 255.
    public func image(
        x: Int = 0, y: Int = 0, width: Int, height: Int, _ indices: [UInt8], palette: [CellColor]? = nil,
        interlaced: Bool = false, codeSize: Int = 8, subBlock: Int = 255
    ) -> Self {
        var ordered = indices
        if interlaced {
            ordered = interlacedRows(height).flatMap { indices[$0 * width..<($0 + 1) * width] }
        }
        return image(
            x: x, y: y, width: width, height: height,
            data: LZWEncoder.encode(ordered, minimumCodeSize: codeSize), palette: palette, interlaced: interlaced,
            codeSize: codeSize, subBlock: subBlock)
    }

    /// Adds an image with `data` as its LZW code stream, which can be damaged.
    /// - Parameter isTerminated: whether an empty sub-block ends the data.
    public func image(
        x: Int = 0, y: Int = 0, width: Int, height: Int, data: [UInt8], palette: [CellColor]? = nil,
        interlaced: Bool = false, codeSize: Int = 8, subBlock: Int = 255, isTerminated: Bool = true
    ) -> Self {
        let flags = (palette.map { 0x80 | Self.sizeField($0) } ?? 0) | (interlaced ? 0x40 : 0)
        var image: [UInt8] = [0x2C]
        for number in [x, y, width, height] { image += Self.word(number) }
        image.append(flags)
        image += Self.table(palette)
        image.append(UInt8(codeSize))
        for start in stride(from: 0, to: data.count, by: subBlock) {
            let part = data[start..<min(start + subBlock, data.count)]
            image += [UInt8(part.count)] + part
        }
        return raw(image + (isTerminated ? [0] : []))
    }

    /// Adds a graphic control extension and an image of one colour. Most timing tests need no more than this.
    public func frame(_ index: UInt8, delay: Int, width: Int, height: Int) -> Self {
        control(delay: delay).image(width: width, height: height, Array(repeating: index, count: width * height))
    }

    /// A GIF whose frames have 16 million pixels each, of which its canvas shows 256, for 0.1 s.
    public static func long(frames: Int) -> Self {
        let data = LZWEncoder.zeros(4_096 * 4_096)
        let gif = (0..<frames).reduce(GIFBuilder(width: 16, height: 16)) { gif, _ in
            gif.control(delay: 10).image(width: 4_096, height: 4_096, data: data, codeSize: 2)
        }
        return gif.trailer()
    }

    public func raw(_ more: [UInt8]) -> Self {
        var copy = self
        copy.bytes += more
        return copy
    }

    public func trailer() -> Self { raw([0x3B]) }

    // MARK: - Damage

    public func truncated(to count: Int) -> Self {
        var copy = self
        copy.bytes = Array(bytes.prefix(count))
        return copy
    }

    public func dropping(last count: Int) -> Self { truncated(to: bytes.count - count) }

    // MARK: - Pieces

    private static func word(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }

    /// Returns the size field for a palette. A field of n means that the padded palette has 2^(n + 1) colours.
    private static func sizeField(_ palette: [CellColor]) -> UInt8 {
        UInt8((0..<7).first { 2 << $0 >= palette.count } ?? 7)
    }

    private static func table(_ palette: [CellColor]?) -> [UInt8] {
        guard let palette else { return [] }
        let count = 2 << Int(sizeField(palette))
        let padding = Array(repeating: CellColor.black, count: count - palette.count)
        return (palette + padding).flatMap { [UInt8($0.red), UInt8($0.green), UInt8($0.blue)] }
    }
}

/// Returns the row numbers of an interlaced picture in transmission order.
func interlacedRows(_ height: Int) -> [Int] {
    [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { offset, step in Array(stride(from: offset, to: height, by: step)) }
}
