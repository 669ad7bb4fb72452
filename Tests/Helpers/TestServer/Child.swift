import Glibc
import Synchronization

/// A process that a test starts, with its output in a pipe; it does not outlive this object.
public final class Child {
    private var process: pid_t = 0
    private let output: Int32
    private static let inherited = ["PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "SWIFT_BACKTRACE"]

    /// - Parameters:
    ///   - path: of the executable, looked up in PATH where it has no slash.
    ///   - environment: in addition to PATH, the variables of sanitizers and ``TestHome/environment``.
    ///   - directory: to run in.
    public init(
        _ path: String, _ arguments: [String] = [], environment: [String: String] = [:], directory: String? = nil
    ) throws {
        let ends = Descriptors.pipe()
        output = ends.reading
        defer { close(ends.writing) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends.writing, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let command = directory.map { ["sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
        var words = (command + [path] + arguments).map { strdup($0) } + [nil]
        let inherited = Self.inherited.compactMap { name in getenv(name).map { name + "=" + String(cString: $0) } }
        // Of a name that stands twice the first counts.
        let own = TestHome.environment.merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
        var variables = (own + inherited).map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        let file = command.first ?? path
        var attributes = Self.unblocked
        defer { posix_spawnattr_destroy(&attributes) }
        let result = Descriptors.lock.withLock { _ in
            posix_spawnp(&process, file, &actions, &attributes, &words, &variables)
        }
        guard result == 0 else { throw ServerError.system(call: "posix_spawn", errno: result) }
    }

    /// No signal blocked: threads of a pool block them all, and a tmux started so would never hear kill-server.
    private static var unblocked: posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        return attributes
    }

    deinit {
        kill()
        close(output)
    }

    /// The next line of the output, "" at its end.
    public func readLine() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1, byte != 10 { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// The rest of the output.
    public func readAll() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
    }

    /// Ends it with SIGKILL and waits until it is gone.
    public func kill() {
        guard process > 0 else { return }
        Glibc.kill(process, SIGKILL)
        wait()
    }

    /// Waits until it has ended.
    /// - Returns: the exit code, or 128 and the signal's number.
    @discardableResult
    public func wait() -> Int32 {
        guard process > 0 else { return 0 }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        process = 0
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// The path of another product of this package, beside the running test.
    public static func product(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let path = String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return folder + name
    }
}

/// Descriptors that no child inherits, though some can be marked so only after they are made.
enum Descriptors {
    /// Held while a descriptor is unmarked, and while a process is started.
    static let lock = Mutex<Void>(())

    static func pipe() -> (reading: Int32, writing: Int32) {
        lock.withLock { _ in
            var ends: [Int32] = [-1, -1]
            Glibc.pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
    }

    /// Waits for a connection.
    static func accept(_ listener: Int32) -> Int32 {
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, -1) < 0 && errno == EINTR {}
        return lock.withLock { _ in
            let connection = Glibc.accept(listener, nil, nil)
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            return connection
        }
    }
}
