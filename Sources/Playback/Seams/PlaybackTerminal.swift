import Base
import Pixels

/// The clock, input and output of a player. Tests replace it with a ``VirtualTerminal``.
public protocol PlaybackTerminal: AnyObject {
    var now: Instant { get }
    var traits: TerminalTraits { get }
    /// Whether all presented bytes were written and, if the terminal reports this, also processed. A terminal that nobody
    /// sees is not drained before the next update is due.
    var isDrained: Bool { get }
    /// Whether nobody sees the terminal, so that only some updates are drawn. The connection is not slow then.
    var isHidden: Bool { get }
    /// A function for any thread that ends a ``wait(until:)`` of the player's thread with ``TerminalEvent/wake``.
    var waker: @Sendable () -> Void { get }

    /// The bytes that a terminal receives before the process is stopped, for example by Ctrl-Z.
    var stopSequence: [UInt8] { get set }

    /// Waits for the next event, and continues to write presented bytes in the meantime.
    /// - Parameter deadline: nil to wait without a time limit. If the deadline has already passed, the method still
    ///   returns an event that is available.
    func wait(until deadline: Instant?) -> TerminalEvent

    /// Sends one update of the screen: first the bytes of the picture, then the bytes of the text. Does not wait until
    /// a terminal accepts the bytes. Output to a file or a pipe is written completely before the method returns.
    func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer)
}

extension PlaybackTerminal {
    public var isHidden: Bool { false }

    /// Only processes with a real terminal are stopped by it.
    public var stopSequence: [UInt8] {
        get { [] }
        set {}
    }
}

public enum TerminalEvent: Equatable, Sendable {
    case deadline
    case key(Key)
    case pointer(PointerEvent)
    /// The user has pasted this text. It can contain control characters.
    case paste(String)
    /// ``PlaybackTerminal/traits`` changed, for example because the terminal was resized or reported its background.
    case changed
    case drained
    case wake
    /// The process continues after it was stopped. The screen no longer shows the presented updates.
    case resumed
    /// The number of a signal that ends the process, such as SIGINT, SIGTERM, SIGHUP or SIGQUIT.
    case signal(Int32)
    /// The terminal has disconnected, or the program that reads the output has closed the pipe.
    case closed
}

public struct TerminalTraits: Equatable, Sendable {
    public var size: CellSize
    /// The height of a cell divided by its width.
    public var cellAspect: Double
    /// The background colour; nil if the terminal has not reported it.
    public var background: CellColor?
    /// Whether the terminal rewraps lines when the pane becomes narrower. A picture then fills more rows than before.
    public var rewrapsLines = false
    public var colors: ColorFormat
    public var graphics = TerminalGraphics()

    public init(
        size: CellSize, cellAspect: Double = 2, background: CellColor? = nil, colors: ColorFormat = .standard
    ) {
        self.size = size
        self.cellAspect = cellAspect
        self.background = background
        self.colors = colors
    }
}

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
