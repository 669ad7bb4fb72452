/// A key as the terminal sends it.
public enum Key: Equatable, Sendable {
    case character(Character)
    case escape
    case enter
    case tab
    /// Tab with Shift.
    case backTab
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case pageUp
    case pageDown
    case home
    case end
    /// Control with a lower-case letter.
    case control(Character)
    /// Any other key, or an unknown sequence.
    case other
}

/// A mouse event, from terminals that report the mouse.
public struct PointerEvent: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case press
        case wheelUp
        case wheelDown
    }

    public var kind: Kind
    /// The row of the screen, counted from 0 like ``column``.
    public var row: Int
    public var column: Int

    public init(_ kind: Kind, row: Int, column: Int) {
        self.kind = kind
        self.row = row
        self.column = column
    }
}
