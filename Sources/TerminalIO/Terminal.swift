import Base
import CTerminal
import Glibc
import Pixels
import Playback

/// The real terminal: sets up the screen, plays on it, and restores it.
///
/// Used on one thread, which waits in one `poll` for input, room for output, signals and wake-ups.
public final class Terminal: PlaybackTerminal {
    private var device: TerminalDevice
    private let signals: SignalDescriptor
    private let wakeups: Int32
    private let screen: PlaybackOptions.Screen
    private let tellsPointer: Bool
    /// The tty, the signals and the wake-ups, in this order. Stored to save the allocation of an array for each wait.
    private var descriptors: [pollfd]

    private var outgoing = OutgoingBytes()
    private var parser = InputParser()
    private var events: [TerminalEvent] = []
    private var isEntered = false
    private var isClosed = false
    private var isSynchronized = false
    private var gauge = LineGauge()
    /// Time of the previous poll.
    private var lastLook = Instant(nanoseconds: 0)
    private var undecidedSince: Instant?
    public private(set) var traits: TerminalTraits

    /// Sets up the screen of the terminal on standard output.
    ///
    /// Call this before other threads exist, because it redirects signals to this object.
    /// - Parameter tellsPointer: whether the terminal should report the mouse.
    public init(screen: PlaybackOptions.Screen, tellsPointer: Bool = false) throws(TerminalError) {
        self.screen = screen
        self.tellsPointer = tellsPointer
        device = try TerminalDevice(output: STDOUT_FILENO)
        signals = try SignalDescriptor()
        wakeups = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard wakeups >= 0 else { throw .system(call: "eventfd", errno: errno) }
        traits = device.traits(background: nil)
        descriptors = [device.descriptor, signals.descriptor, wakeups].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        try enter(asks: ScreenSequences.isQueryUnderstood)
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
        let asks = gauge.shouldAsk(at: now)
        if asks { gauge.noteQuestion(at: now) }
        var begin = isSynchronized ? ScreenSequences.beginUpdate : ""
        var end = isSynchronized ? ScreenSequences.endUpdate : ""
        if asks { end = isSynchronized ? ScreenSequences.endUpdateAndAsk : ScreenSequences.attributesQuery }
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
            let settling = undecidedSince.map { $0 + inputPatience }
            let isQuiet = !poll(until: .earliest(.earliest(deadline, settling), gauge.deadline))
            noteLostAnswer()
            // Input that has arrived in the meantime extends the timeout.
            if isQuiet, let settling, now >= settling {
                take(parser.settle())
                if !parser.isUndecided { undecidedSince = nil }
            } else if events.isEmpty, !isClosed, let deadline, now >= deadline {
                // Also if input arrives that is not an event, or a flood of it would delay the picture.
                return .deadline
            }
        }
    }

    private var inputPatience: Int64 {
        if parser.isStalled { return Patience.sequence }
        return gauge.isOwed ? Patience.answer : Patience.escape
    }

    private func noteLostAnswer() {
        guard let deadline = gauge.deadline, now >= deadline else { return }
        gauge.giveUp()
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
        // If the poll had to wait, the event has arrived just now.
        let end = now
        if end - start > Span.millisecond { lastLook = end }
        defer { lastLook = end }
        guard count > 0 else { return false }
        if descriptors[1].revents != 0 { takeSignals() }
        if descriptors[2].revents != 0 { takeWake() }
        let state = descriptors[0].revents
        if state & Int16(POLLOUT) != 0 { flush() }
        if state & Int16(POLLIN) != 0 {
            readInput()
        } else if state & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 {
            isClosed = true
        }
        return true
    }

    private func takeWake() {
        var count: eventfd_t = 0
        eventfd_read(wakeups, &count)
        events.append(.wake)
    }

    private func takeSignals() {
        let numbers = signals.pending()
        // A hang-up sends SIGCONT too: signals that end the process come before those that stop or continue it.
        if let fatal = numbers.first(where: SignalDescriptor.isFatal) { return events.append(.signal(fatal)) }
        for number in numbers {
            switch number {
            case SIGWINCH: adopt(device.traits(background: traits.background))
            case SIGTSTP: suspend()
            // After a SIGSTOP, which cannot be caught: the shell has set its own modes since.
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
        take(parser.take(bytes.prefix(max(0, count))))
        undecidedSince = parser.isUndecided ? now : nil
    }

    private func take(_ inputs: [TerminalInput]) {
        for input in inputs {
            switch input {
            case .key(.control("z")): suspend(wholeJob: true)
            case .key(let key): events.append(.key(key))
            case .pointer(let pointer): events.append(.pointer(pointer))
            case .reply(.attributes):
                if gauge.noteAnswer(at: now, notBefore: lastLook), outgoing.isEmpty { events.append(.drained) }
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

    private func enter(asks: Bool) throws(TerminalError) {
        try device.makeRaw()
        isEntered = true
        device.armCrashRestore(farewell(isSynchronized: true, wasCut: true))
        send(
            ScreenSequences.enter(screen) + (tellsPointer ? ScreenSequences.tellPointer : "")
                + (asks ? ScreenSequences.queries : ""))
        if asks { gauge.noteQuestion(at: now) }
    }

    /// Restores the screen and the modes for good. Waits up to 250 ms until presented bytes are written, and discards
    /// the rest. From then on signals end the process. A second call has no effect.
    public func leave() {
        giveBack()
        signals.release()
    }

    private func giveBack() {
        guard isEntered else { return }
        isEntered = false
        let start = now
        let end = start + Patience.farewell
        while !isClosed, !outgoing.isEmpty, now < end { _ = poll(until: end) }
        let wasCut = outgoing.abandon()
        send(farewell(isSynchronized: isSynchronized, wasCut: wasCut))
        let last = gauge.isProven && !wasCut ? start + Patience.lastAnswer : end
        while !isClosed, !outgoing.isEmpty || gauge.isOwed, now < (outgoing.isEmpty ? last : end) {
            _ = poll(until: outgoing.isEmpty ? last : end)
        }
        if !isClosed, !outgoing.isEmpty {
            // A terminal that accepts no output gets only this when it continues, and not the output before it.
            _ = outgoing.abandon()
            device.discardOutput()
            send(farewell(isSynchronized: isSynchronized, wasCut: true))
        }
        // The shell would read a later reply as typed input.
        if gauge.isOwed { device.discardInput() }
        gauge.forget()
        device.restore()
        gifplay_disarm_crash_restore()
    }

    private func farewell(isSynchronized: Bool, wasCut: Bool) -> String {
        let screen = ScreenSequences.leave(screen, isSynchronized: isSynchronized, wasCut: wasCut)
        // CAN comes first, because it ends a sequence that was cut off.
        guard tellsPointer else { return screen }
        return (wasCut ? "\u{18}" : "") + ScreenSequences.untellPointer + screen
    }

    /// - Parameter wholeJob: whether to stop the whole process group, with the other programs of a pipe.
    private func suspend(wholeJob: Bool = false) {
        giveBack()
        // If the process continues in the background, by `bg` or by the signal that is to end it, the shell has the
        // terminal: setting up the screen would spoil the prompt.
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
        // Programs that used the terminal in the meantime may have changed its modes for good.
        device.remember()
        resume()
    }

    private func resume() {
        do { try enter(asks: false) } catch { isClosed = true }
        adopt(device.traits(background: traits.background))
        events.append(.resumed)
    }
}
