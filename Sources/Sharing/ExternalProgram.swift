import Base
import CTerminal
import Catalog
import Glibc
import Pixels

/// An installed program with its arguments.
public struct ExternalProgram: Equatable, Sendable {
    /// For example `wl-copy`.
    public var name: String
    /// The absolute path of the program.
    public var path: String
    public var arguments: [String]

    /// Nil if PATH does not contain the program.
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

    /// Starts the program in its own session, without terminal or shell. It reads `input`; its output is discarded.
    func start(input: String, environment: [String: String]) throws(SharingError) -> RunningProgram {
        // API keys of the services are none of the program's business.
        let environment = environment.filter { !GIFSources.keyVariables.contains($0.key) }
        do throws(SystemError) {
            let file = try Self.file(of: input)
            defer { close(file) }
            let process = try SpawnedProcess(
                [path] + arguments, environment: environment.map { "\($0)=\($1)" }, input: file, folder: "/")
            return RunningProgram(name: name, process: process)
        } catch {
            throw .notStarted(program: name, reason: error.message)
        }
    }

    /// Returns an unnamed file that contains the text. With a pipe, gifplay would have to write while the program runs.
    private static func file(of text: String) throws(SystemError) -> Int32 {
        let descriptor = gifplay_memory_file("gifplay")
        guard descriptor >= 0 else { throw SystemError(call: "memfd_create") }
        do throws(SystemError) { try FileSystem.writeAll(text.pathBytes, to: descriptor) } catch {
            close(descriptor)
            throw error
        }
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }
}

/// A program that was started and must be waited for, so that no zombie process remains.
public struct RunningProgram: Sendable {
    let name: String
    let process: SpawnedProcess

    /// Blocks until the program has ended.
    /// - Throws: if its exit status is not 0.
    public func wait() throws(SharingError) {
        let status = process.wait()
        guard status == 0 else { throw .programFailed(program: name, status: status) }
    }

    /// Calls `ended` on another thread when the program has ended. Without a thread, the program stays a zombie, and its
    /// outcome is unknown.
    public func whenEnded(_ ended: @escaping @Sendable (SharingError?) -> Void) {
        let isWaiting = DetachedThread.start {
            do throws(SharingError) {
                try wait()
                ended(nil)
            } catch {
                ended(error)
            }
        }
        if !isWaiting { ended(nil) }
    }

    /// Returns when the program has ended. The cancellation of the task has no effect.
    func ended() async -> SharingError? {
        await withCheckedContinuation { continuation in whenEnded { continuation.resume(returning: $0) } }
    }
}

/// The reason why a GIF was not saved, or why a text or a link was not passed to a program.
public enum SharingError: Error, Hashable, Sendable {
    case noDownloadDirectory
    /// A system call failed; no part of a file remains.
    case system(call: String, path: String, errno: Int32)
    /// All numbered variants of this name already exist.
    case noFreeName(String)
    /// The link is not a web address, so it is not passed to any program.
    case notWebAddress
    /// There is no display for a browser, for example over SSH. The user must open the link.
    case noDisplay(link: String)
    /// None of these programs is in PATH.
    case noProgram(tried: [String], link: String?)
    case notStarted(program: String, reason: String)
    /// The program failed. `status` is its exit status, or 128 plus the number of the signal that ended it.
    case programFailed(program: String, status: Int32)
}

public struct LinkOpener: Sendable {
    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// Opens a link with xdg-open and returns when xdg-open has ended. If xdg-open starts the browser in the
    /// foreground, this can take as long as the browser runs. The cancellation of the task ends neither.
    /// - Parameter isFolder: whether `link` is the absolute path of a folder.
    public func open(_ link: String, isFolder: Bool = false) async throws(SharingError) {
        if let failure = try await start(link, isFolder: isFolder).ended() { throw failure }
    }

    /// - Throws: if the link is not a web address, if there is no display, or if xdg-open is missing. Without a
    ///   display, xdg-open would start a text browser in the player's terminal.
    public func start(_ link: String, isFolder: Bool = false) throws(SharingError) -> RunningProgram {
        // The text must begin with a scheme or a slash, so that xdg-open cannot interpret it as an option.
        let starts = isFolder ? ["/"] : ["http", "HTTP"]
        guard let url = isFolder ? link : WebAddress.checked(link), starts.contains(where: { url.hasPrefix($0) }) else {
            throw .notWebAddress
        }
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            throw .noDisplay(link: url)
        }
        guard let program = ExternalProgram("xdg-open", [url], environment: environment) else {
            throw .noProgram(tried: ["xdg-open"], link: url)
        }
        return try program.start(input: "", environment: environment)
    }
}

/// Copies a text through the terminal, which may be on another machine, and through installed programs, because a
/// terminal does not report whether it accepted the text.
public struct Clipboard: Sendable {
    /// The maximum length of a text in bytes. Its sequence has 100,000 bytes, which terminals are known to accept.
    public static let longest = 74_994
    /// Inside GNU Screen, the sequence is divided into pieces of at most this number of bytes.
    private static let screenPiece = 240

    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// Returns the control sequence (OSC 52) that sets the clipboard of the terminal; nil if the text is too long.
    ///
    /// Inside GNU Screen, the sequence is wrapped in control strings, so that Screen passes it to the terminal. Inside
    /// tmux, the sequence is not wrapped, because tmux by default does not pass wrapped sequences to the terminal. If
    /// its option `set-clipboard` is `on`, tmux accepts the unwrapped sequence. Otherwise, tmux ignores the sequence,
    /// so gifplay also runs the command `tmux load-buffer -w`.
    public func sequence(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= Self.longest else { return nil }
        let plain = Array("\u{1B}]52;c;".utf8) + Base64.encode(text.pathBytes) + [0x07]
        guard isSet("STY"), !isSet("TMUX") else { return plain }
        return stride(from: 0, to: plain.count, by: Self.screenPiece).flatMap { start in
            let piece = plain[start..<min(start + Self.screenPiece, plain.count)]
            return Array("\u{1B}P".utf8) + piece + Array("\u{1B}\\".utf8)
        }
    }

    /// The installed programs that copy a text from their standard input to a clipboard. The list contains tmux if
    /// gifplay runs in tmux, and one program for the display if there is a display.
    public var programs: [ExternalProgram] {
        // With `-w`, tmux also sets the clipboard of the terminal in which tmux runs. This is necessary if the tmux
        // option `set-clipboard` is `external`, because tmux then ignores the bytes of ``sequence(_:)``.
        let tmux = isSet("TMUX") ? ExternalProgram("tmux", ["load-buffer", "-w", "-"], environment: environment) : nil
        return [tmux, displayProgram].compactMap(\.self)
    }

    private var displayProgram: ExternalProgram? {
        if isSet("WAYLAND_DISPLAY"), let program = ExternalProgram("wl-copy", environment: environment) {
            return program
        }
        guard isSet("DISPLAY") else { return nil }
        return ExternalProgram("xclip", ["-selection", "clipboard", "-in"], environment: environment)
            ?? ExternalProgram("xsel", ["--clipboard", "--input"], environment: environment)
    }

    /// Starts none of ``programs`` if the text is too long.
    public func start(_ text: String) -> [RunningProgram] {
        guard text.utf8.count <= Self.longest else { return [] }
        return programs.compactMap { try? $0.start(input: text, environment: environment) }
    }

    /// Runs each of ``programs`` with the text.
    /// - Returns: the names of the programs that succeeded.
    public func copy(_ text: String) async -> [String] {
        var succeeded: [String] = []
        for program in start(text) where await program.ended() == nil { succeeded.append(program.name) }
        return succeeded
    }

    private func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
}
