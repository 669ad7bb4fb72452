import ArgumentParser
import Pixels

/// The values of the options `--colors` and `--dither`.
///
/// Commands declare both options as strings. An option group, or a separate type for each option, would add about a
/// million instructions to each start.
public struct ColorOptions {
    private let colors: ColorsValue?
    private let dither: DitherValue?

    /// Ignores invalid values, because the parser has already checked the arguments.
    public init(colors: String?, dither: String?) {
        self.colors = colors.flatMap { ColorsValue(rawValue: $0) }
        self.dither = dither.flatMap { DitherValue(rawValue: $0) }
    }

    public static let colorHelp = ArgumentHelp(
        "'auto' obeys NO_COLOR, 'always' ignores it (default: auto)", valueName: "when")
    public static let colorsHelp = ArgumentHelp(
        "Colours of the terminal: 24bit, 256, 16, 8, none or auto (default: auto)", valueName: "depth")
    public static let ditherHelp = ArgumentHelp(
        "Dithering with fewer than 24-bit colours: ordered (a fixed pattern) or none (default: ordered)",
        valueName: "pattern")

    /// The options override the configuration.
    public func preference(_ configured: (colors: ColorsValue?, dither: DitherValue?)) -> ColorPreference {
        ColorPreference(
            depth: (colors ?? configured.colors)?.depth, dithering: (dither ?? configured.dither)?.dithering)
    }
}

/// A colour depth, or `auto` for the colour depth of the terminal.
public enum ColorsValue: String, OptionValue, CaseIterable, Sendable {
    static let choices = "auto, 24bit, 256, 16, 8 or none"
    public static let expected = "expected \(choices)"

    case auto
    case direct = "24bit"
    case indexed = "256"
    case sixteen = "16"
    case eight = "8"
    case none

    public init?(argument: String) { self.init(rawValue: argument) }

    public static var completion: CompletionKind { .list(allCases.map(\.rawValue)) }

    var depth: ColorDepth? {
        switch self {
        case .auto: nil
        case .direct: .direct
        case .indexed: .indexed
        case .sixteen: .sixteen
        case .eight: .eight
        case .none: ColorDepth.none
        }
    }
}

public enum DitherValue: String, OptionValue, CaseIterable, Sendable {
    static let choices = "ordered or none"
    public static let expected = "expected \(choices)"

    case none
    case ordered

    public init?(argument: String) { self.init(rawValue: argument) }

    public static var completion: CompletionKind { .list(allCases.map(\.rawValue)) }

    var dithering: Dithering {
        switch self {
        case .none: .none
        case .ordered: .ordered
        }
    }
}
