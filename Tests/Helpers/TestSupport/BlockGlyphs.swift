import Pixels

/// The shapes of block characters, computed from their Unicode names.
///
/// Each cell is divided into 12 rows of two parts, which are numbered row by row. A shape is the set of the filled
/// parts. The number of rows is 12 so that a half, a third or a quarter of a cell consists of whole rows.
public enum BlockGlyphs {
    private static let rows = 12

    /// Returns for each subcell, row by row, whether the foreground fills it. Returns nil if the character is not a
    /// block, or if it fills only a part of a subcell.
    public static func subcells(of glyph: Character, _ grid: SubcellGrid) -> [Bool]? {
        guard let shape = glyph == " " ? [] : shape(of: glyph) else { return nil }
        let height = rows / grid.size.height
        var subcells: [Bool] = []
        for subcell in 0..<grid.count {
            let parts = (0..<height).map { (subcell / 2 * height + $0) * 2 + subcell % 2 }
            let filled = parts.filter(shape.contains).count
            guard filled == 0 || filled == height else { return nil }
            subcells.append(filled > 0)
        }
        return subcells
    }

    /// Returns the filled parts of a block character; nil if it is not a block.
    public static func shape(of glyph: Character) -> Set<Int>? {
        guard let scalar = glyph.unicodeScalars.first, let name = scalar.properties.name ?? newNames[scalar] else {
            return nil
        }
        if let digits = suffix(of: name, after: "BLOCK SEXTANT-") { return parts(digits, height: 4) }
        if let digits = suffix(of: name, after: "BLOCK OCTANT-") { return parts(digits, height: 3) }
        if let corners = suffix(of: name, after: "QUADRANT ") {
            return corners.replacing(" AND ", with: "+").split(separator: "+").reduce(into: []) { shape, corner in
                shape.formUnion(rectangle(corner.hasPrefix("UPPER") ? 0..<6 : 6..<12, corner.hasSuffix("LEFT") ? 0 : 1))
            }
        }
        return bars[name]
    }

    private static func suffix(of name: String, after prefix: String) -> String? {
        name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    }

    private static func parts(_ digits: String, height: Int) -> Set<Int> {
        digits.compactMap(\.wholeNumberValue).reduce(into: []) { shape, digit in
            let top = (digit - 1) / 2 * height
            shape.formUnion(rectangle(top..<top + height, (digit - 1) % 2))
        }
    }

    private static func rectangle(_ rows: Range<Int>, _ column: Int) -> [Int] { rows.map { $0 * 2 + column } }
    private static func bar(_ rows: Range<Int>) -> Set<Int> { Set(rectangle(rows, 0) + rectangle(rows, 1)) }

    /// The names of the block characters that Unicode 16 has added. Swift 6.0 does not know them.
    public static let newNames: [Unicode.Scalar: String] = {
        var names: [Unicode.Scalar: String] = [
            "\u{1CEA0}": "RIGHT HALF LOWER ONE QUARTER BLOCK", "\u{1CEA3}": "LEFT HALF LOWER ONE QUARTER BLOCK",
            "\u{1CEA8}": "LEFT HALF UPPER ONE QUARTER BLOCK", "\u{1CEAB}": "RIGHT HALF UPPER ONE QUARTER BLOCK",
            "\u{1FBE6}": "MIDDLE LEFT ONE QUARTER BLOCK", "\u{1FBE7}": "MIDDLE RIGHT ONE QUARTER BLOCK",
        ]
        // The octants are in the order of their masks, without the masks of older block characters and of those above.
        let others: Set = [
            0x00, 0x01, 0x02, 0x03, 0x05, 0x0A, 0x0F, 0x14, 0x28, 0x3F, 0x40, 0x50, 0x55, 0x5A, 0x5F, 0x80, 0xA0, 0xA5,
            0xAA, 0xAF, 0xC0, 0xF0, 0xF5, 0xFA, 0xFC, 0xFF,
        ]
        for (index, mask) in (0...0xFF).filter({ !others.contains($0) }).enumerated() {
            guard let octant = Unicode.Scalar(0x1CD00 + UInt32(index)) else { continue }
            names[octant] = "BLOCK OCTANT-" + (1...8).filter { mask >> ($0 - 1) & 1 != 0 }.map(String.init).joined()
        }
        return names
    }()

    private static let bars: [String: Set<Int>] = [
        "FULL BLOCK": bar(0..<12), "UPPER HALF BLOCK": bar(0..<6), "LOWER HALF BLOCK": bar(6..<12),
        "LEFT HALF BLOCK": Set(rectangle(0..<12, 0)), "RIGHT HALF BLOCK": Set(rectangle(0..<12, 1)),
        "UPPER ONE QUARTER BLOCK": bar(0..<3), "UPPER THREE QUARTERS BLOCK": bar(0..<9),
        "LOWER ONE QUARTER BLOCK": bar(9..<12), "LOWER THREE QUARTERS BLOCK": bar(3..<12),
        "MIDDLE LEFT ONE QUARTER BLOCK": Set(rectangle(3..<9, 0)),
        "MIDDLE RIGHT ONE QUARTER BLOCK": Set(rectangle(3..<9, 1)),
        "LEFT HALF UPPER ONE QUARTER BLOCK": Set(rectangle(0..<3, 0)),
        "RIGHT HALF UPPER ONE QUARTER BLOCK": Set(rectangle(0..<3, 1)),
        "LEFT HALF LOWER ONE QUARTER BLOCK": Set(rectangle(9..<12, 0)),
        "RIGHT HALF LOWER ONE QUARTER BLOCK": Set(rectangle(9..<12, 1)),
    ]
}

extension VirtualScreen {
    /// Returns the colours of the subcells in a rectangle of cells, in the order of a ``PictureRaster``. If the glyph
    /// of a cell is not a pattern of `grid`, the colours of its subcells are `.unknown`.
    public func subcells(
        row top: Int = 0, column left: Int = 0, _ area: CellSize, _ grid: SubcellGrid
    ) -> [CellColor] {
        let width = area.columns * 2
        var colors = Array(repeating: CellColor.unknown, count: area.columns * area.rows * grid.count)
        for row in 0..<area.rows {
            for column in 0..<area.columns {
                let cell = self[top + row, left + column]
                for (index, isFilled) in (BlockGlyphs.subcells(of: cell.glyph, grid) ?? []).enumerated() {
                    let position = (row * grid.size.height + index / 2) * width + column * 2 + index % 2
                    colors[position] = isFilled ? cell.foreground : cell.background
                }
            }
        }
        return colors
    }
}
