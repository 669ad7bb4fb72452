import Base
import Pixels

/// Clock, input and output in one: what a player needs of the world, and all that a test replaces.
public protocol PlaybackTerminal: AnyObject {
    var now: Instant { get }
    var traits: TerminalTraits { get }
    /// Everything presented so far has left for the terminal and, as far as it tells, been taken in by it.
    var isDrained: Bool { get }
    /// Ends a ``wait(until:)`` of the player's thread with ``TerminalEvent/wake``. Called from any thread.
    var waker: @Sendable () -> Void { get }

    /// Sleeps until something happens; what was presented goes on leaving meanwhile.
    /// - Parameter deadline: nil waits for events alone. One that has passed still collects an
    ///   event that is there already.
    func wait(until deadline: Instant?) -> TerminalEvent

    /// Sends one update of the screen: the picture's bytes, then the text's. Never waits.
    func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer)
}

/// What ended a wait.
public enum TerminalEvent: Equatable, Sendable {
    case deadline
    case key(Key)
    case pointer(PointerEvent)
    /// ``PlaybackTerminal/traits`` are new: a resize, or the terminal told its colours.
    case changed
    /// ``PlaybackTerminal/isDrained`` has become true.
    case drained
    case wake
    /// The process was stopped and goes on; the screen holds nothing of what was presented.
    case resumed
    /// SIGINT, SIGTERM, SIGHUP or SIGQUIT came.
    case signal(Int32)
    /// Nobody reads the output any more.
    case closed
}

/// What is known of the terminal.
public struct TerminalTraits: Equatable, Sendable {
    public var size: CellSize
    /// Height of a cell divided by its width.
    public var cellAspect: Double
    /// Its background, where it told.
    public var background: CellColor?

    public init(size: CellSize, cellAspect: Double = 2, background: CellColor? = nil) {
        self.size = size
        self.cellAspect = cellAspect
        self.background = background
    }
}
