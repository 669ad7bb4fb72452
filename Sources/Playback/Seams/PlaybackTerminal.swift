import Base
import Pixels

/// The clock, input and output of a player. Tests replace it with a ``VirtualTerminal``.
public protocol PlaybackTerminal: AnyObject {
    var now: Instant { get }
    var traits: TerminalTraits { get }
    /// Whether all presented bytes were written and, as far as the terminal reports it, processed.
    var isDrained: Bool { get }
    /// A function that ends a ``wait(until:)`` of the player's thread with ``TerminalEvent/wake``. Safe on any thread.
    var waker: @Sendable () -> Void { get }

    /// Waits for the next event, and continues to write presented bytes in the meantime.
    /// - Parameter deadline: nil to wait without a time limit. If it has passed already, an event that is available
    ///   is still returned.
    func wait(until deadline: Instant?) -> TerminalEvent

    /// Sends one update of the screen: the bytes of the picture, then those of the text. Does not wait for a terminal;
    /// output to a file or a pipe is written completely.
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
    /// The process continues after a stop; the screen no longer shows what was presented.
    case resumed
    /// The number of a signal that ends the process, such as SIGINT, SIGTERM, SIGHUP or SIGQUIT.
    case signal(Int32)
    /// The terminal is gone, or the reader of the output has closed it.
    case closed
}

/// The known properties of the terminal.
public struct TerminalTraits: Equatable, Sendable {
    public var size: CellSize
    /// Height of a cell divided by its width.
    public var cellAspect: Double
    /// The background colour; nil if the terminal has not reported it.
    public var background: CellColor?

    public init(size: CellSize, cellAspect: Double = 2, background: CellColor? = nil) {
        self.size = size
        self.cellAspect = cellAspect
        self.background = background
    }
}
