import ArgumentParser
import Base
import CTerminal
import Catalog
import Glibc

extension ParsableCommand {
    /// Parses the arguments of the process, runs the command and reports its errors.
    /// - Parameter check: called before the arguments are parsed.
    public static func runReportingErrors(check: () throws -> Void = {}) -> ExitStatus {
        reportingErrors {
            try check()
            var command = try parseAsRoot(FileSystem.arguments)
            try command.run()
        }
    }

    /// Runs `body`. Prints help to standard output and errors to standard error.
    /// - Returns: the exit status for the outcome.
    public static func reportingErrors(of body: () throws -> Void) -> ExitStatus {
        do {
            try body()
            return .success
        } catch let error as CommandError {
            if !error.message.isEmpty { printError(error.message) }
            return error.status
        } catch {
            return report(error)
        }
    }

    /// Prints the parser's help to standard output, or its error to standard error.
    private static func report(_ error: any Error) -> ExitStatus {
        let arguments = FileSystem.arguments
        let full = fullMessage(for: error)
        guard exitCode(for: error) != .success else {
            let lines = arguments.reduce(full, Self.joinLines).split(separator: "\n", omittingEmptySubsequences: false)
            print(lines.map { SafeText.sentence(String($0)) }.joined(separator: "\n"))
            return .success
        }
        let text = arguments.reduce(message(for: error), Self.joinLines)
        printError(UsageMessage.text(text, help: full, arguments))
        return .usage
    }

    /// Replaces the line breaks of `argument` wherever `message` quotes it. The argument can be an untrusted file name.
    private static func joinLines(_ message: String, _ argument: String) -> String {
        let parts = [argument[...]] + argument.split(separator: "=", maxSplits: 1).dropFirst()
        return parts.filter { $0.contains { $0.isNewline } }.reduce(message) { message, part in
            message.replacing(part, with: SafeText.sentence(String(part)))
        }
    }
}

/// Converts the argument parser's messages to gifplay's error format: SUBJECT: PROBLEM; HINT.
enum UsageMessage {
    /// - Parameters:
    ///   - message: the parser's error message, in one line.
    ///   - help: the parser's full message. Its line `See 'gifplay play --help' …` names the command for the hint.
    static func text(_ message: String, help: String, _ arguments: [String] = []) -> String {
        let command = parts(help, "See '", " --help'")?.first.map(String.init) ?? "gifplay"
        let hint = "; '\(command) --help' lists the options"
        if let refused = parts(message, "The value '", "' is invalid for '", "'") {
            let option = refused[1].prefix { $0 != " " }
            let explanation = refused[2].drop { ":. ".contains($0) }
            let problem = explanation.isEmpty ? "invalid value" + hint : choices(String(explanation))
            return "\(option) \(refused[0]): " + problem
        }
        if let unknown = parts(message, "Unknown option '", "'") {
            let name = String(unknown[0])
            let near = parts(String(unknown[1]), "Did you mean '", "'")?.first.map(String.init)
            let suggestion = command.hasSuffix("play") || command.hasSuffix("record") ? size(name, arguments) : nil
            let option = suggestion ?? similar(name, to: [near, "--version", "--help"].compactMap(\.self))
            return "\(name): unknown option" + (option.map { "; did you mean \($0)?" } ?? hint)
        }
        if let missing = parts(message, "Missing value for '", "'") {
            return "\(missing[0].prefix { $0 != " " }): needs a value" + hint
        }
        if let missing = parts(message, "Missing expected argument '", "'") { return "\(missing[0]): missing" + hint }
        if let unexpected = parts(message, "Unexpected argument '", "'") {
            return "\(unexpected[0]): unexpected argument; '\(command) --help' describes the command"
        }
        // Messages from validate() are already complete.
        return message
    }

    /// Returns `--size` with the value of `--width` or `--height`, which other players have.
    private static func size(_ name: String, _ arguments: [String]) -> String? {
        let value = arguments.drop { $0 != name }.dropFirst().first.flatMap { Int(outside: $0) }.map(String.init)
        switch name {
        case "--width": return "--size \(value ?? "COLS")xROWS"
        case "--height": return "--size COLSx\(value ?? "ROWS")"
        default: return nil
        }
    }

    /// Returns the option whose name is similar. The parser's suggestion is the nearest option, however far it is.
    private static func similar(_ name: String, to options: [String]) -> String? {
        EditDistance.nearest(to: String(name.drop { $0 == "-" }), in: options.map { String($0.drop { $0 == "-" }) })
            .map { "--" + $0 }
    }

    /// Converts `Please provide one of 'a', 'b' and 'c'.` to `expected a, b or c`.
    private static func choices(_ explanation: String) -> String {
        guard let list = parts(explanation, "Please provide one of ", ".")?.first else { return explanation }
        return "expected " + list.replacing("'", with: "").replacing(" and ", with: " or ")
    }

    /// Splits the text at the marks, in this order, without the part before the first. Nil if a mark is missing.
    private static func parts(_ text: String, _ first: String, _ marks: String...) -> [Substring]? {
        guard let start = text.firstRange(of: first) else { return nil }
        var rest = text[start.upperBound...]
        var parts: [Substring] = []
        for mark in marks {
            guard let range = rest.firstRange(of: mark) else { return nil }
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}

/// An error message for the user: the subject, the problem and a hint. `main.swift` exits with `status`.
public struct CommandError: Error {
    public var message: String
    public var status = ExitStatus.failure
    /// Why no file of a GIF could be loaded; nil for other errors. The gallery has its own messages for this reason.
    public var mediaFailure: MediaError?

    public init(_ message: String, status: ExitStatus = .failure, mediaFailure: MediaError? = nil) {
        self.message = message
        self.status = status
        self.mediaFailure = mediaFailure
    }
}

extension CommandError {
    public static func usage(_ message: String) -> CommandError { CommandError(message, status: .usage) }

    /// The ways to draw if `NO_COLOR` is set.
    public static let colorHint = "use --colors none, --color always, or color = \"always\" in the configuration"

    /// Throws if `TERM` is `dumb`, because such a terminal cannot display a GIF.
    /// - Parameter otherwise: the alternative that the error message suggests.
    public static func throwIfTerminalIsDumb(_ otherwise: String) throws(CommandError) {
        guard let name = getenv("TERM"), String(cString: name) == "dumb" else { return }
        throw CommandError(
            "TERM is dumb: such a terminal has no colours and cannot move the cursor; "
                + "set TERM to the type of your terminal, or \(otherwise)")
    }
}

public enum ExitStatus: Equatable, Sendable {
    /// Playback ended, or the user quit.
    case success
    /// At least one item could not be played, or the command failed for another reason.
    case failure
    case usage
    /// A signal ended the process. The exit code is 128 plus the signal number, as in shells.
    case signal(Int32)

    public var code: Int32 {
        switch self {
        case .success: return 0
        case .failure: return 1
        case .usage: return 2
        case .signal(let number): return 128 + number
        }
    }

    /// Prints an error, and exits with `failure` instead of `success`, if standard output was not written completely.
    public static func exit(with status: ExitStatus) -> Never {
        let error = gifplay_flush_output()
        // EPIPE is not an error, because the reader of a pipe can stop reading at any time.
        guard error != 0, error != EPIPE else { Glibc.exit(status.code) }
        printError("standard output: not written completely: \(SystemError.message(error))")
        Glibc.exit(status == .success ? ExitStatus.failure.code : status.code)
    }
}
