import Pixels
import Playback

/// A terminal emulator, which computes the screen content that results from output.
///
/// The emulator supports only the sequences that gifplay writes. All other sequences are errors, so that a test detects
/// every unexpected byte.
public struct VirtualScreen {
    /// A cell of the screen.
    public struct Cell: Equatable, Sendable {
        public var glyph: Character = " "
        /// `.unknown` is the terminal's default foreground. Pictures must not use it.
        public var foreground = CellColor.unknown
        public var background = CellColor.terminalDefault
        public var attributes: TextAttributes = []

        /// The colour of the upper half; `.unknown` for text.
        public var upper: CellColor { half(filledBy: "▀") }
        /// The colour of the lower half; `.unknown` for text.
        public var lower: CellColor { half(filledBy: "▄") }

        private func half(filledBy block: Character) -> CellColor {
            switch glyph {
            case " ": background
            case "█", block: foreground
            case "▀", "▄": background
            default: .unknown
            }
        }
    }

    /// An unexpected byte or sequence in the output.
    public struct Fault: Error, CustomStringConvertible {
        public var description: String
    }

    public let size: CellSize
    public private(set) var cells: [Cell]
    /// The row of the cursor, counted from 0.
    public private(set) var row = 0
    /// The column of the cursor, counted from 0.
    public private(set) var column = 0
    /// The private modes that were set and reset, in order, such as `?25l`.
    public private(set) var modes: [String] = []
    /// The number of lines that were scrolled off the top of the screen.
    public private(set) var scrolledLines = 0

    private var pen = Cell()
    /// Whether a character was written to the last column, so that the next character goes to the next line.
    private var isWrapPending = false

    public init(columns: Int, rows: Int) {
        size = CellSize(columns: columns, rows: rows)
        cells = Array(repeating: Cell(), count: columns * rows)
    }

    /// Returns the cell in a row and a column, both counted from 0.
    public subscript(row: Int, column: Int) -> Cell { cells[row * size.columns + column] }

    /// Returns the text of a row without trailing blanks. Each wide character occurs once, although it fills two cells.
    public func text(row: Int) -> String {
        let line = cells[row * size.columns..<(row + 1) * size.columns].map(\.glyph).filter { $0 != Self.wideRest }
        return String(String(line).reversed().drop { $0 == " " }.reversed())
    }

    /// Returns the half-cell colours of a rectangle of cells, in the order of a ``PictureRaster``.
    public func halves(row top: Int = 0, column left: Int = 0, _ area: CellSize) -> [CellColor] {
        (0..<area.rows).flatMap { line in
            let part = (0..<area.columns).map { self[top + line, left + $0] }
            return part.map(\.upper) + part.map(\.lower)
        }
    }

    // MARK: - Input

    /// Processes output. An escape sequence or a character must not be split between two calls.
    public mutating func feed(_ bytes: some Sequence<UInt8>) throws(Fault) {
        var rest = Substring(String(decoding: Array(bytes), as: UTF8.self)).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1B}": try sequence(&rest)
            case "\r":
                column = 0
                isWrapPending = false
            case "\n": lineFeed()
            case "\u{8}":
                // If a wrap is pending, a backspace moves the cursor to different columns in different terminals.
                guard !isWrapPending else { throw Fault(description: "a backspace in the last column") }
                column = max(0, column - 1)
            case "\u{FFFD}": throw Fault(description: "not UTF-8")
            default:
                guard scalar.properties.generalCategory != .control else {
                    throw Fault(description: "control character \(scalar.value)")
                }
                put(Character(scalar))
            }
        }
    }

    private mutating func sequence(_ rest: inout Substring.UnicodeScalarView) throws(Fault) {
        guard rest.popFirst() == "[" else { throw Fault(description: "an escape that begins no CSI sequence") }
        var parameters = ""
        while let scalar = rest.popFirst() {
            if (0x40...0x7E).contains(scalar.value) { return try perform(Character(scalar), parameters) }
            guard (0x30...0x3F).contains(scalar.value) else { break }
            parameters.unicodeScalars.append(scalar)
        }
        throw Fault(description: "CSI \(parameters) is cut or malformed")
    }

    private mutating func perform(_ final: Character, _ parameters: String) throws(Fault) {
        if parameters.hasPrefix("?"), final == "h" || final == "l" { return modes.append(parameters + String(final)) }
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        if final == "m" { return try selectGraphics(numbers.map { $0 ?? 0 }) }
        let first = numbers.first ?? nil
        let distance = max(1, first ?? 1)
        if final != "J", final != "K" { isWrapPending = false }
        switch (final, numbers.count) {
        case ("H", 0...2):
            row = min(size.rows, distance) - 1
            column = min(size.columns, max(1, (numbers.count == 2 ? numbers[1] : nil) ?? 1)) - 1
        case ("A", 0...1): row = max(0, row - distance)
        case ("B", 0...1): row = min(size.rows - 1, row + distance)
        case ("C", 0...1): column = min(size.columns - 1, column + distance)
        case ("D", 0...1): column = max(0, column - distance)
        case ("G", 0...1): column = min(size.columns, distance) - 1
        case ("J", 0...1) where (first ?? 0) == 0: erase(position..<cells.count)
        case ("J", 1) where first == 2: erase(0..<cells.count)
        case ("K", 0...1) where (first ?? 0) == 0: erase(position..<(row + 1) * size.columns)
        default: throw Fault(description: "CSI \(parameters)\(final) is not known")
        }
    }

    private mutating func selectGraphics(_ numbers: [Int]) throws(Fault) {
        var rest = numbers.isEmpty ? [0] : numbers[...]
        while let number = rest.popFirst() {
            switch number {
            case 0: pen = Cell()
            case 1: pen.attributes.insert(.bold)
            case 2: pen.attributes.insert(.dim)
            case 4: pen.attributes.insert(.underlined)
            case 7: pen.attributes.insert(.reversed)
            case 39: pen.foreground = .unknown
            case 49: pen.background = .terminalDefault
            case 30...37: pen.foreground = .palette(UInt8(number - 30))
            case 40...47: pen.background = .palette(UInt8(number - 40))
            case 90...97: pen.foreground = .palette(UInt8(number - 82))
            case 100...107: pen.background = .palette(UInt8(number - 92))
            case 38 where rest.first == 5, 48 where rest.first == 5:
                guard let index = rest.dropFirst().first.flatMap({ UInt8(exactly: $0) }) else {
                    throw Fault(description: "colour \(rest) is not known")
                }
                rest = rest.dropFirst(2)
                if number == 38 { pen.foreground = .palette(index) } else { pen.background = .palette(index) }
            case 38, 48:
                let values = rest.prefix(4).map { UInt8(exactly: $0) }
                guard values.count == 4, values[0] == 2, let red = values[1], let green = values[2],
                    let blue = values[3]
                else { throw Fault(description: "colour \(rest) is not known") }
                rest = rest.dropFirst(4)
                let color = CellColor(red: red, green: green, blue: blue)
                if number == 38 { pen.foreground = color } else { pen.background = color }
            default: throw Fault(description: "SGR \(number) is not known")
            }
        }
    }

    // MARK: - Output

    private static let wideRest: Character = "\u{0}"

    private var position: Int { row * size.columns + column }

    /// Erases cells. They get the current background colour, as in most terminals.
    private mutating func erase(_ range: Range<Int>) {
        for index in range { cells[index] = Cell(background: pen.background) }
    }

    private mutating func put(_ glyph: Character) {
        var width = TerminalText.width(String(glyph))
        // Octants were added in Unicode 16. The C library of Debian 12 does not know their width.
        if width == 0, BlockGlyphs.shape(of: glyph) != nil { width = 1 }
        guard width > 0 else { return }
        if isWrapPending || column + width > size.columns {
            column = 0
            isWrapPending = false
            lineFeed()
        }
        cells[position] = pen
        cells[position].glyph = glyph
        if width == 2 {
            cells[position + 1] = Cell(
                glyph: Self.wideRest, foreground: pen.foreground, background: pen.background)
        }
        isWrapPending = column + width == size.columns
        column = min(size.columns - 1, column + width)
    }

    private mutating func lineFeed() {
        isWrapPending = false
        guard row == size.rows - 1 else {
            row += 1
            return
        }
        cells.removeFirst(size.columns)
        cells += Array(repeating: Cell(background: pen.background), count: size.columns)
        scrolledLines += 1
    }
}
