import Base
import Catalog
import Pixels
import Playback

/// Converts the text of an option to its value. The error states the expected form and begins with the word "expected".
public enum OptionValue {
    /// A number of columns and rows, such as `80x24`.
    public static func size(_ text: String) throws(OptionError) -> CellSize {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let columns = Int(outside: parts[0], in: 1...10_000),
            let rows = Int(outside: parts[1], in: 1...10_000)
        else { throw OptionError("expected columns and rows, such as 80x24") }
        return CellSize(columns: columns, rows: rows)
    }

    /// A duration in nanoseconds, such as `10`, `1.5s`, `250ms`, `2m` or `1h`. Without a unit, the number is in seconds.
    public static func duration(_ text: String) throws(OptionError) -> Int64 {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
        let unit = units.first { text.hasSuffix($0.0) } ?? ("", 1)
        guard let value = Double(text.dropLast(unit.0.count)), value > 0, value * unit.1 < 1e8 else {
            throw OptionError("expected a time, such as 30s, 1.5m or 250ms")
        }
        return Int64(value * unit.1 * 1e9)
    }

    /// A whole number, such as `4096`, `512K`, `8M` or `1G`. The suffixes are powers of 1024.
    public static func count(_ text: String) throws(OptionError) -> Int {
        guard let count = binaryCount(text) else {
            throw OptionError("expected a whole number, such as 4096, 512K or 8M")
        }
        return count
    }

    /// A ``count(_:)`` of at least 1.
    public static func limit(_ text: String) throws(OptionError) -> Int {
        guard let count = binaryCount(text), count > 0 else {
            throw OptionError("expected a whole number from 1, such as 4096, 512K or 8M")
        }
        return count
    }

    private static func binaryCount(_ text: String) -> Int? {
        let shifts: [Character: Int] = ["k": 10, "m": 20, "g": 30]
        let shift = text.lowercased().last.flatMap { shifts[$0] }
        let number = Int(outside: shift == nil ? text[...] : text.dropLast(), in: 0...(1 << 32) - 1)
        return number.map { $0 << (shift ?? 0) }
    }

    /// The number of a search result.
    public static func resultNumber(_ text: String) throws(OptionError) -> Int {
        guard let number = Int(outside: text, in: 1...10_000) else {
            throw OptionError("expected a whole number from 1 to 10000")
        }
        return number
    }

    /// A number of loops, such as `3`, or the word `forever`.
    public static func loops(_ text: String) throws(OptionError) -> LoopRule {
        if text == "forever" { return .forever }
        guard let count = Int(outside: text, clampedTo: 0...Int.outsideRange.upperBound), count > 0 else {
            throw OptionError("expected a whole number from 1, or 'forever'")
        }
        return .times(count)
    }

    /// A speed factor such as `0.5` or `2`, or the word `max`.
    public static func speed(_ text: String) throws(OptionError) -> PlaybackOptions.Speed {
        if text == "max" { return .max }
        guard let factor = Double(text), (0.01...100).contains(factor) else {
            throw OptionError("expected a factor from 0.01 to 100, or 'max'")
        }
        return .factor(factor)
    }

    /// A colour, such as `#1e1e2e`, `fff`, `black` or `white`.
    public static func color(_ text: String) throws(OptionError) -> CellColor {
        let named = ["black": "000", "white": "fff"][text.lowercased()] ?? text
        var digits = named.hasPrefix("#") ? named.dropFirst() : named[...]
        if digits.count == 3 { digits = Substring(digits.flatMap { [$0, $0] }) }
        guard digits.count == 6, let value = UInt32(digits, radix: 16) else {
            throw OptionError("expected a colour, such as #1e1e2e, black or white")
        }
        return CellColor(red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }

    /// The two letters of a language (ISO 639-1), such as `de`.
    public static func language(_ text: String) throws(OptionError) -> String {
        guard text.count == 2, text.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw OptionError("expected the two letters of a language, such as de")
        }
        return text.lowercased()
    }

    public static func rating(_ text: String) throws(OptionError) -> Rating { try choice(text.lowercased()) }

    /// Without the case `coarse`, which only the player selects.
    public static func fidelity(_ text: String) throws(OptionError) -> Fidelity {
        Fidelity(rawValue: try word(text, of: fidelities)) ?? .standard
    }

    public static let fidelities = ["exact", "standard", "low"]

    /// One of these words.
    static func word(_ text: String, of words: [String]) throws(OptionError) -> String {
        guard words.contains(text) else { throw unknown(words) }
        return text
    }

    public static func dithering(_ text: String) throws(OptionError) -> Dithering { try choice(text) }

    /// The colour depth of the terminal; nil for `auto`.
    public static func depth(_ text: String) throws(OptionError) -> ColorDepth? { try choice(text, of: depths) }

    public static let depths: KeyValuePairs<String, ColorDepth?> = [
        "auto": nil, "24bit": .direct, "256": .indexed, "16": .sixteen, "8": .eight, "none": ColorDepth.none,
    ]

    /// The characters of the pictures, and the pixel graphics that replace them.
    public typealias Mode = (characters: PictureMode, graphics: GraphicsOption)

    /// A name of ``modes``. An exclamation mark after the name of a protocol forces it.
    public static func mode(_ text: String) throws(OptionError) -> Mode {
        let forced = text.hasSuffix("!") ? GraphicsProtocol(rawValue: String(text.dropLast())) : nil
        if let forced { return (.half, .forced(forced)) }
        return try choice(text, of: modes)
    }

    public static let modes: KeyValuePairs<String, Mode> = [
        "half": (.half, .off), "quadrant": (.subcells(.quadrant), .off), "sextant": (.subcells(.sextant), .off),
        "octant": (.subcells(.octant), .off), "kitty": (.half, .only(.kitty)), "iterm2": (.half, .only(.iterm2)),
        "sixel": (.half, .only(.sixel)), "auto": (.half, .auto),
    ]

    /// A case of an enumeration, by its raw value.
    static func choice<Value: RawRepresentable<String> & CaseIterable>(_ text: String) throws(OptionError) -> Value {
        guard let value = Value(rawValue: text) else { throw unknown(Value.allCases.map(\.rawValue)) }
        return value
    }

    private static func choice<Value>(_ text: String, of values: KeyValuePairs<String, Value>) throws(OptionError)
        -> Value
    {
        guard let value = values.first(where: { $0.key == text }) else { throw unknown(values.map(\.key)) }
        return value.value
    }

    private static func unknown(_ known: [String]) -> OptionError {
        OptionError("expected \(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")")
    }
}

/// Whether to draw even if NO_COLOR is set.
public enum ColorRule: String, CaseIterable, Sendable {
    /// Obeys NO_COLOR: if it is set, gifplay draws nothing.
    case auto
    case always
}
