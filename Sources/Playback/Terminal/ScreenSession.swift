import Base
import CTerminal
import Glibc
import Pixels

/// Sets up the screen and the modes of the terminal, and restores them.
final class ScreenSession {
    private let device: TerminalDevice
    private let output: TerminalOutput
    private var screen: TerminalScreen
    private var reportsPointer: Bool
    let queries: TerminalQueries
    /// A test image for the detection of pixel graphics; nil if gifplay does not detect them.
    let testMemory: SharedMemory?

    init(
        _ device: TerminalDevice, _ output: TerminalOutput, _ screen: TerminalScreen, reportsPointer: Bool,
        queries: TerminalQueries, testMemory: SharedMemory?
    ) {
        (self.device, self.output, self.screen, self.reportsPointer) = (device, output, screen, reportsPointer)
        (self.queries, self.testMemory) = (queries, testMemory)
    }

    var isEntered: Bool { output.isActive }
    /// Whether the size of the terminal has changed. tmux would then leave a part of the picture above the prompt.
    var hasResized = false

    func enter(sendsQueries: Bool) throws(Failure) {
        // From raw mode on, until a crash restores the terminal, nothing allocates memory, because that can fail.
        let sequence = restoreSequence(isSynchronized: true, wasCut: true)
        try device.makeRaw()
        device.armCrashRestore(sequence)
        output.isActive = true
        output.send(
            ScreenSequences.enter(screen) + (reportsPointer ? ScreenSequences.enablePointerReports : "")
                + (sendsQueries ? queries.text : "") + ScreenSequences.disableWrapping)
        if sendsQueries, !queries.text.isEmpty { output.pacer.gauge.recordSent(0, hasQuery: true, at: .monotonic) }
    }

    /// Changes to another screen. The modes stay raw, so that no key is lost or echoed between the two.
    /// - Parameter poll: waits until something happens or the time has come.
    func change(to newScreen: TerminalScreen, reportsPointer newReports: Bool, poll: (_ end: Instant) -> Void) {
        let end = Instant.monotonic + Timeouts.leave
        while output.isWaiting, .monotonic < end { poll(end) }
        let wasCut = output.pacer.discard() || output.outgoing.abandon()
        let change = ScreenSequences.change(from: screen, to: newScreen)
        output.send(
            (wasCut ? "\u{18}" : "") + (output.isSynchronized && wasCut ? ScreenSequences.endUpdate : "")
                + (reportsPointer ? ScreenSequences.disablePointerReports : "") + change
                + (newReports ? ScreenSequences.enablePointerReports : ""))
        (screen, reportsPointer) = (newScreen, newReports)
        device.armCrashRestore(restoreSequence(isSynchronized: true, wasCut: true))
    }

    /// Restores the screen and the modes. A second call has no effect.
    /// - Parameters:
    ///   - pause: the pause after which the user's input counts as complete, which is discarded until then; nil to keep
    ///     it.
    ///   - poll: waits until something happens or the time has come, and returns the new events.
    func restore(pause: @autoclosure () -> Int64?, poll: (_ end: Instant) -> ArraySlice<TerminalEvent>) {
        guard isEntered else { return }
        output.isActive = false
        let end = Instant.monotonic + Timeouts.leave
        while output.isWaiting, .monotonic < end { _ = poll(end) }
        let wasHolding = output.pacer.discard()
        let wasBlocked = output.outgoing.abandon()
        var wasCut = wasBlocked || wasHolding
        output.send(restoreSequence(isSynchronized: output.isSynchronized, wasCut: wasCut))
        while output.isWaiting, .monotonic < end { _ = poll(end) }
        // A blocked terminal may never have received the query, so do not wait longer for its reply.
        waitForReplies(until: wasBlocked ? end : max(end, output.pacer.gauge.lastReplyDeadline), poll)
        if !output.isClosed, !output.outgoing.isEmpty || output.pacer.gauge.isReplyPending {
            // When a blocked terminal continues, it must receive only this sequence, not the output before it. A query
            // in that output would be answered, and the shell would read the reply as typed input.
            let isRepeated = !output.outgoing.abandon()
            device.discardOutput()
            output.send(restoreSequence(isSynchronized: output.isSynchronized, wasCut: true, isRepeated: isRepeated))
            wasCut = true
        }
        if testMemory != nil, output.isClosed || wasCut { SharedMemory.removeAll() }
        // Discard the rest of a paste or of a line, because the shell would read it as typed input.
        if let pause = pause() { device.discardInput(pause: pause) }
        device.restore(discardsInput: output.pacer.gauge.isReplyPending)
        output.pacer.gauge.reset()
        gifplay_disarm_crash_restore()
    }

    /// Waits for the replies to all queries, because the shell would read a late reply as typed input. Another 'q' or
    /// Ctrl-C, or a signal that ends the process, ends the wait.
    private func waitForReplies(until end: Instant, _ poll: (Instant) -> ArraySlice<TerminalEvent>) {
        while !output.isClosed, output.pacer.gauge.isReplyPending, .monotonic < end {
            let isInterrupted = poll(end).contains {
                if case .signal = $0 { true } else { Self.isQuitKey($0) }
            }
            if isInterrupted { return }
        }
    }

    static func isQuitKey(_ event: TerminalEvent) -> Bool {
        event == .key(.character("q")) || event == .key(.control("c"))
    }

    private func restoreSequence(isSynchronized: Bool, wasCut: Bool, isRepeated: Bool = false) -> String {
        let leave = ScreenSequences.leave(
            screen, isSynchronized: isSynchronized, wasCut: wasCut, isRepeated: isRepeated)
        let clears = hasResized && screen == .full && !isRepeated && getenv("TMUX") != nil
        guard reportsPointer || clears else { return leave }
        // CAN must come first, because it cancels a truncated sequence.
        return (wasCut ? "\u{18}" : "") + (reportsPointer ? ScreenSequences.disablePointerReports : "")
            + (clears ? "\u{1B}[0m\u{1B}[2J" : "") + leave
    }
}

/// The control sequences that set up the screen and restore it.
enum ScreenSequences {
    /// Sets up the screen. The last mode is bracketed paste, so that pasted text is not read as keys. The Linux console
    /// ignores modes that it does not know.
    static func enter(_ screen: TerminalScreen) -> String {
        (screen == .full ? "\u{1B}[?1049h" : "") + "\u{1B}[?25l\u{1B}[?2004h"
    }

    /// Clears the screen, or enters or leaves the alternate screen.
    static func change(from old: TerminalScreen, to new: TerminalScreen) -> String {
        switch (old, new) {
        case (.inline, .full): "\u{1B}[0m\u{1B}[?1049h\u{1B}[?25l"
        case (.full, .inline): "\u{1B}[0m\u{1B}[?1049l\u{1B}[?25l"
        case (.full, .full), (.inline, .inline): "\u{1B}[0m\u{1B}[2J\u{1B}[?25l"
        }
    }

    /// Makes the terminal report mouse buttons and the wheel, with positions in decimal numbers. To select text in the
    /// terminal, the user must then hold Shift.
    static let enablePointerReports = "\u{1B}[?1000h\u{1B}[?1006h"
    static let disablePointerReports = "\u{1B}[?1006l\u{1B}[?1000l"

    /// Moves the cursor below the last line of the screen. Without an alternate screen (mosh, GNU Screen by default),
    /// the prompt would otherwise overwrite the picture. With an alternate screen, the move has no effect, because
    /// leaving that screen restores the cursor's position.
    private static let moveBelowScreen = "\u{1B}[9999H\n"

    /// - Parameters:
    ///   - wasCut: whether the output was truncated, possibly in the middle of a sequence. If so, CAN cancels that
    ///     sequence.
    ///   - isRepeated: whether the terminal may have received this sequence before. If so, the cursor does not move to
    ///     another line, because that could scroll the user's screen.
    static func leave(
        _ screen: TerminalScreen, isSynchronized: Bool, wasCut: Bool, isRepeated: Bool = false
    ) -> String {
        (wasCut ? "\u{18}" : "") + (isSynchronized ? endUpdate : "") + "\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m"
            + (wasCut && screen == .inline && !isRepeated ? "\r\n" : "")
            + (screen == .full && !isRepeated ? moveBelowScreen : "") + "\u{1B}[?25h"
            + (screen == .full ? "\u{1B}[?1049l" : "")
    }

    /// Text with characters of unexpected width must not move the lines below it. Not in tmux, which would give the combining
    /// characters of a placeholder in the last column to the one before it.
    static var disableWrapping: String { TerminalQueries.transport == .tmux ? "" : "\u{1B}[?7l" }

    static let beginUpdate = "\u{1B}[?2026h"
    static let endUpdate = "\u{1B}[?2026l"
    static let endUpdateAndQuery = endUpdate + TerminalQueries.attributes
}

/// The pixel graphics that a terminal should report.
public enum GraphicsDetection: Sendable {
    case none
    /// The protocols, for a later choice by the user.
    case protocols
    /// Also whether images can be in shared memory, which needs a test image that a killed process leaves behind.
    case all
}

/// The part of the terminal that gifplay uses.
public enum TerminalScreen: Sendable {
    /// Uses the whole pane and centres the picture.
    case full
    /// Draws the picture below the terminal's previous output. The picture remains there after playback.
    case inline
}
