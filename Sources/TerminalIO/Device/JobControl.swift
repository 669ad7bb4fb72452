import Glibc

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
}

func signalSet(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
}
