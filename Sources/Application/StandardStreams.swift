import Glibc

/// The three streams that every process is given, as a rule.
enum StandardStreams {
    /// Gives those that are closed something that cannot be read or written, as they could not.
    ///
    /// Else the next file that is opened takes the number: what is written to standard error would go into a
    /// cached GIF. Call it before anything is opened.
    static func fillClosed() {
        for (descriptor, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one: those below it are open by now.
            _ = open("/dev/null", flags)
        }
    }
}
