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
    /// - Parameter name: the name in PATH, or an absolute path.
    init?(_ name: String, _ arguments: [String] = [], environment: [String: String]) {
        // Ignore relative entries of PATH, because they could run a program in the current folder.
        let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let paths = name.hasPrefix("/") ? [name] : folders.map { "\($0)/\(name)" }
        let path = paths.first { access($0, X_OK) == 0 && FileIdentity(path: $0)?.isRegular == true }
        guard let path else { return nil }
        (self.name, self.path, self.arguments) = (name, path, arguments)
    }

    /// Runs the program in its own session, without terminal or shell. It reads `input`; its output is discarded. The
    /// cancellation of the task has no effect.
    /// - Parameter limit: the time in milliseconds after which the program and its children are killed; nil for none.
    /// - Returns: why it failed; nil if its exit status is 0.
    func run(input: String, environment: [String: String], within limit: Int? = nil) async -> Failure? {
        // API keys of the services are none of the program's business.
        let environment = environment.filter { !GIFSources.keyVariables.contains($0.key) }
        let process: SpawnedProcess
        do throws(Failure) {
            let file = try Self.file(of: input)
            defer { close(file) }
            process = try SpawnedProcess(
                [path] + arguments, environment: environment.map { "\($0)=\($1)" }, input: file, folder: "/")
        } catch {
            return .notStarted(program: name, error)
        }
        let (outcomes, outcome) = AsyncStream<Failure?>.makeStream()
        let isWaiting = DetachedThread.start { [name] in
            let status = process.wait()
            outcome.yield(status == 0 ? nil : .programFailed(program: name, status: status))
        }
        // Without a thread, the program stays a zombie, and its outcome is unknown.
        if !isWaiting { outcome.yield(nil) }
        if let limit {
            Task.detached { [name] in
                try? await SystemWaitClock().wait(milliseconds: limit)
                outcome.yield(.noAnswer(program: name))
            }
        }
        // Not in this task, because the iteration ends when its task is cancelled.
        let first = await Task.detached { await outcomes.first { _ in true } ?? nil }.value
        if first?.kind == .timedOut { kill(-process.id, SIGKILL) }
        return first
    }

    /// Returns an unnamed file that contains the text. With a pipe, gifplay would have to write while the program runs.
    private static func file(of text: String) throws(Failure) -> Int32 {
        let descriptor = gifplay_memory_file("gifplay")
        guard descriptor >= 0 else { throw Failure.system("memfd_create") }
        do throws(Failure) { try FileSystem.writeAll(text.pathBytes, to: descriptor) } catch {
            close(descriptor)
            throw error
        }
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }
}

public struct LinkOpener: Sendable {
    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// Opens a link with the commands of BROWSER, of which the first one that succeeds ends this, or else with xdg-open.
    /// Returns when the program has ended. If the browser runs in the foreground, this can take as long as the browser
    /// runs. The cancellation of the task does not end it.
    /// - Parameter isFolder: whether `link` is the absolute path of a folder, which xdg-open opens.
    public func open(_ link: String, isFolder: Bool = false) async throws(Failure) {
        var failure: Failure?
        for program in try programs(for: link, isFolder) {
            failure = await program.run(input: "", environment: environment)
            if failure == nil { return }
        }
        if let failure { throw failure }
    }

    /// - Throws: if the link is not a web address, if there is no display, or if the programs are missing. Without a
    ///   display, xdg-open would start a text browser in the player's terminal.
    private func programs(for link: String, _ isFolder: Bool) throws(Failure) -> [ExternalProgram] {
        // The text must begin with a scheme or a slash, so that xdg-open cannot interpret it as an option.
        let starts = isFolder ? ["/"] : ["http", "HTTP"]
        guard let url = isFolder ? link : WebAddress.checked(link), starts.contains(where: { url.hasPrefix($0) }) else {
            throw .notWebAddress
        }
        let entries = isFolder ? [] : (environment["BROWSER"] ?? "").split(separator: ":")
        let commands = entries.map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
        guard commands.isEmpty else {
            let programs = commands.compactMap { command in
                let words = command.contains { $0.contains("%s") } ? command : command + ["%s"]
                let arguments = words.dropFirst().map { $0.replacing("%s", with: url) }
                return ExternalProgram(command[0], arguments, environment: environment)
            }
            guard programs.isEmpty else { return programs }
            throw .noProgram(tried: commands.map { $0[0] }, link: url)
        }
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            throw .noDisplay(link: isFolder ? nil : url)
        }
        guard let program = ExternalProgram("xdg-open", [url], environment: environment) else {
            throw .noProgram(tried: ["xdg-open"], link: isFolder ? nil : url)
        }
        return [program]
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
    /// After this time in milliseconds, a program counts as hung.
    private let timeout: Int

    public init(environment: [String: String], timeout: Int = 1_000) {
        (self.environment, self.timeout) = (environment, timeout)
    }

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
        return [tmux, displayProgram()].compactMap(\.self)
    }

    /// - Parameter type: the media type that the program offers; nil for text, the only type of `xsel`.
    private func displayProgram(offering type: String? = nil) -> ExternalProgram? {
        let typed = type.map { ["--type", $0] } ?? []
        if isSet("WAYLAND_DISPLAY"), let program = ExternalProgram("wl-copy", typed, environment: environment) {
            return program
        }
        guard isSet("DISPLAY") else { return nil }
        let arguments = ["-selection", "clipboard", "-in"] + (type.map { ["-target", $0] } ?? [])
        if let program = ExternalProgram("xclip", arguments, environment: environment) { return program }
        return type == nil ? ExternalProgram("xsel", ["--clipboard", "--input"], environment: environment) : nil
    }

    /// Runs all of ``programs`` with the text, for at most the time after which a program counts as hung. Starts none if
    /// the text is too long.
    /// - Returns: the names of the programs that succeeded, and of those that failed or hung.
    public func copy(_ text: String) async -> (succeeded: [String], failed: [String]) {
        guard text.utf8.count <= Self.longest else { return ([], []) }
        let ends = programs.map { program in
            let end = Task { [environment, timeout] in
                await program.run(input: text, environment: environment, within: timeout) == nil
            }
            return (program.name, end)
        }
        var names = (succeeded: [String](), failed: [String]())
        for (name, end) in ends {
            if await end.value { names.succeeded.append(name) } else { names.failed.append(name) }
        }
        return names
    }

    /// Why a file was not copied, if it was not.
    public enum FileOutcome: Equatable, Sendable {
        case copied
        /// The terminal is on another machine, whose clipboard cannot have a file of this one.
        case isRemote
        /// Neither `wl-copy` nor `xclip` is installed, there is no display, or the program failed.
        case failed
    }

    /// Copies files for file managers and chats, as `text/uri-list`. These programs offer one type each time.
    public func copyFiles(_ paths: [String]) async -> FileOutcome {
        guard !Environment.isRemote(isSet) else { return .isRemote }
        let urls = paths.compactMap(Self.fileURL)
        guard !urls.isEmpty, let program = displayProgram(offering: "text/uri-list"),
            await program.run(
                input: urls.map { $0 + "\r\n" }.joined(), environment: environment, within: timeout) == nil
        else { return .failed }
        return .copied
    }

    /// The `file:` URL of an absolute path; nil for a relative one.
    public static func fileURL(_ path: String) -> String? {
        guard path.hasPrefix("/") else { return nil }
        // A combining mark after a "/" would make them one `Character`.
        let parts = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        return "file://" + parts.map { WebAddress.component(String($0)) }.joined(separator: "/")
    }

    private func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
}

/// Why a GIF was not saved, or why a text or a link was not passed to a program.
extension Failure {
    public static let noDownloadDirectory = Failure(
        .other, "neither HOME nor XDG_DOWNLOAD_DIR is set", de: "weder HOME noch XDG_DOWNLOAD_DIR ist gesetzt")

    /// A system call failed; no part of a file remains.
    public static func notSaved(_ failure: Failure, in folder: String) -> Failure {
        Failure(failure.kind, "\(failure.message) (\(SafeText.path(folder)))")
    }

    /// All numbered variants of this name already exist.
    public static func noFreeName(_ name: String) -> Failure {
        Failure(
            .other, "\(name): this name and all numbered names are in use",
            de: "\(name): dieser Name und alle nummerierten Namen sind vergeben")
    }

    /// The link is not a web address, so it is not passed to any program.
    public static let notWebAddress = Failure(.other, "not an http or https URL", de: "keine HTTP- oder HTTPS-Adresse")

    /// There is no display, for example over SSH.
    /// - Parameter link: nil for a folder; else the user must open the link.
    public static func noDisplay(link: String?) -> Failure {
        link.map { noProgram("no display for a browser", "kein Bildschirm für einen Browser", link: $0) }
            ?? noProgram("no display for a file manager", "kein Bildschirm für eine Dateiverwaltung", link: nil)
    }

    /// None of these programs is in PATH.
    public static func noProgram(tried: [String], link: String?) -> Failure {
        let names = tried.joined(separator: ", ")
        return noProgram("\(names): not installed", "\(names): nicht installiert", link: link)
    }

    private static func noProgram(_ english: String, _ german: String, link: String?) -> Failure {
        let (hint, germanHint) = link.map { ("; the link is \($0)", "; der Link ist \($0)") } ?? ("", "")
        return Failure(.notOffered, english + hint, de: german + germanHint)
    }

    public static func notStarted(program: String, _ error: Failure) -> Failure {
        let reason = error.message
        return Failure(
            error.kind, "\(program) cannot be started: \(reason)",
            de: "\(program) kann nicht gestartet werden: \(reason)")
    }

    /// - Parameter status: the exit status, or 128 plus the number of the signal that ended the program.
    public static func programFailed(program: String, status: Int32) -> Failure {
        Failure(
            .other,
            "\(program) failed with status \(status); set BROWSER to your browser, or press 'y' to copy the link",
            de: "\(program) endete mit Status \(status); BROWSER setzen oder den Link mit y kopieren")
    }

    /// The program did not end in time and was killed.
    public static func noAnswer(program: String) -> Failure {
        Failure(.timedOut, "\(program) does not answer", de: "\(program) antwortet nicht")
    }
}
