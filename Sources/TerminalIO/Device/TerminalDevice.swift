import CTerminal
import Glibc
import Pixels
import Playback

/// Why there is no terminal to play on.
public enum TerminalError: Error, Equatable, Sendable {
    case notTerminal
    case system(call: String, errno: Int32)
}

/// The terminal behind standard output: its modes and its size.
struct TerminalDevice {
    /// Opened anew, so that not waiting on it changes nothing for others who hold the same terminal.
    let descriptor: Int32
    private var saved: termios

    /// - Parameter output: a descriptor of a terminal, standard output as a rule.
    init(output: Int32) throws(TerminalError) {
        guard isatty(output) == 1 else { throw .notTerminal }
        let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        var name = [CChar](repeating: 0, count: 256)
        var opened: Int32 = -1
        if ttyname_r(output, &name, name.count) == 0 { opened = open(name, flags) }
        // After su the terminal's own name may belong to somebody else.
        if opened < 0 { opened = open("/dev/tty", flags) }
        guard opened >= 0 else { throw .system(call: "open", errno: errno) }
        descriptor = opened
        saved = termios()
        try Self.stopWhileBackground(opened)
        guard tcgetattr(descriptor, &saved) == 0 else { throw .system(call: "tcgetattr", errno: errno) }
    }

    /// Begun behind the shell's back (`gifplay … &`), it stops until it is given the terminal, as the kernel stops
    /// others: the modes that are there before are the shell's line editor's.
    private static func stopWhileBackground(_ descriptor: Int32) throws(TerminalError) {
        while !isForeground(descriptor) {
            // Nobody would ever wake it.
            guard JobControl.stop(by: SIGTTOU, wholeJob: true) else { throw .system(call: "tcsetattr", errno: EIO) }
        }
    }

    /// Takes the modes that are there now for those to be given back.
    mutating func remember() {
        var modes = termios()
        if tcgetattr(descriptor, &modes) == 0 { saved = modes }
    }

    /// Bytes as they are, both ways: no echo, no line editing, no signals from keys.
    func makeRaw() throws(TerminalError) {
        var modes = saved
        cfmakeraw(&modes)
        guard tcsetattr(descriptor, TCSANOW, &modes) == 0 else { throw .system(call: "tcsetattr", errno: errno) }
    }

    /// Whether this process may use the terminal now, not the shell that started it.
    var isForeground: Bool { Self.isForeground(descriptor) }

    private static func isForeground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        // The terminal of another session, or one that is gone: no shell controls jobs on it.
        return group < 0 || group == getpgrp()
    }

    /// The modes that were found, unless the terminal is the shell's now, which has set its own.
    func restore() {
        guard isForeground else { return }
        var modes = saved
        tcsetattr(descriptor, TCSANOW, &modes)
    }

    /// Drops input that nobody has read.
    func discardInput() { tcflush(descriptor, TCIFLUSH) }

    /// Drops output that the terminal has not taken.
    func discardOutput() { tcflush(descriptor, TCOFLUSH) }

    func armCrashRestore(_ farewell: String) {
        var modes = saved
        var text = farewell
        text.withUTF8 { bytes in
            gifplay_arm_crash_restore(descriptor, &modes, bytes.baseAddress, UInt(bytes.count))
        }
    }

    /// The size in cells, from the terminal, else from COLUMNS and LINES, else 80x24; and the shape
    /// of a cell where the terminal tells pixels.
    func traits(background: CellColor?) -> TerminalTraits {
        var window = winsize()
        let known = ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0
        let told = (
            columns: known && window.ws_col > 0 ? Int(window.ws_col) : Self.number(of: "COLUMNS") ?? 80,
            rows: known && window.ws_row > 0 ? Int(window.ws_row) : Self.number(of: "LINES") ?? 24
        )
        let columns = min(told.columns, Self.mostCells)
        let rows = min(told.rows, max(1, Self.mostCells / columns))
        var aspect = 2.0
        if known, window.ws_xpixel > 0, window.ws_ypixel > 0, window.ws_col > 0, window.ws_row > 0 {
            let height = Double(window.ws_ypixel) / Double(window.ws_row)
            let width = Double(window.ws_xpixel) / Double(window.ws_col)
            // Some terminals report nonsense; no font is wider than it is high, or four times as high.
            if (1...4).contains(height / width) { aspect = height / width }
        }
        return TerminalTraits(
            size: CellSize(columns: columns, rows: rows), cellAspect: aspect, background: background)
    }

    /// A screen of 7680x4320 pixels holds fewer; each takes memory.
    private static let mostCells = 1 << 20

    private static func number(of variable: String) -> Int? {
        guard let text = getenv(variable), let value = Int(String(cString: text)), value > 0 else { return nil }
        return min(value, 10_000)
    }
}
