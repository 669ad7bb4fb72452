import Base
import CTerminal
import Glibc

/// Reads signals from a descriptor, so that one call of `poll` can wait for both signals and other input.
struct SignalDescriptor {
    /// The signals that end a process by default, except SIGPIPE, SIGKILL, the signals of crashes and the real-time
    /// signals. gifplay reads all of them from the descriptor, so that it can restore the terminal before it ends. Rare
    /// signals are included: `kill -USR1` sends SIGUSR1, and a limit on processor time sends SIGXCPU.
    fileprivate static let fatal = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR,
        SIGSTKFLT,
    ]
    private static let numbers = fatal + [SIGWINCH, SIGTSTP, SIGCONT]

    let descriptor: Int32
    /// Whether SIGTSTP was already ignored when this process started, as in the lock-command of tmux. In this case, no
    /// shell would continue gifplay after a stop, so neither SIGTSTP nor Ctrl-Z may stop it.
    let isStopIgnored: Bool

    /// Blocks the signals in the main thread. All other threads block them from their start.
    init() throws(Failure) {
        isStopIgnored = Self.isIgnored(SIGTSTP)
        var set = Self.block(isStopIgnored: isStopIgnored)
        descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system("signalfd", namesCall: true) }
        // Ignore SIGTTOU, so that a process in the background can restore the terminal.
        signal(SIGTTOU, SIG_IGN)
        // Ignore SIGTTIN, which would stop the process before it restores the screen. A read then fails with EIO.
        signal(SIGTTIN, SIG_IGN)
    }

    private static func block(isStopIgnored: Bool) -> sigset_t {
        var set = signalSet(numbers.filter { !isStopIgnored || $0 != SIGTSTP })
        pthread_sigmask(SIG_BLOCK, &set, nil)
        return set
    }

    /// Unblocks the signals, so that another Ctrl-C can interrupt the work that remains after the terminal was
    /// restored. Discards all pending signals first, because they were sent to a session that has now ended.
    func release() {
        _ = pending()
        var set = signalSet(Self.numbers)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Returns the signals that have arrived since the last call.
    func pending() -> [Int32] {
        var numbers: [Int32] = []
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while read(descriptor, &information, size) == size { numbers.append(Int32(information.ssi_signo)) }
        return numbers
    }

    fileprivate static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    static func isFatal(_ number: Int32) -> Bool { fatal.contains(number) }
}

/// Holds back the signals that end or stop this process, so that they leave nothing behind.
struct HeldSignals {
    /// Becomes readable when a signal has arrived that ends the process; -1 once a wait has noticed it.
    private var descriptor: Int32
    private var previous = sigset_t()

    init() {
        let numbers = SignalDescriptor.fatal.filter { !SignalDescriptor.isIgnored($0) }
        var (ending, held) = (signalSet(numbers), signalSet(numbers + [SIGTSTP]))
        descriptor = signalfd(-1, &ending, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        pthread_sigmask(SIG_BLOCK, &held, &previous)
    }

    /// Waits until a descriptor is ready. A signal shortens the wait to ``Timeouts/leave``.
    /// - Returns: false if it was not ready until `end`.
    mutating func wait(for other: Int32, _ events: Int32, until end: inout Instant) -> Bool {
        while case let now = Instant.monotonic, now < end {
            var states = [(other, events), (descriptor, POLLIN)].map { pollfd(fd: $0, events: Int16($1), revents: 0) }
            guard poll(&states, until: end, now: now) > 0 else { continue }
            if states[1].revents != 0 {
                close(descriptor)
                (descriptor, end) = (-1, min(end, now + Timeouts.leave))
            }
            if states[0].revents != 0 { return true }
        }
        return false
    }

    /// The signals that have arrived take effect.
    func release() {
        close(descriptor)
        var previous = previous
        pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
}

/// Stops this process as a job of the shell.
enum JobControl {
    /// Stops this process with the default action of a signal. Returns when the process continues.
    ///
    /// This function does not send SIGSTOP, for two reasons. First, SIGSTOP would stop the process even if no shell
    /// could continue it, as in `xterm -e gifplay`. In such a process, the kernel ignores SIGTSTP, SIGTTIN and SIGTTOU.
    /// Second, the shell shows the user which signal stopped a job, and SIGSTOP would hide the real cause.
    /// - Parameters:
    ///   - number: SIGTSTP, SIGTTIN or SIGTTOU.
    ///   - wholeJob: whether to stop the whole process group, including the other programs of a pipeline. Ctrl-Z does
    ///     the same if the terminal is not in raw mode.
    /// - Returns: whether the process was stopped.
    static func stop(by number: Int32, wholeJob: Bool) -> Bool {
        var waking = signalSet([SIGCONT])
        var stopping = signalSet([number])
        var before = sigset_t()
        // A blocked SIGCONT stays pending, so the code below can check whether it has arrived.
        pthread_sigmask(SIG_BLOCK, &waking, &before)
        pthread_sigmask(SIG_BLOCK, &stopping, nil)
        let action = signal(number, SIG_DFL)
        kill(wholeJob ? 0 : getpid(), number)
        // The process stops here.
        pthread_sigmask(SIG_UNBLOCK, &stopping, nil)
        var zero = timespec()
        let isWoken = sigtimedwait(&waking, nil, &zero) == SIGCONT
        signal(number, action)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        return isWoken
    }

    /// Whether an interactive shell has started this job. It reports a stop itself, and ignores SIGTTOU, unlike scripts.
    static var isReported: Bool {
        let parent = status(getpgrp(), "PPid").flatMap { Int(outside: $0) }.map { pid_t($0) } ?? getppid()
        let ignored = status(parent, "SigIgn").flatMap { UInt64($0, radix: 16) } ?? 0
        return ignored & 1 << UInt64(SIGTTOU - 1) != 0
    }

    /// The value of a field in the kernel's description of a process.
    private static func status(_ process: pid_t, _ field: String) -> Substring? {
        let bytes = try? FileSystem.read("/proc/\(process)/status", limit: 1 << 14)
        let lines = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(field + ":\t") }?.dropFirst(field.count + 2)
    }
}

func signalSet(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
}

/// An eventfd that is closed with the last waker that can write to it.
public final class WakeDescriptor: Sendable {
    let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))

    public init() {}

    /// Wakes a terminal that waits.
    public var waker: @Sendable () -> Void { { [self] in eventfd_write(descriptor, 1) } }

    deinit { close(descriptor) }
}
