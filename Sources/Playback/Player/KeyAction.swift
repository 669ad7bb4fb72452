import Base

enum KeyAction: Equatable, Sendable {
    case end(PlaybackEnd)
    case openHelp
    case link(LinkAction)
    case togglePause
    case stepForward
    case stepBack
    case changeSpeed(isFaster: Bool)
    /// Seeks by this time in nanoseconds, backwards if it is negative.
    case seek(Int64)

    /// Returns nil for a key without an action.
    init?(_ key: Key) {
        switch key {
        case .character("q"), .escape: self = .end(.quit)
        case .character("r"): self = .end(.switchItem(.random))
        case .character("n"): self = .end(.switchItem(.next))
        case .character("p"): self = .end(.switchItem(.previous))
        case .character("/"): self = .end(.browse)
        case .character("?"), .character("h"): self = .openHelp
        case .character("y"): self = .link(.copy)
        case .character("o"): self = .link(.open)
        case .character(" "): self = .togglePause
        case .character("."): self = .stepForward
        case .character(","): self = .stepBack
        case .character("+"), .character("="): self = .changeSpeed(isFaster: true)
        case .character("-"): self = .changeSpeed(isFaster: false)
        case .right: self = .seek(Span.second)
        case .left: self = .seek(-Span.second)
        case .up: self = .seek(5 * Span.second)
        case .down: self = .seek(-5 * Span.second)
        default: return nil
        }
    }
}
