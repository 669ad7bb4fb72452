import Base
import Pixels

/// Encodes a terminal session as an asciicast of version 2: a header line, then one line of JSON for each update.
enum CastWriter {
    /// Returns the header line.
    static func header(size: CellSize, title: String) -> [UInt8] {
        var line = Array(#"{"version": 2, "width": \#(size.columns), "height": \#(size.rows), "title": ""#.utf8)
        append(escaping: title.utf8, to: &line)
        line += Array("\"}\n".utf8)
        return line
    }

    /// Returns the line of one update.
    /// - Parameters:
    ///   - time: the time since the start of the recording.
    ///   - parts: the bytes that the program writes to the terminal. Together, they must be valid UTF-8.
    static func update(at time: Instant, _ parts: UnsafeRawBufferPointer...) -> [UInt8] {
        var line: [UInt8] = []
        // In JSON, an escape character takes six bytes. Therefore a typical update becomes about 1.6 times as long, so
        // twice its length is normally enough.
        line.reserveCapacity(parts.reduce(32) { $0 + $1.count * 2 })
        line += Array("[\(seconds(time)), \"o\", \"".utf8)
        for part in parts { append(escaping: part, to: &line) }
        line += Array("\"]\n".utf8)
        return line
    }

    /// Returns the exact time in seconds, with at most nine decimals.
    static func seconds(_ time: Instant) -> String {
        let (whole, fraction) = time.nanoseconds.quotientAndRemainder(dividingBy: Span.second)
        let digits = String(fraction)
        let padded = String(repeating: "0", count: 9 - digits.count) + digits
        let decimals = String(padded.reversed().drop { $0 == "0" }.reversed())
        return decimals.isEmpty ? "\(whole)" : "\(whole).\(decimals)"
    }

    private static func append(escaping bytes: some Sequence<UInt8>, to line: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                line.append(UInt8(ascii: "\\"))
                line.append(byte)
            case 0..<0x20, 0x7F:
                let digits = String(byte, radix: 16)
                line += Array(#"\u00"#.utf8) + Array((digits.utf8.count == 1 ? "0" + digits : digits).utf8)
            default: line.append(byte)
            }
        }
    }
}
