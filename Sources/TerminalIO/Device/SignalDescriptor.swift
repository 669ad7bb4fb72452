import CTerminal
import Glibc

/// Signals as something to read, so that they are waited for with everything else.
struct SignalDescriptor {
    /// What ends a process that does not say otherwise, but for crashes: nobody's `kill -USR1`, and no limit on
    /// processor time, may leave a terminal as it is while something plays.
    private static let fatal = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR,
        SIGSTKFLT,
    ]
    private static let numbers = fatal + [SIGWINCH, SIGTSTP, SIGCONT]

    let descriptor: Int32

    /// Blocks the signals in this thread and those it makes: call it before any other thread is there.
    init() throws(TerminalError) {
        var set = signalSet(Self.numbers)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "signalfd", errno: errno) }
        // A closed pipe shows as EPIPE; a terminal can be restored from the background too.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGTTOU, SIG_IGN)
        // Reading in the background is EIO then, and not a stop that leaves the screen as it is.
        signal(SIGTTIN, SIG_IGN)
    }

    /// Lets signals do what they do to others, once the terminal is given back for good: what is still to be
    /// finished then can be broken off by another Ctrl-C. Those that came so far have done their work.
    func release() {
        _ = pending()
        var set = signalSet(Self.numbers)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// The signals that came since the last call.
    func pending() -> [Int32] {
        var numbers: [Int32] = []
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while read(descriptor, &information, size) == size { numbers.append(Int32(information.ssi_signo)) }
        return numbers
    }

    static func isFatal(_ number: Int32) -> Bool { fatal.contains(number) }
}
