/// The glyph of a picture cell: it says which half the foreground fills. A space shows only the background.
enum CellGlyph: UInt32 {
    case space
    case upper
    case lower
}

/// The position of a cell in the picture, from 0.
struct CellPosition {
    var row: Int32
    var column: Int32
}
