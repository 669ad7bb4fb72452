/// The changed pixels of a band of six pixel rows. Each column of each colour register has one bit per row.
final class SixelBand {
    private let width: Int
    /// The columns of each register, one byte per column. For a register in `used`, only the columns from `first` to
    /// `last` can be non-zero. For all other registers, every column is 0.
    private let bits: UnsafeMutablePointer<UInt8>
    private var first = [Int](repeating: 0, count: 256)
    private var last = [Int](repeating: -1, count: 256)
    private var used: [UInt8] = []

    init(width: Int) {
        self.width = width
        // The eight additional bytes allow loads of eight columns at the end.
        bits = .allocate(capacity: 256 * width + 8)
        bits.initialize(repeating: 0, count: 256 * width + 8)
        used.reserveCapacity(256)
    }

    deinit { bits.deallocate() }

    var isEmpty: Bool { used.isEmpty }

    /// Adds a pixel. The pixels of a row must be added from left to right.
    @inline(__always)
    func set(_ column: Int, _ bit: UInt8, _ register: UInt8) {
        let index = Int(register)
        if last[index] < 0 {
            used.append(register)
            first[index] = column
        }
        first[index] = min(first[index], column)
        last[index] = max(last[index], column)
        bits[index * width + column] |= bit
    }

    /// Appends the band without the final line feed (`-`), then empties the band.
    func write(_ palette: inout SixelPalette, into out: inout ByteBuffer) {
        for (number, register) in used.enumerated() {
            if number > 0 { out.append(UInt8(ascii: "$")) }
            palette.select(register, into: &out)
            let index = Int(register)
            writeColumns(bits + index * width, first[index], last[index] + 1, into: &out)
            last[index] = -1
        }
        used.removeAll(keepingCapacity: true)
    }

    /// Appends the columns before `end` with run lengths, and sets them to 0. The columns before `start` are already 0.
    private func writeColumns(
        _ columns: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int, into out: inout ByteBuffer
    ) {
        Self.writeRun(0, start, into: &out)
        var column = start
        while column < end {
            let value = columns[column]
            let runStart = column
            // Runs of zeros are often long, so eight columns are skipped at once.
            if value == 0 {
                let raw = UnsafeRawPointer(columns)
                while column + 8 <= end, raw.loadUnaligned(fromByteOffset: column, as: UInt64.self) == 0 { column += 8 }
            }
            while column < end, columns[column] == value { column += 1 }
            Self.writeRun(value, column - runStart, into: &out)
        }
        (columns + start).update(repeating: 0, count: end - start)
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
