import Foundation
import Pixels

/// The pixels of a terminal that shows inline images of iTerm2. Shares no code with the encoder.
public struct ITerm2Screen {
    public let size: PixelSize
    public let cell: PixelSize
    public private(set) var pixels: [CellColor]
    /// The rows of cells, counted from 0, in which the images of the last call of ``feed(_:)`` begin.
    public private(set) var updatedRows: [Int] = []
    /// The files of the last call of ``feed(_:)``.
    public private(set) var files: [PNGImage] = []
    /// The GIF files of the last call of ``feed(_:)``. The colours of their cells are ``CellColor/unknown``.
    public private(set) var gifs: [[UInt8]] = []
    /// The length of the longest sequence in bytes.
    public private(set) var longestSequence = 0
    private var cursor = (row: 0, column: 0)
    private var savedRow = 0

    /// - Parameter row: the row of the cursor, counted from 0.
    public init(size: PixelSize, cell: PixelSize, row: Int = 0) {
        self.size = size
        self.cell = cell
        cursor.row = row
        pixels = Array(repeating: .terminalDefault, count: size.area)
    }

    /// Executes the images and the cursor moves in a program's output. A line feed after an image moves the cursor to the
    /// start of the next row.
    public mutating func feed(_ bytes: [UInt8]) throws {
        (updatedRows, files, gifs) = ([], [], [])
        for part in String(decoding: bytes, as: UTF8.self).split(separator: "\u{1B}") {
            switch part.first {
            case "7": savedRow = cursor.row
            case "8": cursor = (savedRow, 0)
            case "[": moveCursor(part.dropFirst())
            case "]" where part.hasPrefix("]1337;"): try execute(part)
            default: break
            }
        }
    }

    /// Executes a control sequence, and the line feeds and carriage returns after it.
    private mutating func moveCursor(_ sequence: Substring) {
        let parameters = sequence.prefix { !$0.isLetter }
        let numbers = parameters.split { !$0.isNumber }.compactMap { Int($0) }
        let rest = sequence.dropFirst(parameters.count).unicodeScalars
        switch rest.first {
        case "H": cursor = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
        case "d": cursor.row = (numbers.first ?? 1) - 1
        case "A": cursor.row -= numbers.first ?? 1
        case "B": cursor.row += numbers.first ?? 1
        default: break
        }
        for scalar in rest {
            if scalar == "\n" { cursor.row += 1 }
            if scalar == "\r" { cursor.column = 0 }
        }
    }

    private mutating func execute(_ sequence: Substring) throws {
        longestSequence = max(longestSequence, 1 + sequence.utf8.count)
        let parts = sequence.split(separator: ":", maxSplits: 1)
        let prefix = "]1337;File="
        guard parts.count == 2, parts[0].hasPrefix(prefix), let end = parts[1].firstIndex(of: "\u{07}"),
            let data = Data(base64Encoded: String(parts[1][..<end]))
        else { throw PNGImage.Failure(text: "\(sequence.prefix(80))") }
        let keys = Dictionary(
            uniqueKeysWithValues: parts[0].dropFirst(prefix.count).split(separator: ";").map {
                ($0.split(separator: "=")[0], String($0.split(separator: "=")[1]))
            })
        if data.starts(with: "GIF".utf8) {
            gifs.append(Array(data))
            let columns = Int(keys["width"] ?? "") ?? 0
            let area = PixelSize(width: columns * cell.width, height: (Int(keys["height"] ?? "") ?? 0) * cell.height)
            return try show(Array(repeating: .unknown, count: area.area), area)
        }
        let image = try PNGImage(Array(data))
        guard keys["inline"] == "1", keys["size"] == "\(data.count)", keys["preserveAspectRatio"] == "0",
            keys["width"] == "\(image.size.width / cell.width)", keys["height"] == "\(image.size.height / cell.height)"
        else { throw PNGImage.Failure(text: "\(keys)") }
        files.append(image)
        updatedRows.append(cursor.row)
        try show(image.pixels, image.size)
        if keys["doNotMoveCursor"] != "1" { cursor.row += image.size.height / cell.height - 1 }
        if parts[1].hasSuffix("\n") { cursor = (cursor.row + 1, 0) }
    }

    private mutating func show(_ image: [CellColor], _ area: PixelSize) throws {
        let (left, top) = (cursor.column * cell.width, cursor.row * cell.height)
        guard left >= 0, top >= 0, left + area.width <= size.width, top + area.height <= size.height else {
            throw PNGImage.Failure(text: "\(area) at \(cursor) is outside the screen")
        }
        for (index, pixel) in image.enumerated() {
            pixels[(top + index / area.width) * size.width + left + index % area.width] = pixel
        }
    }
}
