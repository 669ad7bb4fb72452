import Application
import Base
import Glibc

/// The executable of `browse` and `library`. They need a database, whose library costs every start 2 ms and
/// 5 MB; so they are a program of their own, which takes this one's place: same process, same terminal.
enum Browser {
    static let commands: Set<String> = ["browse", "library"]
    private static let name = "gifplay-browser"

    /// What it is to be started with, where these arguments are for it.
    static func arguments(for arguments: [String]) -> [String]? {
        guard let first = arguments.first else { return nil }
        if commands.contains(first) { return arguments }
        guard first == "help", arguments.count == 2, commands.contains(arguments[1]) else { return nil }
        return [arguments[1], "--help"]
    }

    /// Becomes it; returns where that fails alone.
    static func run(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) throws(Complaint) {
        guard let folder else { throw Complaint("/proc/self/exe cannot be read; is /proc mounted?") }
        for place in places(folder) {
            var argv = ([place] + arguments).map { strdup($0) } + [nil]
            defer { for pointer in argv { free(pointer) } }
            execv(place, &argv)
            // Elsewhere it may still be; anything but absence is worth telling.
            guard errno == ENOENT || errno == ENOTDIR else {
                throw Complaint("\(place) cannot be started: \(SystemError.message())")
            }
        }
        throw Complaint(
            "\(arguments.first ?? "") is in another program, \(name), which is neither in \(folder) nor in "
                + "\(folder)/../libexec/gifplay; scripts/install puts both in their place")
    }

    /// Starts it in a session of its own, without the terminal.
    /// - Parameter ended: receives, on a thread that waits for it, whether it succeeded, and its error message.
    /// - Returns: false if it is not installed.
    static func start(_ arguments: [String], ended: @escaping @Sendable (Bool, String) -> Void) -> Bool {
        guard let folder else { return false }
        return places(folder).contains { place in
            guard access(place, X_OK) == 0, let child = spawn([place] + arguments) else { return false }
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

    /// The message of a line of standard error.
    private static func message(_ line: String) -> String {
        let prefix = "gifplay: "
        let text = line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
        return text.isEmpty ? "\(name) failed" : SafeText.line(text)
    }

    /// - Returns: the process and the end of a pipe that its standard error goes to.
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
        // The player routes its signals through a descriptor: blocked, they would stay blocked in the child.
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

    private static func places(_ folder: String) -> [String] {
        ["\(folder)/\(name)", "\(folder)/../libexec/gifplay/\(name)"]
    }

    private static var folder: String? {
        executable.map { $0.split(separator: "/").dropLast().map { "/" + $0 }.joined() }
    }

    /// The file that this process runs, links followed.
    private static var executable: String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
