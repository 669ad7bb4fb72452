import Glibc

/// The process setup that runs first.
public enum Startup {
    /// Disables core dumps if API keys are set, opens /dev/null on closed standard streams, and ignores SIGXFSZ.
    public static func prepare() {
        APIKeys.disableCoreDumpsIfPresent()
        StandardStreams.openDevNullOnClosed()
        // With SIGXFSZ ignored, a write beyond `ulimit -f` fails with an error and does not end the process.
        signal(SIGXFSZ, SIG_IGN)
    }
}
