/// What stands in a cell: which of its halves the foreground fills.
enum CellGlyph: UInt32 {
    case space
    case upper
    case lower
}

/// Where a cell stands in the picture, from 0.
struct CellPlace {
    var row: Int32
    var column: Int32
}
