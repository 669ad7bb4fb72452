import Base
import CTerminal
import Glibc
import Pixels

/// The terminal on standard output. Sets up the screen, shows updates, reports events, and restores the screen.
///
/// Must be used on one thread. A single `poll` waits for input, room for output, signals and wake-ups.
public final class Terminal {
    private let device: TerminalDevice
    private let output: TerminalOutput
    private let session: ScreenSession
    private let signals: SignalDescriptor
    private let wakeups: WakeDescriptor
    private let suspendsByKey: Bool
    /// The tty, signals, wake-ups, tmux's reply and changes of its clients. They are stored, so that a wait allocates no
    /// memory.
    private var descriptors: [pollfd]
    private var input = InputParser()
    private var events: [TerminalEvent] = []
    /// The time of the previous poll.
    private var lastPollTime = Instant(nanoseconds: 0)
    private let tmux: TmuxPane?
    private let socket: MultiplexerSocket?
    /// The time before which the hidden terminal counts as busy; nil if it may be updated now.
    private var nextHiddenUpdate: Instant?
    public private(set) var traits: TerminalTraits
    public var stopSequence: [UInt8] = []
    public static let targetDelay = 200 * Span.millisecond

    /// Sets up the screen of the terminal on standard output. Call this on the main thread, because the others block
    /// signals.
    /// - Parameters:
    ///   - reportsPointer: whether the terminal should report the mouse.
    ///   - suspendsByKey: whether Ctrl-Z suspends the process, unless SIGTSTP was ignored when the process started.
    ///   - colors: the colours that the user chose.
    ///   - graphics: which pixel graphics the terminal should report.
    ///   - usesControllingTerminal: whether to use the terminal of the session and not standard output.
    ///   - sendsQueries: whether to query the terminal. If not, gifplay relies on environment variables and terminfo.
    ///   - targetDelay: the accepted delay by bytes in buffers, in nanoseconds. A shorter one answers keys sooner, but
    ///     uses less of a slow connection.
    ///   - wakeups: its waker makes ``wait(until:)`` return.
    public init(
        screen: TerminalScreen, reportsPointer: Bool = false, suspendsByKey: Bool = true,
        colors: ColorPreference = ColorPreference(), graphics: GraphicsDetection = .protocols,
        sendsQueries: Bool = true, usesControllingTerminal: Bool = false, targetDelay: Int64 = targetDelay,
        wakeups: WakeDescriptor = WakeDescriptor()
    ) throws(Failure) {
        device = try TerminalDevice(output: usesControllingTerminal ? nil : STDOUT_FILENO)
        output = TerminalOutput(device)
        output.pacer.gauge.targetDelay = targetDelay
        signals = try SignalDescriptor()
        self.suspendsByKey = suspendsByKey && !signals.isStopIgnored
        self.wakeups = wakeups
        guard wakeups.descriptor >= 0 else { throw .system("eventfd", namesCall: true) }
        if let reason = gifplay_start_guard() { throw Failure(String(cString: reason)) }
        let environment = TerminalEnvironment()
        if environment.isRemote { input.escapeTimeout = Timeouts.remoteEscape }
        let testMemory = graphics == .all && sendsQueries ? SharedMemory(limit: 1) : nil
        let start = environment.start(colors, detectsGraphics: graphics != .none, testMemory: testMemory)
        session = ScreenSession(
            device, output, screen, reportsPointer: reportsPointer, queries: start.queries, testMemory: testMemory)
        traits = device.traits()
        (traits.background, traits.colors) = (environment.background, start.colors)
        socket = MultiplexerSocket(environment.variable)
        descriptors = [device.descriptor, signals.descriptor, wakeups.descriptor, -1, socket?.descriptor ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        tmux = TmuxPane(
            device: device.name, at: .monotonic,
            asksForFeatures: testMemory != nil || start.queries.detectsColors,
            asksSoon: graphics == .protocols, socket: socket, environment.variable)
        traits.graphics.awaited = tmux == nil ? [] : [.tmux]
        if sendsQueries, !start.queries.text.isEmpty { traits.graphics.awaited?.insert(.terminal) }
        device.discardTypedAhead()
        try enter(sendsQueries: sendsQueries)
    }

    private func enter(sendsQueries: Bool) throws(Failure) {
        gifplay_guard_terminal(device.descriptor, signals.descriptor)
        try session.enter(sendsQueries: sendsQueries)
    }

    deinit {
        leave()
        close(signals.descriptor)
        close(device.descriptor)
    }

    // MARK: - PlaybackTerminal

    public var now: Instant { .monotonic }

    /// A hidden terminal counts as busy for a second after each update. This is the only effect of being hidden: input,
    /// deadlines and wake-ups arrive as usual, and the next update shows the latest state.
    public var isDrained: Bool { output.isDrained && nextHiddenUpdate == nil }

    public var pictureAllowance: Int? { output.pacer.gauge.pictureAllowance }

    /// tmux reports the panes that its clients show. Of GNU Screen, only the attached clients are known.
    public var isHidden: Bool { tmux?.isHidden ?? (socket?.hasClients == false) }

    public func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
        guard session.isEntered else { return }  // After a suspension that a signal has ended.
        output.present(picture, text)
        tmux?.noticeOutput(at: now)
        nextHiddenUpdate = isHidden ? now + Span.second : nil
    }

    public var waker: @Sendable () -> Void { wakeups.waker }

    public func wait(until deadline: Instant?) -> TerminalEvent {
        while true {
            if !events.isEmpty { return events.removeFirst() }
            if output.isClosed { return .closed }
            let gauge = output.pacer.gauge
            let resolveTime = input.deadline(isReplyPending: gauge.isReplyPending)
            if tmux?.update(at: now) == false { adopt(traits.updated(by: nil, to: session.queries)) }
            var ownDeadline = Instant.earliest(.earliest(resolveTime, gauge.deadline), tmux?.deadline)
            ownDeadline = .earliest(ownDeadline, nextHiddenUpdate)
            let isQuiet = !poll(until: .earliest(deadline, ownDeadline))
            noteDrained(output.handleMissingReply())
            if let time = nextHiddenUpdate, now >= time || !isHidden {
                nextHiddenUpdate = nil
                noteDrained(isDrained)
            }
            if output.pacer.gauge.isUnanswered { adopt(traits.withoutReply) }
            // Input during the poll restarts the timeout, so resolve incomplete input only if nothing has arrived.
            if isQuiet, let resolveTime, now >= resolveTime {
                handle(input.resolveIncomplete())
            } else if events.isEmpty, !output.isClosed, let deadline, now >= deadline {
                // Return even if the input causes no event. A flood of such input must not delay the picture.
                return .deadline
            }
        }
    }

    private func noteDrained(_ hasDrained: Bool) { if hasDrained { events.append(.drained) } }

    // MARK: - Waiting

    /// Waits until something happens or `deadline` has passed.
    /// - Returns: false if nothing happened.
    private func poll(until deadline: Instant?) -> Bool {
        descriptors[0].events = Int16(POLLIN) | (output.outgoing.isEmpty ? 0 : Int16(POLLOUT))
        if let tmux { descriptors[3].fd = tmux.descriptor }
        let start = now
        gifplay_record_turn(false)
        let count = Playback.poll(&descriptors, until: deadline, now: start)
        gifplay_record_turn(true)
        // If the poll had to wait, the event arrived at the end of the wait and not earlier.
        let end = now
        if end - start > Span.millisecond { lastPollTime = end }
        defer { lastPollTime = end }
        guard count > 0 else { return false }
        if descriptors[1].revents != 0 { handleSignals() }
        if descriptors[2].revents != 0 { handleWake() }
        if descriptors[3].revents != 0, let tmux, tmux.hasReply() {
            adopt(traits.updated(by: tmux.readReply(at: end), to: session.queries))
        }
        if descriptors[4].revents != 0 {
            socket?.update()
            tmux?.noticeClients(at: end)
        }
        let state = descriptors[0].revents
        if state & Int16(POLLOUT) != 0 { noteDrained(output.flush()) }
        if state & Int16(POLLIN) != 0 {
            readInput()
        } else if state & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 {
            output.isClosed = true
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
        if let fatal = numbers.first(where: SignalDescriptor.isFatal) { return events.insert(.signal(fatal), at: 0) }
        for number in numbers {
            switch number {
            case SIGWINCH: adopt(device.traits(keeping: traits))
            case SIGTSTP where session.isEntered: suspend()
            // SIGSTOP, which cannot be caught, may have stopped the process. If so, the shell has changed the modes.
            case SIGCONT where session.isEntered: if device.isForeground { resume() } else { suspend() }
            default: break
            }
        }
    }

    private func readInput() {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(device.descriptor, &bytes, bytes.count)
        if count < 0, errno == EIO, !device.isForeground {
            // Another job has the terminal now, so the input belongs to that job.
            if session.isEntered { suspend() }
            return
        }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) {
            output.isClosed = true
            return
        }
        handle(input.parse(bytes.prefix(max(0, count)), at: now))
    }

    private func handle(_ inputs: [TerminalInput]) {
        for input in inputs {
            switch input {
            case .key(.control("z")) where suspendsByKey && session.isEntered: suspend(wholeJob: true)
            case .key(let key): events.append(.key(key))
            case .pointer(let pointer): events.append(.pointer(pointer))
            case .paste(let text): events.append(.paste(text))
            case .reply(let reply) where reply.isUntrue(session.testMemory): break
            case .reply(let reply):
                var newTraits = traits.updated(by: reply, to: session.queries)
                if reply == .graphics(.kitty), output.pacer.gauge.isReplyQuick(at: now) {
                    newTraits.graphics.features.compresses = TerminalEnvironment().isRemote
                }
                adopt(newTraits)
                // At the end of a synchronized update, tmux 3.7 draws rows again, over the images that passed through.
                if case .synchronizedOutput(let isKnown) = reply {
                    output.isSynchronized = isKnown && traits.graphics.transport != .tmux
                }
                if case .attributes = reply { noteDrained(output.handleReply(notBefore: lastPollTime)) }
            }
        }
    }

    private func adopt(_ newTraits: TerminalTraits) {
        guard newTraits != traits else { return }
        (traits, session.hasResized) = (newTraits, session.hasResized || newTraits.size != traits.size)
        events.append(.changed)
    }

    // MARK: - Leaving and suspending

    /// Restores the screen and the modes, and makes signals end the process again. Waits up to 250 ms until the presented
    /// bytes are written, and longer for a missing reply (``Timeouts/lastReply``). A second call has no effect.
    /// - Parameter discardsTyping: whether to discard the rest of a line whose first key has ended the session.
    public func leave(discardsTyping: Bool = false) {
        restoreScreen(discardsTyping: discardsTyping)
        if session.testMemory?.removeUnread() != nil { SharedMemory.removeAbandoned() }
        tmux?.cancel()
        signals.release()
    }

    /// Changes to the screen of another view. Keys that have arrived already are events of the next ``wait(until:)``.
    public func change(
        to screen: TerminalScreen, reportsPointer: Bool, targetDelay: Int64 = targetDelay
    ) {
        guard session.isEntered else { return }
        session.change(to: screen, reportsPointer: reportsPointer) { _ = poll(until: $0) }
        output.pacer.gauge.targetDelay = targetDelay
    }

    private func restoreScreen(discardsTyping: Bool = false) {
        guard session.isEntered else { return }
        let pause = discardsTyping ? Timeouts.typingQuiet : nil
        session.restore(pause: pause ?? (input.hasPasted ? Timeouts.pasteQuiet : nil)) { end in
            let count = events.count
            _ = poll(until: end)
            return events.dropFirst(count)
        }
        events.removeAll(where: ScreenSession.isQuitKey)
    }

    /// - Parameter wholeJob: whether to stop the whole process group, including the other programs of a pipeline.
    private func suspend(wholeJob: Bool = false) {
        if output.isDrained { stopSequence.withUnsafeBytes { output.send($0) } }
        restoreScreen()
        // After `bg` or a fatal signal, the stopped process continues in the background. The shell then uses the
        // terminal, and a set-up of the screen would spoil the prompt.
        var signal = SIGTSTP
        repeat {
            let hasStopped = JobControl.stop(by: signal, wholeJob: wholeJob)
            if let fatal = signals.pending().first(where: SignalDescriptor.isFatal) {
                return events.insert(.signal(fatal), at: 0)
            }
            guard hasStopped || device.isForeground else {
                output.isClosed = true
                return
            }
            signal = SIGTTOU
        } while !device.isForeground
        // Save the modes again, because other programs might have changed them permanently in the meantime.
        device.saveModes()
        resume()
    }

    private func resume() {
        do { try enter(sendsQueries: false) } catch { output.isClosed = true }
        adopt(device.traits(keeping: traits))
        events.append(.resumed)
    }
}
