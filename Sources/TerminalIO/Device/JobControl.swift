import Glibc

/// Stopping as the shell's jobs do.
enum JobControl {
    /// Stops this process by a signal's own effect, and returns when it goes on.
    ///
    /// Not by SIGSTOP: where no shell would wake it (`xterm -e gifplay`), the kernel passes over the signals of
    /// terminals, and the shell tells its users by the signal why a job stands.
    /// - Parameters:
    ///   - number: SIGTSTP, SIGTTIN or SIGTTOU.
    ///   - wholeJob: stops what is in a pipe with this process too, as the terminal's own Ctrl-Z would.
    /// - Returns: whether it stopped.
    static func stop(by number: Int32, wholeJob: Bool) -> Bool {
        var waking = signalSet([SIGCONT])
        var stopping = signalSet([number])
        var before = sigset_t()
        // Blocked, the signal that wakes it can be asked for afterwards.
        pthread_sigmask(SIG_BLOCK, &waking, &before)
        pthread_sigmask(SIG_BLOCK, &stopping, nil)
        let action = signal(number, SIG_DFL)
        kill(wholeJob ? 0 : getpid(), number)
        // Here it stands.
        pthread_sigmask(SIG_UNBLOCK, &stopping, nil)
        var zero = timespec()
        let isWoken = sigtimedwait(&waking, nil, &zero) == SIGCONT
        signal(number, action)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        return isWoken
    }
}

func signalSet(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
}
