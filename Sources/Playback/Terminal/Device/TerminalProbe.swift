import Base
import CTerminal
import Glibc
import Pixels

/// The properties that a terminal reports, for diagnostics. The probe does not change the screen.
public struct TerminalProbe: Sendable {
    public private(set) var traits: TerminalTraits
    /// Whether the terminal reports its size in cells.
    public let reportsCells: Bool
    /// Whether the terminal reports its size in pixels, from which the cell aspect is computed.
    public let reportsPixels: Bool
    /// Whether the probe sends queries. It sends none if a terminal of this type does not understand them.
    public let sendsQueries: Bool
    /// The time until the terminal replied to the last query, in nanoseconds; nil if it did not reply.
    public private(set) var replyTime: Int64?
    /// Whether the terminal supports synchronized updates; nil if it did not reply.
    public private(set) var synchronizesUpdates: Bool?
    private let queries: TerminalQueries

    /// The number of colours according to the environment and the terminfo database.
    public static func declaredColors(environment: [String: String]) -> ColorDepth {
        TerminalEnvironment { environment[$0] }.depth
    }

    /// Queries a terminal, and restores its modes.
    /// - Parameters:
    ///   - output: a descriptor of the terminal.
    ///   - timeout: the longest wait for the replies, in nanoseconds; nil for that of the player.
    public init(output: Int32, timeout: Int64? = nil) throws(Failure) {
        let device = try TerminalDevice(output: output)
        defer { close(device.descriptor) }
        var window = winsize()
        let isKnown = ioctl(device.descriptor, UInt(TIOCGWINSZ), &window) == 0
        reportsCells = isKnown && window.ws_col > 0 && window.ws_row > 0
        reportsPixels = isKnown && window.ws_xpixel > 0 && window.ws_ypixel > 0
        // A signal takes effect once the modes are restored and the image is removed.
        var signals = HeldSignals()
        defer { signals.release() }
        let testMemory = SharedMemory(limit: 1)
        defer { testMemory.removeUnread() }
        let start = TerminalEnvironment().start(detectsGraphics: true, testMemory: testMemory)
        traits = device.traits()
        traits.graphics.awaited = []
        traits.colors = start.colors
        queries = start.queries
        sendsQueries = !queries.text.isEmpty
        guard sendsQueries else { return }
        device.armCrashRestore("")
        defer { gifplay_disarm_crash_restore() }
        try device.makeRaw()
        let usual =
            TerminalEnvironment().isRemote ? ConnectionGauge.remoteReplyTimeout : ConnectionGauge.localReplyTimeout
        query(device, testMemory, &signals, until: .monotonic + (timeout ?? usual))
        // If the last reply is missing, discard unread input, because the shell would read it as typed input. A stopped
        // terminal may not have received the queries yet.
        if replyTime == nil { device.discardOutput() }
        device.restore(discardsInput: replyTime == nil)
        queryTmux(of: output, &signals)
    }

    private mutating func queryTmux(of output: Int32, _ signals: inout HeldSignals) {
        let start = Instant.monotonic
        var end = start + Span.second
        let device = ttyname(output).map { String(cString: $0) }
        guard
            let pane = TmuxPane(
                device: device, at: start, asksForFeatures: true, TerminalEnvironment().variable)
        else { return }
        pane.noticeOutput(at: start)
        guard pane.update(at: start) else { return }
        defer { pane.cancel() }
        repeat {
            guard signals.wait(for: pane.descriptor, POLLIN, until: &end) else { return }
        } while !pane.hasReply()
        traits = traits.updated(by: pane.readReply(at: start), to: queries)
    }

    private mutating func query(
        _ device: TerminalDevice, _ testMemory: SharedMemory, _ signals: inout HeldSignals, until end: Instant
    ) {
        let start = Instant.monotonic
        var end = end
        gifplay_expect_reply(true)
        defer { gifplay_expect_reply(false) }
        guard (try? FileSystem.writeAll(Array(queries.text.utf8), to: device.descriptor)) != nil else { return }
        var parser = InputParser()
        var buffer = [UInt8](repeating: 0, count: 1024)
        // The replies of a local terminal are read even after a signal, because the shell must not get them.
        while replyTime == nil, signals.wait(for: device.descriptor, POLLIN, until: &end) {
            let count = read(device.descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            for input in parser.parse(buffer.prefix(count)) {
                if input == .key(.control("c")) { kill(getpid(), SIGINT) }
                guard case .reply(let reply) = input, !reply.isUntrue(testMemory) else { continue }
                traits = traits.updated(by: reply, to: queries)
                switch reply {
                case .synchronizedOutput(let isSupported): synchronizesUpdates = isSupported
                case .attributes: replyTime = .monotonic - start
                default: break
                }
            }
        }
    }
}

/// A question on the terminal of standard error.
public enum Confirmation {
    /// Reads keys, because the kernel's line editor knows Ctrl-C only as the byte 3, and some terminals send it in other
    /// forms. Ctrl-C has the effect of SIGINT.
    /// - Returns: whether the answer is `y` or `yes`, in upper or lower case.
    public static func ask(_ question: String) throws(Failure) -> Bool {
        let device = try TerminalDevice(output: STDERR_FILENO)
        defer { close(device.descriptor) }
        // Takes effect when the modes are restored.
        var signals = HeldSignals()
        defer { signals.release() }
        device.discardTypedAhead()
        try device.makeRaw()
        defer { device.restore(discardsInput: false) }
        func show(_ text: String) { _ = write(device.descriptor, text, text.utf8.count) }
        show(question)
        defer { show("\r\n") }
        var (parser, answer, end) = (InputParser(), "", Instant(nanoseconds: .max))
        var buffer = [UInt8](repeating: 0, count: 256)
        while signals.wait(for: device.descriptor, POLLIN, until: &end) {
            let count = read(device.descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            for input in parser.parse(buffer.prefix(count)) {
                switch input {
                case .key(.control("c")):
                    kill(getpid(), SIGINT)
                    return false
                case .key(.control("d")): return false
                case .key(.enter): return ["y", "yes"].contains(answer.lowercased())
                case .key(.backspace): if answer.popLast() != nil { show("\u{8} \u{8}") }
                case .key(.character(let character)):
                    answer.append(character)
                    show(String(character))
                default: break
                }
            }
        }
        return false
    }
}
