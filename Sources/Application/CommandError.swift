import Base
import CTerminal
import Catalog
import Glibc

/// Runs `body`. Prints its error to standard error.
/// - Returns: the exit status for the outcome.
public func reportingErrors(of body: () throws -> Void) -> ExitStatus {
    do {
        try body()
        return .success
    } catch let error as CommandError {
        if !error.message.isEmpty { printError(error.message, error.lines) }
        return error.status
    } catch {
        printError("\(error)")
        return .failure
    }
}

/// An error message for the user: the subject, the problem and a hint. `main.swift` exits with `status`.
public struct CommandError: Error {
    public var message: String
    /// Printed below the message.
    public var lines: [String] = []
    public var status = ExitStatus.failure

    public init(_ message: String, status: ExitStatus = .failure) {
        self.message = message
        self.status = status
    }
}

extension CommandError {
    public static func usage(_ message: String) -> CommandError { CommandError(message, status: .usage) }

    /// The ways to draw if `NO_COLOR` is set.
    public static let colorHint = "use --colors none or --color always, here or in the configuration"

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
