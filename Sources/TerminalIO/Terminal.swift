import Base
import CTerminal
import Glibc
import Pixels
import Playback

/// The terminal on standard output. Sets up the screen, shows updates, reports events, and restores the screen.
///
/// Must be used on one thread. A single `poll` waits for input, room for output, signals and wake-ups.
public final class Terminal: PlaybackTerminal {
    private var device: TerminalDevice
    private let signals: SignalDescriptor
    private let wakeups: Int32
    private let screen: PlaybackOptions.Screen
    private let reportsPointer: Bool
    /// The descriptors of the tty, the signals and the wake-ups. Stored here, so that a wait does not allocate memory.
    private var descriptors: [pollfd]

    private var outgoing = OutgoingBytes()
    private var parser = InputParser()
    private var events: [TerminalEvent] = []
    private var isEntered = false
    private var isClosed = false
    private var isSynchronized = false
    private var gauge = ConnectionGauge()
    /// The time of the previous poll.
    private var lastPollTime = Instant(nanoseconds: 0)
    private var incompleteSince: Instant?
    public private(set) var traits: TerminalTraits

    /// Sets up the screen of the terminal on standard output.
    ///
    /// Call this before any other thread is created, because it blocks signals only in this thread and its new threads.
    /// - Parameter reportsPointer: whether the terminal should report the mouse.
    public init(screen: PlaybackOptions.Screen, reportsPointer: Bool = false) throws(TerminalError) {
        self.screen = screen
        self.reportsPointer = reportsPointer
        device = try TerminalDevice(output: STDOUT_FILENO)
        signals = try SignalDescriptor()
        wakeups = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard wakeups >= 0 else { throw .system(call: "eventfd", errno: errno) }
        traits = device.traits(background: nil)
        descriptors = [device.descriptor, signals.descriptor, wakeups].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        try enter(sendsQueries: ScreenSequences.isQueryUnderstood)
    }

    deinit { leave() }

    // MARK: - PlaybackTerminal

    public var now: Instant { .monotonic }

    public var isDrained: Bool { outgoing.isEmpty && !gauge.isBehind(at: now) }

    public var waker: @Sendable () -> Void {
        let descriptor = wakeups
        return { eventfd_write(descriptor, 1) }
    }

    public func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
        guard picture.count + text.count > 0, !isClosed else { return }
        let now = now
        let sendsQuery = gauge.shouldQuery(at: now)
        if sendsQuery { gauge.recordQuery(at: now) }
        var begin = isSynchronized ? ScreenSequences.beginUpdate : ""
        var end = isSynchronized ? ScreenSequences.endUpdate : ""
        if sendsQuery { end = isSynchronized ? ScreenSequences.endUpdateAndQuery : ScreenSequences.attributesQuery }
        begin.withUTF8 { begin in
            end.withUTF8 { end in
                send(UnsafeRawBufferPointer(begin), picture, text, UnsafeRawBufferPointer(end))
            }
        }
    }

    public func wait(until deadline: Instant?) -> TerminalEvent {
        while true {
            if !events.isEmpty { return events.removeFirst() }
            if isClosed { return .closed }
            let resolveTime = incompleteSince.map { $0 + inputTimeout }
            let isQuiet = !poll(until: .earliest(.earliest(deadline, resolveTime), gauge.deadline))
            handleLostReply()
            // If input has arrived in the meantime, the timeout begins again.
            if isQuiet, let resolveTime, now >= resolveTime {
                handle(parser.resolveIncomplete())
                if !parser.isIncomplete { incompleteSince = nil }
            } else if events.isEmpty, !isClosed, let deadline, now >= deadline {
                // Input without an event does not prevent the return, because a flood of it would delay the picture.
                return .deadline
            }
        }
    }

    private var inputTimeout: Int64 {
        if parser.isStalled { return Timeouts.sequence }
        return gauge.isReplyPending ? Timeouts.escapeWhileReplyPending : Timeouts.escape
    }

    private func handleLostReply() {
        guard let deadline = gauge.deadline, now >= deadline else { return }
        gauge.stopWaiting()
        if outgoing.isEmpty { events.append(.drained) }
    }

    // MARK: - Waiting

    /// Waits until something happens or `deadline` has passed.
    /// - Returns: false if nothing happened.
    private func poll(until deadline: Instant?) -> Bool {
        descriptors[0].events = Int16(POLLIN) | (outgoing.isEmpty ? 0 : Int16(POLLOUT))
        let start = now
        let count: Int32
        if let deadline {
            let span = max(0, deadline - start)
            var time = timespec(tv_sec: Int(span / Span.second), tv_nsec: Int(span % Span.second))
            count = gifplay_poll(&descriptors, 3, &time)
        } else {
            count = gifplay_poll(&descriptors, 3, nil)
        }
        // If the poll had to wait, the event arrived at the end of the wait.
        let end = now
        if end - start > Span.millisecond { lastPollTime = end }
        defer { lastPollTime = end }
        guard count > 0 else { return false }
        if descriptors[1].revents != 0 { handleSignals() }
        if descriptors[2].revents != 0 { handleWake() }
        let state = descriptors[0].revents
        if state & Int16(POLLOUT) != 0 { flush() }
        if state & Int16(POLLIN) != 0 {
            readInput()
        } else if state & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 {
            isClosed = true
        }
        return true
    }

    private func handleWake() {
        var count: eventfd_t = 0
        eventfd_read(wakeups, &count)
        events.append(.wake)
    }

    private func handleSignals() {
        let numbers = signals.pending()
        // Signals that end the process have priority, because a hang-up sends both SIGHUP and SIGCONT.
        if let fatal = numbers.first(where: SignalDescriptor.isFatal) { return events.append(.signal(fatal)) }
        for number in numbers {
            switch number {
            case SIGWINCH: adopt(device.traits(background: traits.background))
            case SIGTSTP: suspend()
            // SIGCONT can follow a SIGSTOP, which cannot be caught. In this case, the shell has set its own modes.
            case SIGCONT: if device.isForeground { resume() } else { suspend() }
            default: break
            }
        }
    }

    private func readInput() {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(device.descriptor, &bytes, bytes.count)
        if count < 0, errno == EIO, !device.isForeground {
            // Another job has the terminal now, so the input belongs to that job.
            if isEntered { suspend() }
            return
        }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) {
            isClosed = true
            return
        }
        handle(parser.parse(bytes.prefix(max(0, count))))
        incompleteSince = parser.isIncomplete ? now : nil
    }

    private func handle(_ inputs: [TerminalInput]) {
        for input in inputs {
            switch input {
            case .key(.control("z")): suspend(wholeJob: true)
            case .key(let key): events.append(.key(key))
            case .pointer(let pointer): events.append(.pointer(pointer))
            case .reply(.attributes):
                if gauge.recordReply(at: now, notBefore: lastPollTime), outgoing.isEmpty { events.append(.drained) }
            case .reply(.synchronizedOutput(let isKnown)): isSynchronized = isKnown
            case .reply(.background(let color)):
                var traits = traits
                traits.background = color
                adopt(traits)
            }
        }
    }

    private func adopt(_ newTraits: TerminalTraits) {
        guard newTraits != traits else { return }
        traits = newTraits
        events.append(.changed)
    }

    // MARK: - Output

    private func send(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer? = nil,
        _ third: UnsafeRawBufferPointer? = nil, _ fourth: UnsafeRawBufferPointer? = nil
    ) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        let parts: OutgoingBytes.Parts = [first, second ?? nothing, third ?? nothing, fourth ?? nothing]
        if case .closed = outgoing.send(parts, to: device.descriptor) { isClosed = true }
    }

    private func send(_ text: String) {
        var text = text
        text.withUTF8 { send(UnsafeRawBufferPointer($0)) }
    }

    private func flush() {
        switch outgoing.flush(to: device.descriptor) {
        case .done: if isDrained { events.append(.drained) }
        case .pending: break
        case .closed: isClosed = true
        }
    }

    // MARK: - Setting up and restoring the screen

    private func enter(sendsQueries: Bool) throws(TerminalError) {
        try device.makeRaw()
        isEntered = true
        device.armCrashRestore(restoreSequence(isSynchronized: true, wasCut: true))
        send(
            ScreenSequences.enter(screen) + (reportsPointer ? ScreenSequences.enablePointerReports : "")
                + (sendsQueries ? ScreenSequences.queries : ""))
        if sendsQueries { gauge.recordQuery(at: now) }
    }

    /// Ends the session. Restores the screen and the modes, and makes signals end the process again. Waits up to 250 ms
    /// until the presented bytes are written, and discards the rest. A second call has no effect.
    public func leave() {
        restoreScreen()
        signals.release()
    }

    private func restoreScreen() {
        guard isEntered else { return }
        isEntered = false
        let start = now
        let end = start + Timeouts.leave
        while !isClosed, !outgoing.isEmpty, now < end { _ = poll(until: end) }
        let wasCut = outgoing.abandon()
        send(restoreSequence(isSynchronized: isSynchronized, wasCut: wasCut))
        let last = gauge.hasRepliedRepeatedly && !wasCut ? start + Timeouts.lastReply : end
        while !isClosed, !outgoing.isEmpty || gauge.isReplyPending, now < (outgoing.isEmpty ? last : end) {
            _ = poll(until: outgoing.isEmpty ? last : end)
        }
        if !isClosed, !outgoing.isEmpty {
            // When a blocked terminal continues, it must receive only this sequence, not the output before it.
            _ = outgoing.abandon()
            device.discardOutput()
            send(restoreSequence(isSynchronized: isSynchronized, wasCut: true))
        }
        // Otherwise, the shell would read a late reply as typed input.
        if gauge.isReplyPending { device.discardInput() }
        gauge.reset()
        device.restore()
        gifplay_disarm_crash_restore()
    }

    private func restoreSequence(isSynchronized: Bool, wasCut: Bool) -> String {
        let screen = ScreenSequences.leave(screen, isSynchronized: isSynchronized, wasCut: wasCut)
        // CAN must come first, because it cancels a truncated sequence.
        guard reportsPointer else { return screen }
        return (wasCut ? "\u{18}" : "") + ScreenSequences.disablePointerReports + screen
    }

    /// - Parameter wholeJob: whether to stop the whole process group, including the other programs of a pipeline.
    private func suspend(wholeJob: Bool = false) {
        restoreScreen()
        // After `bg` or a fatal signal, the stopped process continues in the background. The shell then uses the
        // terminal, and a set-up of the screen would spoil the prompt.
        var signal = SIGTSTP
        repeat {
            let hasStopped = JobControl.stop(by: signal, wholeJob: wholeJob)
            if let fatal = signals.pending().first(where: SignalDescriptor.isFatal) {
                return events.append(.signal(fatal))
            }
            guard hasStopped || device.isForeground else {
                isClosed = true
                return
            }
            signal = SIGTTOU
        } while !device.isForeground
        // Saves the modes again, because other programs might have changed them permanently in the meantime.
        device.saveModes()
        resume()
    }

    private func resume() {
        do { try enter(sendsQueries: false) } catch { isClosed = true }
        adopt(device.traits(background: traits.background))
        events.append(.resumed)
    }
}
