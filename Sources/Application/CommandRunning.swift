import ArgumentParser
import Base
import Catalog

extension ParsableCommand {
    /// Parses the arguments of the process, runs the command and reports its errors.
    /// - Parameter check: called before the arguments are parsed.
    public static func runReportingErrors(check: () throws -> Void = {}) -> ExitStatus {
        reportingErrors {
            try check()
            var command = try parseAsRoot()
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
        let arguments = CommandLine.arguments.dropFirst()
        let full = fullMessage(for: error)
        guard exitCode(for: error) != .success else {
            let lines = arguments.reduce(full, Self.joinLines).split(separator: "\n", omittingEmptySubsequences: false)
            print(lines.map { SafeText.sentence(String($0)) }.joined(separator: "\n"))
            return .success
        }
        let text = arguments.reduce(message(for: error), Self.joinLines)
        printError(UsageMessage.text(text, help: full, Array(arguments)))
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
