import Glibc

/// A child process in a new session, without access to the terminal.
public struct SpawnedProcess: Sendable {
    public let id: pid_t
    /// The read end of a pipe for one of the child's output streams. The caller must close it.
    public let pipe: Int32

    /// Starts a program. Its standard streams are connected to /dev/null, except `stream`.
    /// - Parameters:
    ///   - arguments: the program's path or its name in PATH, and its arguments.
    ///   - stream: the stream to read, `STDOUT_FILENO` or `STDERR_FILENO`.
    /// - Returns: nil if the program does not exist or cannot be started.
    public init?(_ arguments: [String], reading stream: Int32) {
        var ends: [Int32] = [0, 0]
        guard let program = arguments.first, Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        // Reset the signal mask, because a child inherits it. The player blocks signals to read them from a descriptor.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let newSession: Int32 = 0x80
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | newSession
        posix_spawnattr_setflags(&attributes, Int16(flags))
        for stream in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, ends[1], stream)
        var argv = arguments.map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, program, &actions, &attributes, &argv, environ) == 0 else {
            close(ends[0])
            return nil
        }
        id = process
        pipe = ends[0]
    }

    /// Waits until the process ends.
    /// - Returns: whether its exit status was 0.
    @discardableResult
    public func wait() -> Bool {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 {
            guard errno == EINTR else { return false }
        }
        return status == 0
    }
}
