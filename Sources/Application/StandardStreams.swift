import Glibc

/// Standard input, standard output and standard error.
enum StandardStreams {
    /// Opens /dev/null on each closed standard stream. Reads of standard input and writes to the other two still fail,
    /// because each stream is opened in the opposite mode.
    ///
    /// Without this call, the next file that gifplay opens would get the closed descriptor, and error messages could be
    /// written into a cached GIF. Call this function before any file is opened.
    static func openDevNullOnClosed() {
        for (descriptor, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // open() returns the lowest free descriptor. That is this one, because all lower ones are open by now.
            _ = open("/dev/null", flags)
        }
    }
}
