import Base
import Glibc
import Pixels
import Playback

/// Output that is no terminal: a file or a pipe. Nobody presses keys there.
public final class PipeTerminal: PlaybackTerminal {
    public let traits: TerminalTraits
    private let descriptor: Int32
    private var isClosed = false
    /// Why no more could be written, unless the reader left: that is nothing to complain about.
    public private(set) var failure: Int32?

    /// - Parameter size: of the screen that the bytes are meant for.
    public init(descriptor: Int32 = STDOUT_FILENO, size: CellSize) {
        self.descriptor = descriptor
        traits = TerminalTraits(size: size)
        // A reader who leaves shows as EPIPE.
        signal(SIGPIPE, SIG_IGN)
    }

    public var now: Instant { Instant(nanoseconds: 0) }
    public var isDrained: Bool { true }
    public var waker: @Sendable () -> Void { {} }

    public func wait(until deadline: Instant?) -> TerminalEvent {
        isClosed || deadline == nil ? .closed : .deadline
    }

    public func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
        write(picture)
        write(text)
    }

    /// Writes all of it, waiting as the reader needs.
    /// - Returns: false when nobody reads any more, or writing fails: see ``failure``.
    @discardableResult
    public func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isClosed else { return false }
        do throws(SystemError) {
            try FileSystem.writeAll(bytes, to: descriptor)
        } catch {
            isClosed = true
            failure = error.code == EPIPE ? nil : error.code
        }
        return !isClosed
    }
}
