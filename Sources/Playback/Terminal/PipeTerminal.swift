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

/// A terminal with a virtual clock, which advances only in ``wait(until:)``.
///
/// Used by tests, which script the events and the speed of the connection, and by `--virtual-time`.
public final class VirtualTerminal: PlaybackTerminal {
    public struct ScriptedEvent: Sendable {
        public var time: Instant
        public var event: TerminalEvent
        /// The traits of the terminal from this event on; nil for no change.
        public var traits: TerminalTraits?

        public init(at time: Instant, _ event: TerminalEvent, traits: TerminalTraits? = nil) {
            (self.time, self.event, self.traits) = (time, event, traits)
        }
    }

    public private(set) var now = Instant(nanoseconds: 0)
    public private(set) var traits: TerminalTraits
    /// All presented updates, each with its time. The bytes contain the picture and the text.
    public private(set) var presented: [(time: Instant, bytes: [UInt8])] = []

    private var script: [ScriptedEvent]
    private let bytesPerSecond: Int?
    private var busyUntil = Instant(nanoseconds: 0)
    private var wasDrained = true
    private let recordsUpdates: Bool

    /// - Parameters:
    ///   - bytesPerSecond: the speed of the connection; nil for no limit.
    ///   - script: the events in order of time. After the last event, ``wait(until:)`` returns ``TerminalEvent/closed``
    ///     if it has no deadline and all output is processed.
    ///   - recordsUpdates: whether updates are recorded in ``presented``.
    public init(
        traits: TerminalTraits, bytesPerSecond: Int? = nil, script: [ScriptedEvent] = [], recordsUpdates: Bool = true
    ) {
        (self.traits, self.bytesPerSecond) = (traits, bytesPerSecond)
        (self.script, self.recordsUpdates) = (script, recordsUpdates)
    }

    public var isDrained: Bool { now >= busyUntil }
    public var waker: @Sendable () -> Void { {} }

    public func wait(until deadline: Instant?) -> TerminalEvent {
        let drain = wasDrained ? nil : busyUntil
        let scripted = script.first?.time
        let soonest = [drain, scripted, deadline].compactMap { $0 }.min()
        guard let soonest else { return .closed }
        now = max(now, soonest)
        if let next = script.first, next.time <= now {
            script.removeFirst()
            if let traits = next.traits { self.traits = traits }
            return next.event
        }
        if !wasDrained, isDrained {
            wasDrained = true
            return .drained
        }
        return .deadline
    }

    public func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
        if recordsUpdates { presented.append((now, Array(picture) + Array(text))) }
        guard let bytesPerSecond else { return }
        let count = Int64(picture.count + text.count)
        busyUntil = max(now, busyUntil) + count * Span.second / Int64(bytesPerSecond)
        wasDrained = isDrained
    }
}
