import CTerminal
import Glibc

/// A child process in a new session, without access to the terminal.
public struct SpawnedProcess: Sendable {
    public let id: pid_t
    /// The read end of a pipe for the child's standard output; -1 if it is not read. The caller must close it.
    public let pipe: Int32

    /// Starts a program. Its standard streams are connected to /dev/null, except the two that parameters name.
    /// - Parameters:
    ///   - arguments: the program's path or its name in PATH, and its arguments.
    ///   - environment: lines such as `PATH=/bin`; nil for those of this process.
    ///   - input: the descriptor to use as standard input. The caller closes it.
    ///   - folder: the working directory; nil for that of this process.
    ///   - readsOutput: whether ``pipe`` receives the child's standard output.
    public init(
        _ arguments: [String], environment: [String]? = nil, input: Int32? = nil, folder: String? = nil,
        readsOutput: Bool = false
    ) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        if readsOutput {
            guard gifplay_pipe(&ends) == 0 else { throw Failure.system("pipe2") }
        }
        defer { if readsOutput { close(ends[1]) } }
        var attributes = Self.attributes
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        for stream in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        if readsOutput { posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) }
        _ = gifplay_spawn_closefrom(&actions)
        if let folder { _ = gifplay_spawn_chdir(&actions, folder) }
        var argv = arguments.map { strdup($0.systemPath) } + [nil]
        var variables = (environment ?? []).map { strdup($0) } + [nil]
        defer { for pointer in argv + variables { free(pointer) } }
        var process: pid_t = 0
        let code =
            environment == nil
            ? posix_spawnp(&process, arguments.first ?? "", &actions, &attributes, &argv, environ)
            : posix_spawnp(&process, arguments.first ?? "", &actions, &attributes, &argv, &variables)
        guard code == 0 else {
            if readsOutput { close(ends[0]) }
            throw Failure.system("posix_spawnp", code)
        }
        id = process
        pipe = ends[0]
    }

    /// Resets the signals, because a child inherits them. The player blocks signals to read them from a descriptor.
    private static var attributes: posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let newSession: Int32 = 0x80
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | newSession
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }

    /// - Returns: the exit status, or 128 plus the number of the signal that ended the process, as in shells.
    @discardableResult
    public func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 {
            guard errno == EINTR else { return -1 }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}

public enum Environment {
    /// The variables of this process. `ProcessInfo` would take 0.8 ms and 3.3 MB for them.
    public static var variables: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            defer { entry += 1 }
            guard let sign = strchr(text, Int32(UInt8(ascii: "="))) else { continue }
            let name = UnsafeRawBufferPointer(start: text, count: sign - text)
            variables[String(decoding: name, as: UTF8.self)] = String(cString: sign + 1)
        }
        return variables
    }

    /// Whether the terminal is at the other end of an ssh connection.
    /// - Parameter isSet: whether there is a variable of this name.
    public static func isRemote(_ isSet: (String) -> Bool) -> Bool {
        ["SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"].contains(where: isSet)
    }
}
