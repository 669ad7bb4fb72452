/// What stands in a cell: which of its halves the foreground fills.
enum CellGlyph: UInt32 {
    case space
    case upper
    case lower
}
