import CTerminal
import Glibc

/// Reads signals from a descriptor, so that one call of `poll` can wait for both signals and other input.
struct SignalDescriptor {
    /// The signals that end a process by default, except the signals of crashes. All of them are read from the
    /// descriptor, so that gifplay can restore the terminal before it ends. Examples are `kill -USR1` and a limit on
    /// processor time.
    private static let fatal = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR,
        SIGSTKFLT,
    ]
    private static let numbers = fatal + [SIGWINCH, SIGTSTP, SIGCONT]

    let descriptor: Int32

    /// Blocks the signals in this thread and in all threads that it creates afterwards. Call this before any other
    /// thread is created.
    init() throws(TerminalError) {
        var set = signalSet(Self.numbers)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "signalfd", errno: errno) }
        // With SIGPIPE ignored, a write to a closed pipe fails with EPIPE. With SIGTTOU ignored, a process in the
        // background can restore the terminal.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGTTOU, SIG_IGN)
        // With SIGTTIN ignored, a read in the background fails with EIO. Otherwise, the signal would stop the process
        // before it can restore the screen.
        signal(SIGTTIN, SIG_IGN)
    }

    /// Unblocks the signals, so that another Ctrl-C can interrupt the work that remains after the terminal was
    /// restored. Discards all pending signals first, because they have already had their effect.
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

    static func isFatal(_ number: Int32) -> Bool { fatal.contains(number) }
}
