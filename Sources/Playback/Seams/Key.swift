/// A key as the terminal sends it.
public enum Key: Equatable, Sendable {
    case character(Character)
    case escape
    case enter
    case up
    case down
    case left
    case right
    /// Control with a lower-case letter.
    case control(Character)
    /// A sequence that means nothing here.
    case other
}
