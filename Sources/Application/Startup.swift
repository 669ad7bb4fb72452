import Glibc

/// What both executables do before anything else.
public enum Startup {
    /// Guards the keys, gives closed streams something, and lets a limit on files fail a write and no more.
    ///
    /// Each of it again after execve, through which the first is not inherited.
    public static func prepare() {
        Keys.guardMemory()
        StandardStreams.fillClosed()
        // A file larger than `ulimit -f` allows is an error of its write, not the end of who plays.
        signal(SIGXFSZ, SIG_IGN)
    }
}
