import ArgumentParser
import Base

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
