/// What a key does. ``KeyTable`` assigns the keys.
public enum KeyCommand: Hashable, Sendable {
    case togglePause
    /// Shows the next frame and pauses, or the previous one if `isBackward`.
    case step(isBackward: Bool)
    /// Seeks by this number of seconds, backwards if it is negative.
    case seek(seconds: Int64)
    case changeSpeed(isFaster: Bool)
    /// Draws with other characters, or with the graphics of the terminal.
    case changeDrawing
    /// Selects or shows another GIF, the next one at 1 and the previous one at -1.
    case show(distance: Int)
    case showFirst
    case showLast
    case random
    /// Asks the server for a newer version of the GIF, or reads the file again.
    case reload
    case select(GridStep)
    /// Scrolls by this number of half screens, backwards if it is negative.
    case scroll(halfScreens: Int)
    /// Opens the large view, or returns to the grid. A picker prints the GIF instead.
    case enter
    case resizeTiles(isLarger: Bool)
    /// Shows or removes the large picture beside the tiles.
    case toggleSide
    case selectVisible(ScreenPlace)
    /// Changes the order of files.
    case sort
    /// Marks the selected GIF for the next actions, or removes its mark.
    case mark
    case act(ItemAction)
    case dismissAll
    case undo
    case search
    case changeFeed(distance: Int)
    /// The first feed has the number 1.
    case selectFeed(number: Int)
    case refresh
    case help
    case redraw
    case suspend
    /// Goes one step back. At the first step, quits.
    case back
    case quit
    case interrupt
}

public enum GridStep: Hashable, Sendable {
    case up
    case down
    case left
    case right
}

/// A place among the GIFs that are completely visible.
public enum ScreenPlace: Hashable, Sendable {
    case top
    case middle
    case bottom
}

/// The views in which a key has the same command.
public struct KeyViews: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let player = KeyViews(rawValue: 1)
    /// The large view of the gallery.
    public static let large = KeyViews(rawValue: 2)
    /// The screensaver of the gallery. Keys without a row for it return to the grid and act there.
    public static let screensaver = KeyViews(rawValue: 4)
    public static let grid = KeyViews(rawValue: 8)

    /// The views that show one GIF.
    public static let single: KeyViews = [.player, .large]
    public static let gallery: KeyViews = [.large, .grid]
    public static let everywhere: KeyViews = [.player, .large, .grid]
}

/// A part of the help.
public enum KeyGroup: CaseIterable, Sendable {
    case move
    case play
    case keep
    case find
}
