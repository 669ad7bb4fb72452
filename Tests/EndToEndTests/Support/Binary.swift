import CSpawn
import Foundation
import TestServer
import Testing

/// The gifplay executable that `swift build` puts next to the tests.
enum Binary {
    /// The path of the executable; GIFPLAY_BINARY overrides it.
    static let path: String = {
        if let path = ProcessInfo.processInfo.environment["GIFPLAY_BINARY"] { return path }
        // The test runner is in the directory of the build products or in one of its subdirectories.
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        for _ in 0..<6 {
            let candidate = folder.appendingPathComponent("gifplay").path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue {
                return candidate
            }
            folder = folder.deletingLastPathComponent()
        }
        return package.appendingPathComponent(".build/debug/gifplay").path
    }()

    /// Whether scripts/sanitize/run started these tests.
    static let isSanitized = ProcessInfo.processInfo.environment["GIFPLAY_SANITIZED"] != nil

    /// The root directory of the package.
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func sample(_ name: String) -> String {
        package.appendingPathComponent("Samples/\(name).gif").path
    }

    static func bytes(_ sample: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: Self.sample(sample))))
    }

    /// Returns the command with which a shell starts gifplay.
    /// - Parameter arguments: quoted for the shell.
    static func shellCommand(_ arguments: String, _ environment: [String: String]) -> String {
        let assignments = environment.sorted { $0.key < $1.key }.map { "\($0.key)='\($0.value)'" }
        return "env \(assignments.joined(separator: " ")) '\(path)' \(arguments)"
    }
}

/// The result of a finished program. `status` is the exit status, or the negated number of the signal that killed the
/// program.
struct ProgramResult {
    var status: Int32
    var output: [UInt8]
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
}

/// Runs gifplay without a terminal.
/// - Parameter input: the contents of the file used as standard input; nil for /dev/null.
func runGifplay(
    _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:], folder: URL? = nil
) throws -> ProgramResult {
    try run(Binary.path, arguments, input: input, environment: environment, folder: folder)
}

/// Runs gifplay, and expects an exit status and a part of the messages.
func expectError(
    _ arguments: [String], _ message: String, status: Int32 = 1, environment: [String: String] = [:],
    folder: URL? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let outcome = try runGifplay(arguments, environment: environment, folder: folder)
    #expect(
        outcome.status == status && outcome.errors.contains(message), "\(arguments): \(outcome)",
        sourceLocation: sourceLocation)
}

func run(
    _ path: String, _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:],
    folder: URL? = nil
) throws -> ProgramResult {
    // Without arguments, gifplay plays its standard input if this is a file or a pipe. Use another standard input than
    // that of the test runner, so that gifplay does not play that one.
    let streams = [input.map(memoryFile) ?? open("/dev/null", O_RDONLY | O_CLOEXEC), memoryFile(), memoryFile()]
    defer { for stream in streams { close(stream) } }
    let process = try spawn(path, arguments, environment, folder?.path, streams)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return ProgramResult(
        status: status & 0x7F != 0 ? -(status & 0x7F) : status >> 8 & 0xFF,
        output: contents(of: streams[1]), errors: String(decoding: contents(of: streams[2]), as: UTF8.self))
}

/// Creates a file in memory and returns its descriptor.
private func memoryFile(_ bytes: [UInt8] = []) -> Int32 {
    let descriptor = create_memory_file()
    FileHandle(fileDescriptor: descriptor).write(Data(bytes))
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
}

private func contents(of descriptor: Int32) -> [UInt8] {
    lseek(descriptor, 0, SEEK_SET)
    return Array(FileHandle(fileDescriptor: descriptor).readDataToEndOfFile())
}

/// Starts a program with three descriptors as its standard streams.
func spawn(
    _ path: String, _ arguments: [String], _ environment: [String: String], _ folder: String?, _ streams: [Int32]
) throws -> Int32 {
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    var envp = cleanEnvironment(environment).map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    let process = spawn_with_files(path, &argv, &envp, folder, streams[0], streams[1], streams[2])
    guard process > 0 else { throw ServerError.system(call: path, errno: errno) }
    return process
}

/// Returns the environment for a process that a test starts. This is the runner's environment with a separate home
/// directory, and without API keys, proxies and the variables that change how programs draw.
/// - Parameters:
///   - additions: variables that override all others.
///   - outer: the runner's environment.
func cleanEnvironment(
    _ additions: [String: String], outer: [String: String] = ProcessInfo.processInfo.environment
) -> [String: String] {
    var environment = outer
    for name in [
        "NO_COLOR", "TMUX", "TMUX_PANE", "COLUMNS", "LINES", "TERM", "GIPHY_API_KEY", "KLIPY_API_KEY", "BROWSER",
    ] {
        environment[name] = nil
    }
    for name in environment.keys where name.lowercased().hasSuffix("_proxy") { environment[name] = nil }
    let usual = [
        "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "GIFPLAY_OFFLINE": "1",
        // These directories cannot exist. A test that needs a cache, a configuration or a library passes its own
        // directory.
        "XDG_CACHE_HOME": "/dev/null/cache", "XDG_CONFIG_HOME": "/dev/null/config",
        "XDG_DATA_HOME": "/dev/null/data",
    ]
    return environment.merging(TestHome.environment) { $1 }.merging(usual) { $1 }.merging(additions) { $1 }
}
