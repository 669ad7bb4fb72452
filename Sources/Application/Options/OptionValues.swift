import ArgumentParser
import Pixels
import Playback

/// The value of an option, with the hint that the user sees when a value is rejected.
public protocol OptionValue {
    /// The hint, such as "expected a time, such as 30s or 2m".
    static var expected: String { get }

    init?(argument: String)
}

extension OptionValue {
    /// Used as the `transform` of an option.
    public static func parse(_ argument: String) throws -> Self {
        guard let value = Self(argument: argument) else { throw ValidationError(expected) }
        return value
    }
}

/// A number of columns and rows, such as `80x24`.
public struct SizeValue: OptionValue {
    public static let expected = "expected columns and rows, such as 80x24"
    public let size: CellSize

    public init?(argument: String) {
        let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let columns = Int(parts[0]), let rows = Int(parts[1]),
            (1...10_000).contains(columns), (1...10_000).contains(rows)
        else { return nil }
        size = CellSize(columns: columns, rows: rows)
    }
}

/// A duration, such as `10`, `1.5s`, `250ms`, `2m` or `1h`. Without a unit, the number is in seconds.
public struct DurationValue: OptionValue {
    public static let expected = "expected a time, such as 30s, 1.5m or 250ms"
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    public init?(argument: String) {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
        let unit = units.first { argument.hasSuffix($0.0) } ?? ("", 1)
        guard let value = Double(argument.dropLast(unit.0.count)), value > 0, value * unit.1 < 1e8 else { return nil }
        nanoseconds = Int64(value * unit.1 * 1e9)
    }
}

/// A whole number, such as `4096`, `512K`, `8M` or `1G`. The suffixes are powers of 1024.
public struct CountValue: OptionValue {
    public static let expected = "expected a whole number, such as 4096, 512K or 8M"
    public let count: Int

    public init?(argument: String) {
        let shifts: [Character: Int] = ["k": 10, "m": 20, "g": 30]
        let shift = argument.lowercased().last.flatMap { shifts[$0] }
        let digits = shift == nil ? Substring(argument) : argument.dropLast()
        guard let value = Int(digits), value >= 0, value < 1 << 32 else { return nil }
        count = value << (shift ?? 0)
    }
}

/// A ``CountValue`` of at least 1.
public struct LimitValue: OptionValue {
    public static let expected = "expected a whole number from 1, such as 4096, 512K or 8M"
    public let count: Int

    public init?(argument: String) {
        guard let value = CountValue(argument: argument), value.count > 0 else { return nil }
        count = value.count
    }
}

/// A number of loops, such as `3`, or the word `forever`.
public struct LoopValue: OptionValue {
    public static let expected = "expected a whole number from 1, or 'forever'"
    public let rule: LoopRule

    public init?(argument: String) {
        if argument == "forever" {
            rule = .forever
        } else if let count = Int(argument), count > 0 {
            rule = .times(count)
        } else {
            return nil
        }
    }
}

/// A speed factor such as `0.5` or `2`, or the word `max`.
public struct SpeedValue: OptionValue {
    public static let expected = "expected a factor from 0.01 to 100, or 'max'"
    public let speed: PlaybackOptions.Speed

    public init?(argument: String) {
        if argument == "max" {
            speed = .max
        } else if let factor = Double(argument), (0.01...100).contains(factor) {
            speed = .factor(factor)
        } else {
            return nil
        }
    }
}

/// A colour, such as `#1e1e2e`, `fff`, `black` or `white`.
public struct ColorValue: OptionValue {
    public static let expected = "expected a colour, such as #1e1e2e, black or white"
    public let color: CellColor

    public init?(argument: String) {
        let named = ["black": "000", "white": "fff"][argument.lowercased()] ?? argument
        var digits = named.hasPrefix("#") ? named.dropFirst() : named[...]
        if digits.count == 3 { digits = Substring(digits.flatMap { [$0, $0] }) }
        guard digits.count == 6, let value = UInt32(digits, radix: 16) else { return nil }
        color = CellColor(
            red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }
}

public enum FidelityValue: String, ExpressibleByArgument, CaseIterable {
    case exact
    case standard
    case low

    public var fidelity: Fidelity {
        switch self {
        case .exact: return .exact
        case .standard: return .standard
        case .low: return .low
        }
    }
}

/// Whether to draw even if NO_COLOR is set.
public enum ColorRule: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Obeys NO_COLOR: if it is set, gifplay draws nothing.
    case auto
    case always
}

public enum ModeValue: String, OptionValue, CaseIterable, Sendable {
    static let choices = "half, quadrant, sextant, octant, kitty, sixel or auto"
    public static let expected = "expected \(choices)"

    case half
    case quadrant
    case sextant
    case octant
    case kitty
    case sixel
    case auto

    public init?(argument: String) { self.init(rawValue: argument) }

    public static var completion: CompletionKind { .list(allCases.map(\.rawValue)) }

    /// The mode if no pixel graphics are in use.
    public var mode: PictureMode {
        switch self {
        case .half, .kitty, .sixel, .auto: .half
        case .quadrant: .subcells(.quadrant)
        case .sextant: .subcells(.sextant)
        case .octant: .subcells(.octant)
        }
    }

    /// The pixel graphics that replace ``mode``, if any.
    public var graphics: GraphicsOption {
        switch self {
        case .half, .quadrant, .sextant, .octant: .off
        case .kitty: .kitty
        case .sixel: .sixel
        case .auto: .auto
        }
    }
}
