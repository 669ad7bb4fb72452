import Application
import Base
import Glibc

/// Runs `gifplay-browser`, the executable of the commands `browse`, `library` and `doctor`.
///
/// These commands need a database library that costs 2 ms and 5 MB at every start, so they are a separate program. That
/// program replaces this process by exec and keeps the process ID and the terminal.
enum BrowserProgram {
    static let commands: Set<String> = ["browse", "library", "doctor"]
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
            guard access(path, X_OK) == 0,
                let child = SpawnedProcess([path] + arguments, reading: STDERR_FILENO)
            else { return false }
            let isWaiting = DetachedThread.start {
                let errors = (try? FileSystem.read(child.pipe, limit: 4_000)) ?? []
                close(child.pipe)
                ended(child.wait(), message(String(decoding: errors, as: UTF8.self)))
            }
            if !isWaiting { close(child.pipe) }
            return true
        }
    }

    /// Returns a line of standard error without the prefix `gifplay: `, or a default message if the line is empty.
    static func message(_ line: String) -> String {
        let prefix = "gifplay: "
        let text = line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
        return text.isEmpty ? "\(name) failed" : SafeText.line(text)
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
