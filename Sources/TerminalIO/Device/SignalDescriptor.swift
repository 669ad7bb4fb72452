import CTerminal
import Glibc

/// Reads signals from a descriptor, so that one `poll` waits for them and for all other input.
struct SignalDescriptor {
    /// The signals that end a process by default, except the signals of crashes. All of them are read from the
    /// descriptor, so that, for example, neither `kill -USR1` nor a limit on processor time ends playback without
    /// restoring the terminal.
    private static let fatal = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR,
        SIGSTKFLT,
    ]
    private static let numbers = fatal + [SIGWINCH, SIGTSTP, SIGCONT]

    let descriptor: Int32

    /// Blocks the signals in this thread and in the threads that it creates. Call this before other threads exist.
    init() throws(TerminalError) {
        var set = signalSet(Self.numbers)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "signalfd", errno: errno) }
        // With SIGPIPE ignored, a closed pipe is reported as EPIPE. With SIGTTOU ignored, the terminal can be restored
        // from the background.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGTTOU, SIG_IGN)
        // With SIGTTIN ignored, reading in the background fails with EIO. Otherwise the signal would stop the process
        // without restoring the screen.
        signal(SIGTTIN, SIG_IGN)
    }

    /// Unblocks the signals after the terminal was restored for good, so that another Ctrl-C can interrupt the
    /// remaining work. Discards the signals that have arrived before, because they have already had their effect.
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
