import Glibc

/// The process setup that both executables run first.
public enum Startup {
    /// Disables core dumps if API keys are set, opens /dev/null on closed standard streams, and ignores SIGXFSZ.
    ///
    /// A program started by execve must call this function again, because execve enables core dumps again.
    public static func prepare() {
        APIKeys.disableCoreDumpsIfPresent()
        StandardStreams.openDevNullOnClosed()
        // With SIGXFSZ ignored, a write beyond `ulimit -f` fails with an error and does not end the process.
        signal(SIGXFSZ, SIG_IGN)
    }
}
