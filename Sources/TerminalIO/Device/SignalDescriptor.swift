import CTerminal
import Glibc

/// Signals as something to read, so that they are waited for with everything else.
struct SignalDescriptor {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT]

    let descriptor: Int32

    /// Blocks the signals in this thread and those it makes: call it before any other thread is there.
    init() throws(TerminalError) {
        var set = Self.set(Self.numbers)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "signalfd", errno: errno) }
        // A closed pipe shows as EPIPE; a terminal can be restored from the background too.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGTTOU, SIG_IGN)
    }

    /// The next signal that came, if one did.
    func next() -> Int32? {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        guard read(descriptor, &information, size) == size else { return nil }
        return Int32(information.ssi_signo)
    }

    /// Stops the process as Ctrl-Z does, and returns when it goes on.
    static func stop() {
        raise(SIGSTOP)
        // The signal that woke it is blocked and still waits to be read.
        var set = Self.set([SIGCONT])
        var zero = timespec()
        sigtimedwait(&set, nil, &zero)
    }

    private static func set(_ numbers: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }
}
