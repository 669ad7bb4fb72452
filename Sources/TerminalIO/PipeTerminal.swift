import Base
import Glibc
import Pixels
import Playback

/// A substitute for the terminal if the output is a file or a pipe. It never reports keys.
public final class PipeTerminal: PlaybackTerminal {
    public private(set) var traits: TerminalTraits
    private let descriptor: Int32
    private var isClosed = false
    /// The `errno` of a failed write; nil if none failed. A pipe that the reader closed is no failure.
    public private(set) var failure: Int32?

    /// - Parameters:
    ///   - size: the size of the screen for which the bytes are intended.
    ///   - colors: the colours and characters of that screen.
    ///   - showsPixels: whether the bytes depend on the size of a cell in pixels. This is the size in the terminal of
    ///     standard error or standard input, if that terminal reports it.
    public init(
        descriptor: Int32 = STDOUT_FILENO, size: CellSize, colors: ColorFormat = .standard, showsPixels: Bool = false
    ) {
        self.descriptor = descriptor
        traits = TerminalTraits(size: size, colors: colors)
        var window = winsize()
        if showsPixels, [STDERR_FILENO, STDIN_FILENO].contains(where: { ioctl($0, UInt(TIOCGWINSZ), &window) == 0 }),
            window.ws_col > 0, window.ws_row > 0
        {
            traits.setCell(
                width: Double(window.ws_xpixel) / Double(window.ws_col),
                height: Double(window.ws_ypixel) / Double(window.ws_row))
        }
        // With SIGPIPE ignored, a write to a closed pipe fails with EPIPE.
        signal(SIGPIPE, SIG_IGN)
    }

    public var now: Instant { Instant(nanoseconds: 0) }
    public var isDrained: Bool { true }
    public var waker: @Sendable () -> Void { {} }

    public func wait(until deadline: Instant?) -> TerminalEvent { isClosed || deadline == nil ? .closed : .deadline }

    public func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
        write(picture)
        write(text)
    }

    /// Writes all bytes, and blocks until the reader has accepted them.
    /// - Returns: false if the reader has closed the pipe, or if this or an earlier write failed (see ``failure``).
    @discardableResult
    public func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isClosed else { return false }
        do throws(SystemError) { try FileSystem.writeAll(bytes, to: descriptor) } catch {
            isClosed = true
            failure = error.code == EPIPE ? nil : error.code
        }
        return !isClosed
    }
}
