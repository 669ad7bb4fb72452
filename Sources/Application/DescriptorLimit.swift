import Glibc

/// The limit on the number of open files of this process.
public enum DescriptorLimit {
    /// The number of files that services, tasks and a database need at the same time.
    private static let required = 24

    /// Throws if too few files can be opened. Call this before a task is created, because libdispatch ends the process
    /// with SIGILL if it cannot open its own descriptors.
    /// - Parameter subject: the subject of the error message.
    public static func check(for subject: String) throws(CommandError) {
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        while copies.count < required {
            let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else {
                throw CommandError(
                    "\(subject): only \(copies.count) more files can be opened, and \(required) are needed; raise the "
                        + "limit, for example with 'ulimit -n 256'")
            }
            copies.append(copy)
        }
    }
}
