import CTerminal
import Catalog
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

/// Keeps the services' API keys out of core dumps. ``Secret`` keeps them out of messages.
enum APIKeys {
    /// Disables core dumps if the environment contains a key. Call it at process start, before reading any input.
    ///
    /// Without a key, core dumps stay enabled so that crashes can be diagnosed.
    static func disableCoreDumpsIfPresent() {
        let hasKey = GIFSources.keyVariables.contains { getenv($0).map { $0.pointee != 0 } ?? false }
        if hasKey { disableCoreDumps() }
    }

    /// Disables core dumps. Call it after a key has been read from the configuration file.
    static func disableCoreDumps() { gifplay_protect_memory() }
}

/// Standard input, standard output and standard error.
enum StandardStreams {
    /// Opens /dev/null on each standard stream that is closed: only for writing on standard input, and only for reading
    /// on the other two. Thus a read of standard input or a write to the other two still fails.
    ///
    /// Without this call, the next file that gifplay opens would get the closed descriptor, and error messages could be
    /// written into a cached GIF. Call this function before any file is opened.
    static func openDevNullOnClosed() {
        for (descriptor, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // open() uses the lowest free descriptor, which is `descriptor`, because all lower ones are already open.
            _ = open("/dev/null", flags)
        }
    }
}
