import Glibc

/// Stops this process as a job of the shell.
enum JobControl {
    /// Stops this process by the default effect of a signal, and returns when the process continues.
    ///
    /// SIGSTOP is not used, for two reasons. If no shell could continue the process (`xterm -e gifplay`), the kernel
    /// ignores the stop signals of terminals, but SIGSTOP would still stop the process. The shell also reports the
    /// signal as the reason why a job has stopped.
    /// - Parameters:
    ///   - number: SIGTSTP, SIGTTIN or SIGTTOU.
    ///   - wholeJob: whether to stop the whole process group, including the other programs of a pipe, as Ctrl-Z usually
    ///     does.
    /// - Returns: whether the process was stopped.
    static func stop(by number: Int32, wholeJob: Bool) -> Bool {
        var waking = signalSet([SIGCONT])
        var stopping = signalSet([number])
        var before = sigset_t()
        // A blocked SIGCONT stays pending, so its arrival can be checked afterwards.
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
