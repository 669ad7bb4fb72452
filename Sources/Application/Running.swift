import ArgumentParser
import Base

extension ParsableCommand {
    /// Parses the arguments of the process, runs the command and reports its errors.
    public static func runReportingErrors() -> Exit {
        reportingErrors {
            var command = try parseAsRoot()
            try command.run()
        }
    }

    /// Runs `body`. Prints help to standard output and errors to standard error.
    /// - Returns: the exit status for the outcome.
    public static func reportingErrors(of body: () throws -> Void) -> Exit {
        do {
            try body()
            return .success
        } catch let complaint as Complaint {
            if !complaint.sentence.isEmpty { complain(complaint.sentence) }
            return complaint.exit
        } catch {
            return report(error)
        }
    }

    /// Prints the parser's help to standard output, or its error to standard error.
    private static func report(_ error: any Error) -> Exit {
        let arguments = CommandLine.arguments.dropFirst()
        let full = fullMessage(for: error)
        guard exitCode(for: error) != .success else {
            let lines = arguments.reduce(full, Self.harmless).split(separator: "\n", omittingEmptySubsequences: false)
            print(lines.map { SafeText.sentence(String($0)) }.joined(separator: "\n"))
            return .success
        }
        complain(UsageError.sentence(arguments.reduce(message(for: error), Self.harmless), help: full))
        return .usage
    }

    /// Puts an argument with line breaks on one line where the message quotes it. It may be an untrusted file name.
    private static func harmless(_ message: String, _ argument: String) -> String {
        let parts = [argument[...]] + argument.split(separator: "=", maxSplits: 1).dropFirst()
        return parts.filter { $0.contains { $0.isNewline } }.reduce(message) { message, part in
            message.replacing(part, with: SafeText.sentence(String(part)))
        }
    }
}
