import Pixels

/// The pixels of a terminal that shows sixel images at one position. Decodes images by the rules of the VT340 manual,
/// independently of the encoder.
public struct SixelScreen {
    public let size: PixelSize
    public private(set) var pixels: [CellColor]
    /// The number of images that were decoded.
    public private(set) var imageCount = 0
    /// The numbers of the bands in which the last call of ``feed(_:)`` drew pixels.
    public private(set) var bands: Set<Int> = []

    public init(size: PixelSize) {
        self.size = size
        pixels = Array(repeating: .terminalDefault, count: size.area)
    }

    public mutating func clear() { pixels = Array(repeating: .terminalDefault, count: size.area) }

    /// Decodes all images in the output of an encoder.
    public mutating func feed(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        bands = []
        for part in text.split(separator: "\u{1B}P", omittingEmptySubsequences: false).dropFirst() {
            guard let data = part.split(separator: "\u{1B}\\", maxSplits: 1).first,
                let start = data.firstIndex(of: "q")
            else { continue }
            imageCount += 1
            decode(Array(data[data.index(after: start)...].utf8))
        }
    }

    private mutating func decode(_ data: [UInt8]) {
        var registers: [Int: CellColor] = [:]
        var (color, x, top, index) = (CellColor.unknown, 0, 0, 0)
        func numbers() -> [Int] {
            var numbers = [0]
            while index < data.count, data[index] == 0x3B || (0x30...0x39).contains(data[index]) {
                if data[index] == 0x3B {
                    numbers.append(0)
                } else {
                    numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(data[index] - 0x30)
                }
                index += 1
            }
            return numbers
        }
        while index < data.count {
            let byte = data[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): _ = numbers()
            case UInt8(ascii: "#"):
                let values = numbers()
                if values.count == 5, values[1] == 2 {
                    let channels = values[2...].map { UInt8(($0 * 255 + 50) / 100) }
                    registers[values[0]] = CellColor(red: channels[0], green: channels[1], blue: channels[2])
                }
                // As in xterm, a command that defines the colour of a register does not select the register.
                if values.count == 1 { color = registers[values[0]] ?? .unknown }
            case UInt8(ascii: "$"): x = 0
            case UInt8(ascii: "-"): (x, top) = (0, top + 6)
            case UInt8(ascii: "!"):
                let count = numbers()[0]
                draw(data[index], color, x, top, count)
                (x, index) = (x + count, index + 1)
            default:
                draw(byte, color, x, top, 1)
                x += 1
            }
        }
    }

    private mutating func draw(_ sixel: UInt8, _ color: CellColor, _ x: Int, _ top: Int, _ count: Int) {
        for row in 0..<6 where (sixel - 0x3F) & 1 << row != 0 {
            bands.insert(top / 6)
            for column in x..<x + count where column < size.width && top + row < size.height {
                pixels[(top + row) * size.width + column] = color
            }
        }
    }
}
