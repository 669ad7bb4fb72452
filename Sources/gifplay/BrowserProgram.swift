import Application
import Base
import Glibc

/// Runs `gifplay-browser`, the executable of the commands `browse` and `library`.
///
/// These commands need a database library that costs 2 ms and 5 MB at every start, so they are a separate program. That
/// program replaces this process by exec and keeps the process ID and the terminal.
enum BrowserProgram {
    static let commands: Set<String> = ["browse", "library"]
    private static let name = "gifplay-browser"

    /// Returns the arguments to start `gifplay-browser` with, or nil if this executable handles the command itself.
    static func arguments(for arguments: [String]) -> [String]? {
        guard let first = arguments.first else { return nil }
        if commands.contains(first) { return arguments }
        guard first == "help", arguments.count == 2, commands.contains(arguments[1]) else { return nil }
        return [arguments[1], "--help"]
    }

    /// Replaces this process by exec; returns only by throwing.
    static func run(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) throws(CommandError) {
        guard let folder else { throw CommandError("/proc/self/exe cannot be read; is /proc mounted?") }
        for path in paths(in: folder) {
            var argv = ([path] + arguments).map { strdup($0) } + [nil]
            defer { for pointer in argv { free(pointer) } }
            execv(path, &argv)
            // Try the next location only if the file does not exist; report any other error.
            guard errno == ENOENT || errno == ENOTDIR else {
                throw CommandError("\(path) cannot be started: \(SystemError.message())")
            }
        }
        throw CommandError(
            "\(arguments.first ?? "") needs the program \(name), which is neither in \(folder) nor in "
                + "\(folder)/../libexec/gifplay; scripts/install installs it")
    }

    /// Starts `gifplay-browser` in a new session, without the terminal.
    /// - Parameter ended: called when the program ends, on the thread that waits for it. The arguments are whether the
    ///   exit status was 0, and the program's error message.
    /// - Returns: false if the program is not installed or cannot be started.
    static func start(_ arguments: [String], ended: @escaping @Sendable (Bool, String) -> Void) -> Bool {
        guard let folder else { return false }
        return paths(in: folder).contains { path in
            guard access(path, X_OK) == 0, let child = spawn([path] + arguments) else { return false }
            let isWaiting = DetachedThread.start {
                let errors = (try? FileSystem.read(child.errors, limit: 4_000)) ?? []
                close(child.errors)
                var status: Int32 = 0
                while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
                ended(status == 0, message(String(decoding: errors, as: UTF8.self)))
            }
            if !isWaiting { close(child.errors) }
            return true
        }
    }

    /// Returns a line of standard error without the prefix `gifplay: `, or a default message if the line is empty.
    private static func message(_ line: String) -> String {
        let prefix = "gifplay: "
        let text = line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
        return text.isEmpty ? "\(name) failed" : SafeText.line(text)
    }

    /// - Returns: the child process and the read end of a pipe that receives its standard error; nil on failure.
    private static func spawn(_ arguments: [String]) -> (process: pid_t, errors: Int32)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
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
        // Reset the signal mask: the player blocks signals to read them from a descriptor, and a child inherits the
        // mask.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let newSession: Int32 = 0x80
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | newSession
        posix_spawnattr_setflags(&attributes, Int16(flags))
        for stream in 0...1 { posix_spawn_file_actions_addopen(&actions, Int32(stream), "/dev/null", O_RDWR, 0) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        var argv = arguments.map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, arguments[0], &actions, &attributes, &argv, environ)
        guard result == 0 else {
            close(ends[0])
            return nil
        }
        return (process, ends[0])
    }

    private static func paths(in folder: String) -> [String] {
        ["\(folder)/\(name)", "\(folder)/../libexec/gifplay/\(name)"]
    }

    private static var folder: String? {
        executable.map { $0.split(separator: "/").dropLast().map { "/" + $0 }.joined() }
    }

    /// The path of this process's executable, with symbolic links resolved.
    private static var executable: String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
