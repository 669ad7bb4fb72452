import CTerminal
import Catalog
import Glibc

/// The process setup that runs first.
public enum Startup {
    public static func prepare() {
        // Before the first allocation, so that a failure of any allocation has a message.
        gifplay_handle_crashes()
        gifplay_use_task_threads()
        APIKeys.disableCoreDumpsIfPresent()
        StandardStreams.openDevNullOnClosed()
        // With SIGXFSZ ignored, a write beyond `ulimit -f` fails with an error and does not end the process.
        signal(SIGXFSZ, SIG_IGN)
    }
}

/// Keeps the services' API keys out of core dumps. ``Secret`` keeps them out of messages.
enum APIKeys {
    /// Call this before reading any input. Without a key, core dumps stay enabled, to diagnose crashes.
    static func disableCoreDumpsIfPresent() {
        let hasKey = GIFSources.keyVariables.contains { getenv($0).map { $0.pointee != 0 } ?? false }
        if hasKey { disableCoreDumps() }
    }

    /// Call this after a key has been read from the configuration file.
    static func disableCoreDumps() { gifplay_protect_memory() }
}

enum StandardStreams {
    /// Opens /dev/null on each closed standard stream, in the wrong direction, so that a read or a write still fails.
    /// Without this call, the next file that gifplay opens would get the closed descriptor, and error messages could be
    /// written into a cached GIF. Call this before any file is opened.
    static func openDevNullOnClosed() {
        for (descriptor, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // open() uses the lowest free descriptor, which is `descriptor`, because all lower ones are already open.
            _ = open("/dev/null", flags)
        }
    }
}
