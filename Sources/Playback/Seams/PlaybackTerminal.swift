import Base
import Pixels

/// The clock, input and output of a player. Tests replace it with a ``VirtualTerminal``.
public protocol PlaybackTerminal: AnyObject {
    var now: Instant { get }
    var traits: TerminalTraits { get }
    /// Whether all presented bytes were written and, if the terminal reports this, also processed.
    var isDrained: Bool { get }
    /// A function that ends a ``wait(until:)`` of the player's thread with ``TerminalEvent/wake``. It may be called on
    /// any thread.
    var waker: @Sendable () -> Void { get }

    /// Waits for the next event, and continues to write presented bytes in the meantime.
    /// - Parameter deadline: nil to wait without a time limit. After a deadline that has already passed, an available
    ///   event is still returned.
    func wait(until deadline: Instant?) -> TerminalEvent

    /// Sends one update of the screen: first the bytes of the picture, then the bytes of the text. Does not wait until
    /// a terminal accepts the bytes; output to a file or a pipe is written completely.
    func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer)
}

/// The reason why a wait ended.
public enum TerminalEvent: Equatable, Sendable {
    case deadline
    case key(Key)
    case pointer(PointerEvent)
    /// ``PlaybackTerminal/traits`` changed: the terminal was resized, or it reported its background colour.
    case changed
    /// ``PlaybackTerminal/isDrained`` has become true.
    case drained
    case wake
    /// The process continues after it was stopped. The screen no longer shows the presented updates.
    case resumed
    /// The number of a signal that ends the process, such as SIGINT, SIGTERM, SIGHUP or SIGQUIT.
    case signal(Int32)
    /// The terminal has disconnected, or the reader of the output has closed it.
    case closed
}

/// The known properties of the terminal.
public struct TerminalTraits: Equatable, Sendable {
    public var size: CellSize
    /// The height of a cell divided by its width.
    public var cellAspect: Double
    /// The background colour; nil if the terminal has not reported it.
    public var background: CellColor?

    public init(size: CellSize, cellAspect: Double = 2, background: CellColor? = nil) {
        self.size = size
        self.cellAspect = cellAspect
        self.background = background
    }
}
