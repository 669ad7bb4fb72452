/// The glyph of a picture cell, which determines the half that the foreground fills. A space shows only the background.
enum CellGlyph: UInt32 {
    case space
    case upper
    case lower
}

/// The position of a cell in the picture. Rows and columns are counted from 0.
struct CellPosition {
    var row: Int32
    var column: Int32
}
