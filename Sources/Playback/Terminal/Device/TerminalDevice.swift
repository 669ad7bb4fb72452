import Base
import CTerminal
import Glibc
import Pixels

extension Failure {
    public static let notTerminal = Failure("it is not a terminal")
}

/// The terminal that standard output is connected to, with its modes and its size.
final class TerminalDevice {
    /// Opened by gifplay itself if possible, so that non-blocking mode does not affect other processes that use the
    /// terminal. Otherwise a copy of an inherited descriptor, which stays in blocking mode.
    let descriptor: Int32
    let isBlocking: Bool
    private var saved: termios

    /// The path of the terminal; nil if it is unknown.
    let name: String?

    /// - Parameter output: a descriptor of a terminal, usually standard output; nil for the controlling terminal.
    init(output: Int32?) throws(Failure) {
        if let output, isatty(output) != 1 { throw .notTerminal }
        // The other standard streams can have the name of the controlling terminal.
        let source = output ?? [STDIN_FILENO, STDERR_FILENO].first { isatty($0) == 1 }
        let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        var path = [CChar](repeating: 0, count: 256)
        let isNamed = source.map { ttyname_r($0, &path, path.count) == 0 } ?? false
        name = isNamed ? path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } : nil
        var opened: Int32 = -1
        if output != nil, isNamed { opened = open(path, flags) }
        // After `su`, the terminal can belong to another user, who alone can open it by name.
        if opened < 0 { opened = open("/dev/tty", flags) }
        isBlocking = opened < 0
        // The new user of `su` may not open the terminal, and `su -c` has no /dev/tty. A chroot can lack both names.
        if isBlocking, let inherited = Self.inherited(like: output) { opened = inherited }
        guard opened >= 0 else { throw .system("open", namesCall: true) }
        descriptor = opened
        saved = termios()
        try Self.stopWhileBackground(opened)
        guard tcgetattr(descriptor, &saved) == 0 else { throw .system("tcgetattr", namesCall: true) }
    }

    /// Returns a copy of a standard stream that is the same terminal as `source`, and that can be read and written; nil if
    /// there is none.
    private static func inherited(like source: Int32?) -> Int32? {
        var (wanted, found) = (stat(), stat())
        guard let source, fstat(source, &wanted) == 0 else { return nil }
        return [source, STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].first {
            fstat($0, &found) == 0 && found.st_rdev == wanted.st_rdev && isatty($0) == 1
                && fcntl($0, F_GETFL) & O_ACCMODE == O_RDWR
        }.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
    }

    /// Stops this process until it is in the foreground. Otherwise, a process that was started in the background
    /// (`gifplay … &`) would save the modes of the shell's line editor.
    private static func stopWhileBackground(_ descriptor: Int32) throws(Failure) {
        if !isForeground(descriptor), !JobControl.isReported {
            // With `stty tostop`, the kernel would stop the process before the line is written.
            let action = signal(SIGTTOU, SIG_IGN)
            try? FileSystem.writeAll(Array(stopReason.utf8), to: STDERR_FILENO)
            signal(SIGTTOU, action)
        }
        while !isForeground(descriptor) {
            // A process cannot stop itself if there is no shell that could continue it.
            guard JobControl.stop(by: SIGTTOU, wholeJob: true) else { throw .system("tcsetattr", EIO, namesCall: true) }
        }
    }

    /// A script starts `timeout` in the foreground, but `timeout` makes a process group in the background.
    private static let stopReason =
        "gifplay: stopped, because it is in the background and needs the terminal; 'fg' continues it; with timeout, use "
        + "'timeout --foreground'\n"

    /// Saves the current modes for ``restore()``.
    func saveModes() {
        var modes = termios()
        if tcgetattr(descriptor, &modes) == 0 { saved = modes }
    }

    /// Sets raw mode: the kernel transfers all bytes unchanged, without echo, line editing or signals from keys.
    func makeRaw() throws(Failure) {
        var modes = saved
        cfmakeraw(&modes)
        guard tcsetattr(descriptor, TCSANOW, &modes) == 0 else { throw .system("tcsetattr", namesCall: true) }
    }

    /// Whether this process is in the foreground. Otherwise, the shell or another job uses the terminal.
    var isForeground: Bool { Self.isForeground(descriptor) }

    private static func isForeground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        // `tcgetpgrp` returns a negative number if the terminal belongs to another session or has disconnected. In both
        // cases, this process is not a background job of the terminal, so it counts as being in the foreground.
        return group < 0 || group == getpgrp()
    }

    /// Restores the saved modes. Does nothing in the background, because the shell has then set its own modes.
    /// - Parameter discardsInput: whether to discard unread input.
    func restore(discardsInput: Bool) {
        guard isForeground else { return }
        var modes = saved
        tcsetattr(descriptor, discardsInput ? TCSAFLUSH : TCSANOW, &modes)
    }

    /// Discards the input until none has arrived for `pause`. If input continues to arrive, waits no longer than about
    /// ``Timeouts/pasteRest``.
    func discardInput(pause: Int64) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var states = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        let end = Instant.monotonic + Timeouts.pasteRest
        while case let now = Instant.monotonic, now < end,
            poll(&states, until: now + pause, now: now) > 0, read(descriptor, &buffer, buffer.count) > 0
        {}
        tcflush(descriptor, TCIFLUSH)
    }

    /// Discards what was typed before this process used the terminal. Those keys were meant for the shell, which cannot get
    /// them back, and a blank would pause the player for ever.
    func discardTypedAhead() { tcflush(descriptor, TCIFLUSH) }

    /// Discards output that was written but not yet transmitted to the terminal.
    func discardOutput() { tcflush(descriptor, TCOFLUSH) }

    func armCrashRestore(_ restoreSequence: String) {
        var modes = saved
        var text = restoreSequence
        text.withUTF8 { bytes in
            gifplay_arm_crash_restore(descriptor, &modes, bytes.baseAddress, UInt(bytes.count))
        }
    }

    /// Returns the size of the terminal in cells. If the terminal does not report a size, uses COLUMNS and LINES, or
    /// else 80x24. The cell aspect is that of the size in pixels from the kernel or the terminal, or else 2.
    /// - Parameter replies: the traits that the terminal reports in its replies to queries.
    func traits(keeping replies: TerminalTraits? = nil) -> TerminalTraits {
        var window = winsize()
        let known = ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0
        let reported = (
            columns: known && window.ws_col > 0 ? Int(window.ws_col) : Self.number(of: "COLUMNS") ?? 80,
            rows: known && window.ws_row > 0 ? Int(window.ws_row) : Self.number(of: "LINES") ?? 24
        )
        let columns = min(reported.columns, Self.maximumCellCount)
        let rows = min(reported.rows, max(1, Self.maximumCellCount / columns))
        var traits = TerminalTraits(
            size: CellSize(columns: columns, rows: rows), cellAspect: 2, background: replies?.background,
            colors: replies?.colors ?? .standard)
        let environment = TerminalEnvironment()
        traits.graphics =
            replies?.graphics ?? TerminalGraphics(transport: TerminalQueries.transport, program: environment.program)
        if known, window.ws_xpixel > 0, window.ws_ypixel > 0, window.ws_col > 0, window.ws_row > 0 {
            traits.setCell(
                width: Double(window.ws_xpixel) / Double(window.ws_col),
                height: Double(window.ws_ypixel) / Double(window.ws_row))
        } else if let cell = traits.graphics.cell {
            traits.setCell(width: Double(cell.width), height: Double(cell.height))
        }
        traits.rewrapsLines = environment.rewrapsLines
        return traits
    }

    /// The maximum number of cells, which limits memory use. A terminal on a screen of 7680x4320 pixels has fewer.
    private static let maximumCellCount = 1 << 20

    private static func number(of variable: String) -> Int? {
        guard let text = getenv(variable), let value = Int(outside: String(cString: text), clampedTo: 0...10_000)
        else { return nil }
        return value > 0 ? value : nil
    }
}

/// Waits like poll(2) until a descriptor is ready or `deadline` has passed.
/// - Parameters:
///   - deadline: nil to wait without a time limit.
///   - now: the current time.
/// - Returns: the number of ready descriptors, or a negative number after an error.
func poll(_ descriptors: inout [pollfd], until deadline: Instant?, now: Instant) -> Int32 {
    guard let deadline else { return gifplay_poll(&descriptors, UInt(descriptors.count), nil) }
    let span = max(0, deadline - now)
    var time = timespec(tv_sec: Int(span / Span.second), tv_nsec: Int(span % Span.second))
    return gifplay_poll(&descriptors, UInt(descriptors.count), &time)
}

/// Timeouts for input, and for output at the end of a session.
enum Timeouts {
    /// The time after which a lone ESC counts as the Escape key and not as the start of a sequence.
    static let escape = 100 * Span.millisecond
    /// ``escape`` over ssh, which can deliver the bytes of a key in two packets.
    static let remoteEscape = 200 * Span.millisecond
    /// ``escape`` while a reply is pending: longer, because a slow connection can deliver the reply byte by byte.
    static let escapeWhileReplyPending = 150 * Span.millisecond
    /// The maximum wait for the rest of an incomplete sequence.
    static let sequence = 500 * Span.millisecond
    /// The maximum wait for the rest of a paste. A slow connection can interrupt a paste for seconds.
    static let paste = 5 * Span.second
    /// The pause in the input after which a paste counts as complete at the end of a session.
    static let pasteQuiet = 50 * Span.millisecond
    /// The pause in the input after which a line counts as typed whose first key has ended the screensaver.
    static let typingQuiet = 300 * Span.millisecond
    /// The maximum wait for the pause ``pasteQuiet`` or ``typingQuiet``.
    static let pasteRest = Span.second
    /// The maximum wait at the end of a session until the last bytes are written.
    static let leave = 250 * Span.millisecond
    /// The maximum time from the last query of a session to its reply. It is constant even if the replies to earlier
    /// queries were quick, because the last query can follow more output than the earlier ones.
    static let lastReply = 2 * Span.second
}
