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
    /// The number of bytes of pictures that may be sent now without delaying the answer to the next key; nil unless the
    /// connection is slow.
    var pictureAllowance: Int? { get }
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
    public var pictureAllowance: Int? { nil }

    /// Only processes with a real terminal are stopped by it.
    public var stopSequence: [UInt8] {
        get { [] }
        set {}
    }
}

// The terminal does not know its users.
extension Terminal: PlaybackTerminal {}

extension PipeTerminal: PlaybackTerminal {}

/// Supplies the decoded frames in order. Each loop iteration starts again with the first frame.
public protocol FrameSource: AnyObject {
    /// Returns the next step. If no step is ready, a source for interactive playback returns ``FrameStep/pending``
    /// instead of blocking. The returned frame is valid until the next call of ``next()`` or ``rewind()``.
    func next() -> FrameStep

    /// Restarts the source, so that ``next()`` returns the first frame again.
    func rewind()

    /// Tells the source whether the frames after the first one of the next loop iteration are probably not needed,
    /// because a recording replaces them. They are then decoded only on request.
    func expectReplay(_ isExpected: Bool)
}

extension FrameSource {
    public func expectReplay(_ isExpected: Bool) {}
}

public enum FrameStep {
    case frame(IndexedFrame)
    /// The frame is not decoded yet, perhaps for lack of bytes. The source wakes the terminal when it is ready.
    case pending
    /// All frames were returned; the next step is the first frame again.
    case end(GIFReader.Summary)
    case failed(GIFError)
}

/// What starts a player: answers its questions and takes its reports, on its thread.
public protocol PlayerDelegate: AnyObject {
    /// A note for the status line: "" for none at present, nil if no more notes will follow.
    ///
    /// Called twice a second. The first call comes half a second after the start.
    func currentNote() -> String?

    /// Whether playback may end now that a time limit is reached. If the result is false, playback continues until the
    /// next wake-up, after which the player asks again.
    func mayEnd() -> Bool

    /// Starts an action on the GIF. Returns nil if the action is not available.
    func perform(_ action: ItemAction) -> ActionResult?

    /// The outcome of an action that has ended since the last call; nil if there is none. Called after a wake-up.
    func takeOutcome() -> ActionResult?

    /// The note about a key without a command; nil for none.
    func refusal(of key: Key) -> String?

    /// The note for the status line if there is no other item to play; nil if there is one.
    func refusal(of kind: PlaybackEnd.ItemSwitch) -> String?

    /// Called when the user has chosen another drawing, which the next GIFs should have, too.
    func choose(_ drawing: Drawing)

    /// Handles a wake-up, and for a program that has lent its terminal a click, a paste, or a key that
    /// ``PlaybackOptions/view`` does not assign to the player. Returns the end of playback; nil if it continues.
    func handle(_ event: TerminalEvent) -> PlaybackEnd?

    /// The bytes of the GIF; nil if they cannot be read again. Read after the first loop iteration, if the terminal plays
    /// GIF files by itself.
    var file: [UInt8]? { get }
}

extension PlayerDelegate {
    public func mayEnd() -> Bool { true }

    public func perform(_ action: ItemAction) -> ActionResult? { nil }

    public func refusal(of key: Key) -> String? { nil }

    public func refusal(of kind: PlaybackEnd.ItemSwitch) -> String? { nil }
}

public enum TerminalEvent: Equatable, Sendable {
    case deadline
    case key(Key)
    case pointer(PointerEvent)
    /// The user has pasted this text. It can contain control characters.
    case paste(String)
    /// The traits of the terminal changed, for example because the terminal was resized or reported its background.
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
