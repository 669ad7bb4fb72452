import Pixels
import TestSupport

@testable import Gallery

/// A terminal that shows text and images, and records which cells each image covers.
struct ImageTerminal {
    private(set) var screen: VirtualScreen
    /// The cells that each kitty image covers, by its number. Text does not remove them.
    private(set) var kittyImages: [Int: Set<ScreenPosition>] = [:]
    /// The cells that show sixels. Text replaces them.
    private(set) var sixelCells: Set<ScreenPosition> = []
    private(set) var sixelImageCount = 0
    private(set) var pixels: KittyScreen
    private let cell: PixelSize

    struct Fault: Error {
        var text: String
    }

    init(_ size: CellSize, cell: PixelSize) {
        screen = VirtualScreen(columns: size.columns, rows: size.rows)
        pixels = KittyScreen(
            size: PixelSize(width: size.columns * cell.width, height: size.rows * cell.height), cell: cell)
        self.cell = cell
    }

    var imageCells: Set<ScreenPosition> { kittyImages.values.reduce(sixelCells) { $0.union($1) } }

    /// Returns whether the cell shows neither text nor a character of a picture.
    func isBlank(_ position: ScreenPosition) -> Bool {
        let cell = screen[position.row, position.column]
        return cell.glyph == " " && cell.background == .terminalDefault
    }

    mutating func feed(_ bytes: [UInt8]) throws {
        try pixels.feed(bytes)
        for part in String(decoding: bytes, as: UTF8.self).split(separator: "\u{1B}", omittingEmptySubsequences: false)
            .enumerated()
        {
            let text = part.element
            if part.offset == 0 || text.hasPrefix("\\") {
                try write(text.dropFirst(part.offset == 0 ? 0 : 1))
            } else if text.hasPrefix("_G") {
                try showKitty(text.dropFirst(2))
            } else if text.hasPrefix("P") {
                try showSixels(text)
            } else {
                let end = text.dropFirst().firstIndex { $0.isLetter }.map { text.index(after: $0) } ?? text.endIndex
                let sequence = text[..<end]
                try screen.feed((sequence == "D" ? "\u{1B}[B" : "\u{1B}" + sequence).utf8)
                // Kitty removes its images as well.
                if sequence == "[2J" { (kittyImages, sixelCells) = ([:], []) }
                try write(text[end...])
            }
        }
    }

    private mutating func write(_ text: Substring) throws {
        for scalar in text.unicodeScalars {
            sixelCells.remove(ScreenPosition(row: screen.row, column: screen.column))
            try screen.feed(String(scalar).utf8)
        }
    }

    private mutating func showKitty(_ command: Substring) throws {
        let keys = Dictionary(
            uniqueKeysWithValues: command.prefix { $0 != ";" }.split(separator: ",").map {
                ($0.prefix(1), $0.dropFirst(2))
            })
        func number(_ key: Substring) -> Int { keys[key].flatMap { Int($0) } ?? 0 }
        switch keys["a"] {
        case "d": kittyImages[number("i")] = nil
        case "T", "p": kittyImages[number("i")] = try area(columns: number("c"), rows: number("r"))
        default: break
        }
    }

    private mutating func showSixels(_ text: Substring) throws {
        let numbers = text.split(separator: "\"").last?.split(separator: "#").first?.split(separator: ";") ?? []
        guard numbers.count == 4, let width = Int(numbers[2]), let height = Int(numbers[3].prefix { $0.isNumber })
        else { throw Fault(text: "sixels without a size: \(text.prefix(40))") }
        sixelImageCount += 1
        sixelCells.formUnion(try area(columns: width / cell.width, rows: height / cell.height))
    }

    private func area(columns: Int, rows: Int) throws -> Set<ScreenPosition> {
        guard columns > 0, rows > 0, screen.column + columns <= screen.size.columns,
            screen.row + rows <= screen.size.rows
        else { throw Fault(text: "\(columns)x\(rows) cells at \(screen.row), \(screen.column)") }
        return ScreenPosition.area(screen.row..<screen.row + rows, screen.column..<screen.column + columns)
    }
}

extension ScreenPosition {
    static func area(_ rows: Range<Int>, _ columns: Range<Int>) -> Set<ScreenPosition> {
        Set(rows.flatMap { row in columns.map { ScreenPosition(row: row, column: $0) } })
    }
}
