import Glibc
import Synchronization

/// A child process whose standard output is a pipe. The process is killed when this object is released.
public final class ChildProcess {
    private var process: pid_t = 0
    private let output: Int32
    private static let inherited = ["PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "SWIFT_BACKTRACE"]

    /// - Parameters:
    ///   - path: the path of the executable; a name without a slash is looked up in PATH.
    ///   - environment: additional variables, which override variables with the same name. The child process
    ///     always gets PATH, the sanitizers' variables and ``TestHome/environment``.
    ///   - directory: the working directory.
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
        // If a variable occurs twice, the child process uses the first value. Therefore `own` precedes `inherited`.
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

    /// Attributes with an empty signal mask. Without them, the child process inherits the mask of the calling thread. A
    /// thread of a thread pool blocks all signals, and a tmux server with this mask never reacts to `tmux kill-server`.
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

    /// Returns the next line of the output, or "" at the end of the output.
    public func readLine() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1, byte != 10 { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Reads and returns the rest of the output.
    public func readAll() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
    }

    /// Sends SIGKILL and waits until the process has ended.
    public func kill() {
        guard process > 0 else { return }
        Glibc.kill(process, SIGKILL)
        wait()
    }

    /// Waits until the process has ended.
    /// - Returns: the exit code, or 128 plus the signal number.
    @discardableResult
    public func wait() -> Int32 {
        guard process > 0 else { return 0 }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        process = 0
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Returns the path of another product of this package. All products are in the directory of the test executable.
    public static func product(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let path = String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return folder + name
    }
}

/// Creates descriptors that no child process inherits. A descriptor is created first and marked close-on-exec later.
/// ``lock`` ensures that no process starts between these two steps.
enum Descriptors {
    /// Held from the creation of a descriptor until it is marked close-on-exec, and while a process is started.
    static let lock = Mutex<Void>(())

    static func pipe() -> (reading: Int32, writing: Int32) {
        lock.withLock { _ in
            var ends: [Int32] = [-1, -1]
            Glibc.pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
    }

    /// Waits for a connection and accepts it.
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
