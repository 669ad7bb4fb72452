/// The glyph of a picture cell. It determines the half of the cell that the foreground colour fills. A space shows only
/// the background colour.
enum CellGlyph: UInt8 {
    case space
    case upper
    case lower
}

/// The position of a cell in the picture. Rows and columns are counted from 0.
struct CellPosition {
    var row: Int32
    var column: Int32
}
