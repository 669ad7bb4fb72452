import Base
import CTerminal
import Pixels
import Playback

/// Sets up the screen and the modes of the terminal, and restores them.
final class ScreenSession {
    private let device: TerminalDevice
    private let output: TerminalOutput
    private var screen: PlaybackOptions.Screen
    private var reportsPointer: Bool
    let queries: String
    /// A test image for the detection of pixel graphics; nil if gifplay does not detect them.
    let testMemory: SharedMemory?

    init(
        _ device: TerminalDevice, _ output: TerminalOutput, _ screen: PlaybackOptions.Screen, reportsPointer: Bool,
        queries: String, testMemory: SharedMemory?
    ) {
        self.device = device
        self.output = output
        self.screen = screen
        self.reportsPointer = reportsPointer
        self.queries = queries
        self.testMemory = testMemory
    }

    var isEntered: Bool { output.isActive }

    func enter(sendsQueries: Bool) throws(TerminalError) {
        try device.makeRaw()
        output.isActive = true
        device.armCrashRestore(restoreSequence(isSynchronized: true, wasCut: true))
        output.send(
            ScreenSequences.enter(screen) + (reportsPointer ? ScreenSequences.enablePointerReports : "")
                + (sendsQueries ? queries : ""))
        if sendsQueries, !queries.isEmpty { output.pacer.gauge.recordSent(0, hasQuery: true, at: .monotonic) }
    }

    /// Changes to another screen. The modes stay raw, so that no key is lost or echoed between the two.
    /// - Parameter poll: waits until something happens or the time has come.
    func change(to newScreen: PlaybackOptions.Screen, reportsPointer newReports: Bool, poll: (_ end: Instant) -> Void) {
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
    ///   - hasPasted: whether text was pasted until the end of the wait.
    ///   - poll: waits until something happens or the time has come, and returns the new events.
    func restore(hasPasted: @autoclosure () -> Bool, poll: (_ end: Instant) -> ArraySlice<TerminalEvent>) {
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
        // Discard the rest of a paste, because the shell would read it as typed input.
        if hasPasted() { device.discardPaste() }
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
        let screen = ScreenSequences.leave(
            screen, isSynchronized: isSynchronized, wasCut: wasCut, isRepeated: isRepeated)
        // CAN must come first, because it cancels a truncated sequence.
        guard reportsPointer else { return screen }
        return (wasCut ? "\u{18}" : "") + ScreenSequences.disablePointerReports + screen
    }
}
