import Base
import Catalog
import Glibc
import Subprocess
import SystemPackage

/// An installed program with its arguments.
public struct ExternalProgram: Equatable, Sendable {
    /// The name of the program, for example `wl-copy`.
    public var name: String
    /// The absolute path of the program.
    public var path: String
    public var arguments: [String]

    /// Finds the program in PATH. Returns nil if PATH does not contain the program.
    init?(_ name: String, _ arguments: [String] = [], environment: [String: String]) {
        // Ignore relative entries of PATH, because they could run a program in the current folder.
        let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let path = folders.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 && Self.isFile($0) }
        guard let path else { return nil }
        self.name = name
        self.path = path
        self.arguments = arguments
    }

    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Runs the program detached from the terminal and returns when the program has ended. The program runs in its own
    /// session and reads `input` from standard input. Its output is discarded.
    ///
    /// No thread blocks, no zombie process remains, and no shell is used.
    /// - Throws: if the program does not start, or if it ends with a status other than 0.
    func run(input: String, environment: [String: String]) async throws(SharingError) {
        let status: TerminationStatus
        let file = try Self.file(of: input)
        do {
            status = try await Subprocess.run(
                .path(FilePath(path)), arguments: Arguments(arguments), environment: Self.variables(environment),
                workingDirectory: "/", platformOptions: Self.ownSession,
                input: .fileDescriptor(file, closeAfterSpawningProcess: true), output: .discarded
            ).terminationStatus
        } catch {
            throw .notStarted(program: name, reason: "\(error)")
        }
        switch status {
        case .exited(0): return
        case .exited(let code): throw .programFailed(program: name, status: code)
        case .signaled(let signal): throw .programFailed(program: name, status: 128 + signal)
        }
    }

    /// Returns an unnamed file that contains the text. A pipe is not suitable: gifplay would have to write to the pipe
    /// while the program runs, and swift-subprocess 1.0.2 aborts if the program ends without reading the pipe.
    private static func file(of text: String) throws(SharingError) -> FileDescriptor {
        var template = Array("/tmp/gifplay-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw .system(call: "mkstemp", path: "/tmp", errno: errno) }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        do throws(SystemError) {
            try FileSystem.writeAll(Array(text.utf8), to: descriptor)
        } catch {
            close(descriptor)
            throw .system(call: error.call, path: "/tmp", errno: error.code)
        }
        lseek(descriptor, 0, SEEK_SET)
        return FileDescriptor(rawValue: descriptor)
    }

    private static var ownSession: PlatformOptions {
        var options = PlatformOptions()
        options.createSession = true
        return options
    }

    /// Returns the environment without the API keys of the services, because other programs must not get the keys.
    private static func variables(_ environment: [String: String]) -> Environment {
        let environment = environment.filter { !GIFSources.keyVariables.contains($0.key) }
        return .custom(Dictionary(environment.map { (Environment.Key(stringLiteral: $0), $1) }) { $1 })
    }
}
