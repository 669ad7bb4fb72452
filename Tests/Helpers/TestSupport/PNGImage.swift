import CZlib
import Pixels

/// The pixels of a PNG file with 8 bits per sample and without filters. Shares no code with the encoder.
public struct PNGImage {
    public enum Kind: UInt8, Sendable {
        case rgb = 2
        case palette = 3
        case rgba = 6
    }

    public let size: PixelSize
    public let kind: Kind
    public private(set) var pixels: [CellColor] = []

    public struct Failure: Error {
        public var text: String
    }

    public init(_ file: [UInt8]) throws {
        guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            throw Failure(text: "no signature")
        }
        let chunks = try Self.chunks(file[8...])
        guard chunks.first?.name == "IHDR", chunks.last?.name == "IEND", let header = chunks.first?.data,
            header.count == 13, header[8] == 8, header[10...] == [0, 0, 0], let kind = Kind(rawValue: header[9])
        else { throw Failure(text: "\(chunks.map(\.name))") }
        func data(_ name: String) -> [UInt8] { chunks.filter { $0.name == name }.flatMap(\.data) }
        self.kind = kind
        size = PixelSize(width: Self.number(header[0..<4]), height: Self.number(header[4..<8]))
        let depth = [.rgb: 3, .palette: 1, .rgba: 4][kind] ?? 0
        let rows = try Self.inflate(data("IDAT"), count: size.height * (1 + size.width * depth))
        let (palette, alpha) = (data("PLTE"), data("tRNS"))
        for row in stride(from: 0, to: rows.count, by: 1 + size.width * depth) {
            guard rows[row] == 0 else { throw Failure(text: "filter \(rows[row])") }
            for x in 0..<size.width {
                let sample = Array(rows[(row + 1 + x * depth)...].prefix(depth))
                let entry = Int(sample[0])
                guard kind != .palette || entry * 3 < palette.count else { throw Failure(text: "no entry \(entry)") }
                let color = kind == .palette ? Array(palette[(entry * 3)...].prefix(3)) : sample
                let alpha = kind == .palette ? alpha.dropFirst(entry).first : sample.dropFirst(3).first
                let isOpaque = (alpha ?? 255) == 255
                pixels.append(isOpaque ? CellColor(red: color[0], green: color[1], blue: color[2]) : .terminalDefault)
            }
        }
    }

    private static func chunks(_ file: ArraySlice<UInt8>) throws -> [(name: String, data: [UInt8])] {
        var chunks: [(String, [UInt8])] = []
        var rest = file
        while rest.count >= 12 {
            let length = number(rest.prefix(4))
            guard rest.count >= length + 12 else { break }
            let body = Array(rest.dropFirst(4).prefix(4 + length))
            rest = rest.dropFirst(8 + length)
            guard number(rest.prefix(4)) == Int(crc32(0, body, UInt32(body.count))) else { throw Failure(text: "CRC") }
            rest = rest.dropFirst(4)
            chunks.append((String(decoding: body.prefix(4), as: UTF8.self), Array(body.dropFirst(4))))
        }
        guard rest.isEmpty else { throw Failure(text: "\(rest.count) bytes after the last chunk") }
        return chunks
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func inflate(_ bytes: [UInt8], count: Int) throws -> [UInt8] {
        var raw = [UInt8](repeating: 0, count: count)
        var length = UInt(count)
        let result = uncompress(&raw, &length, bytes, UInt(bytes.count))
        guard result == Z_OK, length == count else { throw Failure(text: "zlib \(result): \(length) of \(count)") }
        return raw
    }
}
