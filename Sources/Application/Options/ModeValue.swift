import ArgumentParser
import Pixels
import Playback

/// A value of `--mode`: the way in which a picture is drawn.
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

    /// All values, for completion in shells.
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

    /// Which pixel graphics to use in place of ``mode``, if any.
    public var graphics: GraphicsOption {
        switch self {
        case .half, .quadrant, .sextant, .octant: .off
        case .kitty: .kitty
        case .sixel: .sixel
        case .auto: .auto
        }
    }
}
