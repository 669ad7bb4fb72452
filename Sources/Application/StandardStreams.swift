import Glibc

/// Standard input, standard output and standard error.
enum StandardStreams {
    /// Opens /dev/null on each closed standard stream, in the mode that makes its normal use fail: reads of standard
    /// input, writes to the other two.
    ///
    /// Otherwise the next opened file would get the descriptor, and messages for standard error would be written into
    /// a cached GIF. Call it before any file is opened.
    static func openDevNullOnClosed() {
        for (descriptor, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // open() returns the lowest free descriptor, which is this one: all lower ones are open by now.
            _ = open("/dev/null", flags)
        }
    }
}
