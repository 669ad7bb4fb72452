import Base
import CTerminal
import Glibc
import Pixels
import Playback

/// The terminal on standard output. Sets up the screen, shows updates, reports events, and restores the screen.
///
/// Must be used on one thread. A single `poll` waits for input, room for output, signals and wake-ups.
public final class Terminal: PlaybackTerminal {
    var device: TerminalDevice
    private let signals: SignalDescriptor
    private let wakeups: WakeDescriptor
    let screen: PlaybackOptions.Screen
    let reportsPointer: Bool
    private let suspendsByKey: Bool
    /// The tty, signals, wake-ups and tmux's reply. They are stored, so that a wait allocates no memory.
    private var descriptors: [pollfd]

    var outgoing = OutgoingBytes()
    private var parser = InputParser()
    var events: [TerminalEvent] = []
    var isEntered = false
    var isClosed = false
    var isSynchronized = false
    var pacer = UpdatePacer()
    private var lastPollTime = Instant(nanoseconds: 0)
    private var incompleteSince: Instant?
    private let visibility: TmuxVisibility?
    private let queries: String
    private let testMemory: SharedMemory?
    public private(set) var traits: TerminalTraits

    /// Sets up the screen of the terminal on standard output.
    ///
    /// Call this before any other thread is created, because it blocks signals only in this thread and its new threads.
    /// - Parameters:
    ///   - reportsPointer: whether the terminal should report the mouse.
    ///   - suspendsByKey: whether Ctrl-Z suspends the process, unless SIGTSTP was ignored when the process started.
    ///   - colors: the colours that the user chose.
    ///   - detectsGraphics: whether the terminal should report its pixel graphics.
    ///   - sendsQueries: whether to query the terminal. If not, gifplay relies on environment variables and terminfo.
    ///   - pausesWhenHidden: whether ``wait(until:)`` ignores its deadline while tmux shows the pane to no client.
    public init(
        screen: PlaybackOptions.Screen, reportsPointer: Bool = false, suspendsByKey: Bool = true,
        colors: ColorPreference = ColorPreference(), detectsGraphics: Bool = false, sendsQueries: Bool = true,
        pausesWhenHidden: Bool = false
    ) throws(TerminalError) {
        self.screen = screen
        self.reportsPointer = reportsPointer
        device = try TerminalDevice(output: STDOUT_FILENO)
        signals = try SignalDescriptor()
        self.suspendsByKey = suspendsByKey && !signals.isStopIgnored
        wakeups = WakeDescriptor()
        guard wakeups.descriptor >= 0 else { throw .system(call: "eventfd", errno: errno) }
        let environment = TerminalEnvironment()
        testMemory = detectsGraphics && sendsQueries ? SharedMemory(limit: 1) : nil
        let start = environment.start(colors, testMemory: testMemory)
        traits = device.traits()
        traits.background = environment.background
        traits.colors = start.colors
        descriptors = [device.descriptor, signals.descriptor, wakeups.descriptor, -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        queries = start.queries
        let path = pausesWhenHidden ? ttyname(STDOUT_FILENO).map { String(cString: $0) } : nil
        visibility = path.flatMap { path in
            TmuxVisibility(device: path, at: .monotonic, environment.variable)
        }
        try enter(sendsQueries: sendsQueries)
    }

    deinit {
        leave()
        close(signals.descriptor)
        close(device.descriptor)
    }

    // MARK: - PlaybackTerminal

    public var now: Instant { .monotonic }

    public var isDrained: Bool { outgoing.isEmpty && !pacer.isHolding && !pacer.gauge.isBehind(at: now) }

    public var waker: @Sendable () -> Void { { [wakeups] in eventfd_write(wakeups.descriptor, 1) } }

    public func wait(until deadline: Instant?) -> TerminalEvent {
        while true {
            if !events.isEmpty { return events.removeFirst() }
            if isClosed { return .closed }
            let resolveTime = incompleteSince.map { $0 + inputTimeout }
            visibility?.update(at: now)
            let deadline = visibility?.isHidden == true ? nil : deadline
            let ownDeadline = Instant.earliest(.earliest(resolveTime, pacer.gauge.deadline), visibility?.deadline)
            let isQuiet = !poll(until: .earliest(deadline, ownDeadline))
            handleMissingReply()
            // Input that arrives during the poll restarts the timeout.
            if isQuiet, let resolveTime, now >= resolveTime {
                handle(parser.resolveIncomplete())
                if !parser.isIncomplete { incompleteSince = nil }
            } else if events.isEmpty, !isClosed, let deadline, now >= deadline {
                // Return even without an event, because a flood of ignored input would delay the picture.
                return .deadline
            }
        }
    }

    private var inputTimeout: Int64 {
        if parser.isPasting { return parser.isStalled ? Timeouts.paste : Timeouts.sequence }
        if parser.isStalled { return Timeouts.sequence }
        return pacer.gauge.isReplyPending ? Timeouts.escapeWhileReplyPending : Timeouts.escape
    }

    // MARK: - Waiting

    /// Waits until something happens or `deadline` has passed.
    /// - Returns: false if nothing happened.
    private func poll(until deadline: Instant?) -> Bool {
        descriptors[0].events = Int16(POLLIN) | (outgoing.isEmpty ? 0 : Int16(POLLOUT))
        if let visibility { descriptors[3].fd = visibility.descriptor }
        let start = now
        let count = TerminalIO.poll(&descriptors, until: deadline, now: start)
        // If the poll had to wait, the event arrived at the end of the wait and not earlier.
        let end = now
        if end - start > Span.millisecond { lastPollTime = end }
        defer { lastPollTime = end }
        guard count > 0 else { return false }
        if descriptors[1].revents != 0 { handleSignals() }
        if descriptors[2].revents != 0 { handleWake() }
        if descriptors[3].revents != 0 { visibility?.readReply(at: end) }
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
        eventfd_read(wakeups.descriptor, &count)
        events.append(.wake)
    }

    private func handleSignals() {
        let numbers = signals.pending()
        // Signals that end the process have priority, because a hang-up sends both SIGHUP and SIGCONT.
        if let fatal = numbers.first(where: SignalDescriptor.isFatal) { return events.append(.signal(fatal)) }
        for number in numbers {
            switch number {
            case SIGWINCH: adopt(device.traits(keeping: traits))
            case SIGTSTP where isEntered: suspend()
            // SIGSTOP, which cannot be caught, may have stopped the process. If so, the shell has changed the modes.
            case SIGCONT where isEntered: if device.isForeground { resume() } else { suspend() }
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
            case .key(.control("z")) where suspendsByKey && isEntered: suspend(wholeJob: true)
            case .key(let key):
                visibility?.noticeKey(at: now)
                events.append(.key(key))
            case .pointer(let pointer): events.append(.pointer(pointer))
            case .paste(let text): events.append(.paste(text))
            case .reply(let reply) where reply.isUntrue(testMemory): break
            case .reply(let reply):
                adopt(traits.updated(by: reply, to: queries))
                if case .synchronizedOutput(let isKnown) = reply { isSynchronized = isKnown }
                if case .attributes = reply { handleReply(notBefore: lastPollTime) }
            }
        }
    }

    private func adopt(_ newTraits: TerminalTraits) {
        guard newTraits != traits else { return }
        traits = newTraits
        events.append(.changed)
    }

    // MARK: - Setting up and restoring the screen

    private func enter(sendsQueries: Bool) throws(TerminalError) {
        try device.makeRaw()
        isEntered = true
        device.armCrashRestore(restoreSequence(isSynchronized: true, wasCut: true))
        send(
            ScreenSequences.enter(screen) + (reportsPointer ? ScreenSequences.enablePointerReports : "")
                + (sendsQueries ? queries : ""))
        if sendsQueries, !queries.isEmpty { pacer.gauge.recordSent(0, hasQuery: true, at: now) }
    }

    /// Restores the screen and the modes, and makes signals end the process again. Waits up to 250 ms until the presented
    /// bytes are written, and longer for a missing reply (``Timeouts/lastReply``). A second call has no effect.
    public func leave() {
        restoreScreen()
        testMemory?.removeUnread()
        visibility?.cancel()
        signals.release()
    }

    /// Sets up the screen again after ``leave()``. The next event is ``TerminalEvent/resumed``.
    public func enterAgain() {
        signals.block()
        events.removeAll()
        device.saveModes()
        resume()
    }

    private func restoreScreen() {
        guard isEntered else { return }
        isEntered = false
        let end = now + Timeouts.leave
        while !isClosed, !outgoing.isEmpty || pacer.isHolding, now < end { _ = poll(until: end) }
        let wasHolding = pacer.discard()
        let wasBlocked = outgoing.abandon()
        var wasCut = wasBlocked || wasHolding
        send(restoreSequence(isSynchronized: isSynchronized, wasCut: wasCut))
        while !isClosed, !outgoing.isEmpty, now < end { _ = poll(until: end) }
        // A blocked terminal may never have received the query, so do not wait longer for its reply.
        waitForReplies(until: wasBlocked ? end : max(end, pacer.gauge.lastReplyDeadline))
        if !isClosed, !outgoing.isEmpty || pacer.gauge.isReplyPending {
            // When a blocked terminal continues, it must receive only this sequence, not the output before it. A query
            // in that output would be answered, and the shell would read the reply as typed input.
            let isRepeated = !outgoing.abandon()
            device.discardOutput()
            send(restoreSequence(isSynchronized: isSynchronized, wasCut: true, isRepeated: isRepeated))
            wasCut = true
        }
        if testMemory != nil, isClosed || wasCut { SharedMemory.removeAll() }
        // Discard the rest of a paste, because the shell would read it as typed input.
        if parser.hasPasted { device.discardPaste() }
        device.restore(discardsInput: pacer.gauge.isReplyPending)
        pacer.gauge.reset()
        gifplay_disarm_crash_restore()
    }

    /// Waits for all replies, because the shell would read a late one as typed input. Another 'q', Ctrl-C or signal ends
    /// the wait.
    private func waitForReplies(until end: Instant) {
        let before = events.count
        while !isClosed, pacer.gauge.isReplyPending, now < end {
            _ = poll(until: end)
            let isInterrupted = events.dropFirst(before).contains {
                if case .signal = $0 { true } else { $0 == .key(.character("q")) || $0 == .key(.control("c")) }
            }
            if isInterrupted { break }
        }
        events.removeAll { $0 == .key(.character("q")) || $0 == .key(.control("c")) }
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
        // Save the modes again, because other programs might have changed them permanently in the meantime.
        device.saveModes()
        resume()
    }

    private func resume() {
        do { try enter(sendsQueries: false) } catch { isClosed = true }
        adopt(device.traits(keeping: traits))
        events.append(.resumed)
    }
}
