import Base
import Catalog
import Glibc
import Subprocess
import SystemPackage

/// A program of the user's system with its arguments.
public struct Program: Equatable, Sendable {
    /// As it is called: `wl-copy`.
    public var name: String
    /// Where it lies, absolute.
    public var path: String
    public var arguments: [String]

    /// Looks it up in PATH; nil if it is not there.
    init?(_ name: String, _ arguments: [String] = [], environment: [String: String]) {
        // An entry that is relative would run what lies in the present folder.
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

    /// Runs it apart from the terminal: a session of its own, no output, `input` to read; until its end.
    ///
    /// No thread waits, and none of it is left as a zombie. Never through a shell.
    func run(input: String, environment: [String: String]) async throws(SharingError) {
        let status: TerminationStatus
        let file = try Self.file(of: input)
        do {
            status = try await Subprocess.run(
                .path(FilePath(path)), arguments: Arguments(arguments), environment: Self.variables(environment),
                workingDirectory: "/", platformOptions: Self.apart,
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

    /// The text as a file without a name: a pipe would have to be written while the program runs, and one
    /// that ends without reading brings swift-subprocess 1.0.2 to an abort.
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

    private static var apart: PlatformOptions {
        var options = PlatformOptions()
        options.createSession = true
        return options
    }

    /// Without the services' keys, which are nobody else's.
    private static func variables(_ environment: [String: String]) -> Environment {
        let environment = environment.filter { !GIFSources.keyVariables.contains($0.key) }
        return .custom(Dictionary(environment.map { (Environment.Key(stringLiteral: $0), $1) }) { $1 })
    }
}
