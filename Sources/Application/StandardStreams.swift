import Glibc

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
