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

    /// Returns the pattern in the colours of a palette. The two colours are dithered like the two halves of a
    /// half-block cell.
    /// - Parameter all: the mask of all subcells of the grid.
    func reduced(_ palette: Palette, _ row: Int, _ column: Int, _ all: UInt8) -> SubcellPattern {
        // Dithering can convert one colour to two palette colours. The first then fills the left column of subcells,
        // and the second fills the right column.
        SubcellPattern(
            mask: marked == rest ? 0x55 & all : mask, marked: palette.entry(for: marked, x: column, y: row * 2),
            rest: palette.entry(for: rest, x: column, y: row * 2 + 1))
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
