import Base
import Glibc
import Pixels

/// A substitute for the terminal if the output is a file or a pipe. It never reports keys.
public final class PipeTerminal {
    public private(set) var traits: TerminalTraits
    private let descriptor: Int32
    /// The terminal of `descriptor`, opened again so that a write does not wait; negative if there is none.
    private let terminal: Int32
    private var isClosed = false
    /// The `errno` of a failed write; nil if none failed. A pipe that the reader closed is no failure.
    public private(set) var failure: Int32?

    /// - Parameters:
    ///   - size: the size of the screen for which the bytes are intended. The shape of its cells is that of the terminal
    ///     of standard error, of standard input or of the session, if that one reports it.
    ///   - colors: the colours and characters of that screen.
    public init(descriptor: Int32 = STDOUT_FILENO, size: CellSize, colors: ColorFormat = .standard) {
        self.descriptor = descriptor
        terminal = Self.terminal(of: descriptor)
        traits = TerminalTraits(size: size, colors: colors)
        if let window = Self.window {
            traits.setCell(
                width: Double(window.ws_xpixel) / Double(window.ws_col),
                height: Double(window.ws_ypixel) / Double(window.ws_row))
        }
    }

    /// - Parameter traits: those of the terminal that `descriptor` is connected to.
    public init(descriptor: Int32 = STDOUT_FILENO, traits: TerminalTraits) {
        self.descriptor = descriptor
        terminal = Self.terminal(of: descriptor)
        self.traits = traits
    }

    deinit { close(terminal) }

    private static func terminal(of descriptor: Int32) -> Int32 {
        guard isatty(descriptor) == 1 else { return -1 }
        return open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    }

    /// The size of a terminal in cells and in pixels; nil if none reports both. A preview in another program has only the
    /// terminal of the session.
    private static var window: winsize? {
        let session = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        defer { close(session) }
        var window = winsize()
        let isKnown = [STDERR_FILENO, STDIN_FILENO, session].contains {
            ioctl($0, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0 && window.ws_row > 0 && window.ws_xpixel > 0
        }
        return isKnown ? window : nil
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
        do throws(Failure) {
            if terminal >= 0 { try writeCommand(bytes) } else { try FileSystem.writeAll(bytes, to: descriptor) }
        } catch {
            isClosed = true
            failure = error.systemCode == EPIPE ? nil : error.systemCode
        }
        return !isClosed
    }

    /// Holds signals back, because a terminal that gets a part of a command takes what follows for the rest of it. After a
    /// signal, a terminal that does not take the rest in ``Timeouts/leave`` gets the end of a cut command instead.
    private func writeCommand(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var signals = HeldSignals()
        defer { signals.release() }
        var (rest, end) = (bytes, Instant(nanoseconds: .max))
        while !rest.isEmpty {
            let count = Glibc.write(terminal, rest.baseAddress, rest.count)
            if count > 0 { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
            guard count < 0 else { continue }
            guard errno == EAGAIN || errno == EINTR else { throw Failure.system("write") }
            guard !signals.wait(for: terminal, POLLOUT, until: &end) else { continue }
            tcflush(terminal, TCOFLUSH)
            // CAN and ST end a command, wherever it was cut.
            let ending = "\u{18}\u{1B}\\\u{1B}[0m\n"
            _ = Glibc.write(terminal, ending, ending.utf8.count)
            isClosed = true
            return
        }
    }
}
