/// The changed pixels of a band of six pixel rows. Each column of each colour register has one bit per row.
///
/// A band is written in passes from left to right. A pass contains pieces of several registers. A piece may also draw
/// pixels of later pieces, because that makes its runs longer. This takes 0.8 times the bytes of one exact pass per
/// register.
struct SixelBand: ~Copyable {
    private let width: Int
    /// The columns of each register, one byte per column. For a register in `used`, only the columns from `first` to
    /// `last` can be non-zero. For all other registers, every column is 0.
    private let bits: UnsafeMutablePointer<UInt8>
    /// The columns of the pixels that are not yet written, of all registers.
    private let pending: UnsafeMutablePointer<UInt8>
    private var first = [Int](repeating: 0, count: 256)
    private var last = [Int](repeating: -1, count: 256)
    private var used: [UInt8] = []
    /// Columns of one register, without a gap that is longer than 31 columns.
    private typealias Piece = (register: UInt8, start: Int, end: Int)
    private var pieces: [Piece] = []

    init(width: Int) {
        self.width = width
        bits = .allocate(capacity: 257 * width)
        bits.initialize(repeating: 0, count: 257 * width)
        pending = bits + 256 * width
        used.reserveCapacity(256)
    }

    deinit { bits.deallocate() }

    var isEmpty: Bool { used.isEmpty }

    /// Adds a pixel. The pixels of a row must be added from left to right.
    @inline(__always)
    mutating func set(_ column: Int, _ bit: UInt8, _ register: UInt8) {
        let index = Int(register)
        if last[index] < 0 {
            used.append(register)
            first[index] = column
        }
        first[index] = min(first[index], column)
        last[index] = max(last[index], column)
        // With subscripts, the compiler of Swift 6.3 fails for the thread sanitizer.
        (bits + index * width + column).pointee |= bit
        (pending + column).pointee |= bit
    }

    /// Appends the band without the final line feed (`-`), then empties the band.
    mutating func write(_ palette: inout SixelPalette, into out: inout ByteBuffer) {
        for register in used { split(register) }
        used.removeAll(keepingCapacity: true)
        pieces.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        while !pieces.isEmpty {
            var (column, kept) = (0, 0)
            for index in pieces.indices {
                let piece = pieces[index]
                if piece.start < column {
                    pieces[kept] = piece
                    kept += 1
                } else {
                    palette.select(piece.register, into: &out)
                    Self.writeRun(0, piece.start - column, into: &out)
                    writeColumns(piece, into: &out)
                    column = piece.end
                }
            }
            pieces.removeSubrange(kept...)
            if kept > 0 { out.append(UInt8(ascii: "$")) }
        }
    }

    /// Divides the columns of a register into pieces.
    private mutating func split(_ register: UInt8) {
        let columns = bits + Int(register) * width
        let end = last[Int(register)] + 1
        last[Int(register)] = -1
        var (start, column) = (first[Int(register)], first[Int(register)])
        while column < end {
            let gap = column
            // Gaps are often long, so eight columns are skipped at once.
            let raw = UnsafeRawPointer(columns)
            while column + 8 <= end, raw.loadUnaligned(fromByteOffset: column, as: UInt64.self) == 0 { column += 8 }
            while columns[column] == 0 { column += 1 }
            if column - gap > 31 {
                pieces.append((register, start, gap))
                start = column
            }
            while column < end, columns[column] != 0 { column += 1 }
        }
        pieces.append((register, start, end))
    }

    /// Appends the columns of a piece with run lengths, and sets them to 0.
    private func writeColumns(_ piece: Piece, into out: inout ByteBuffer) {
        let columns = bits + Int(piece.register) * width
        var column = piece.start
        while column < piece.end {
            let start = column
            // A run is the longest one that ends with a column of this register and draws only pending pixels.
            var (needed, allowed, value, next) = (UInt8(0), UInt8(0x3F), UInt8(0), column)
            while next < piece.end {
                needed |= columns[next]
                allowed &= pending[next]
                guard needed & ~allowed == 0 else { break }
                next += 1
                if columns[next - 1] != 0 { (value, column) = (needed, next) }
            }
            while column == start || value == 0 && columns[column] == 0 { column += 1 }
            Self.writeRun(value, column - start, into: &out)
        }
        for column in piece.start..<piece.end {
            pending[column] &= ~columns[column]
            columns[column] = 0
        }
    }

    /// Appends `count` equal columns. Uses a run length for four or more columns, because it is then shorter.
    private static func writeRun(_ value: UInt8, _ count: Int, into out: inout ByteBuffer) {
        out.reserve(24)
        if count > 3 {
            out.appendUnchecked(UInt8(ascii: "!"))
            out.appendDecimalUnchecked(count)
            out.appendUnchecked(0x3F + value)
        } else {
            for _ in 0..<count { out.appendUnchecked(0x3F + value) }
        }
    }
}
