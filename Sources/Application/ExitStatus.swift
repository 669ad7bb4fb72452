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
    } catch {
        let failure = error as? Failure ?? Failure("\(error)")
        // The reader of a pipe can stop reading at any time.
        guard failure.systemCode != EPIPE else { return .success }
        if !failure.message.isEmpty { printError(failure.message, failure.lines) }
        return failure.status
    }
}

extension Failure {
    /// The exit status of a command that it ends.
    public var status: ExitStatus {
        switch kind {
        case .usage, .unknownName: .usage
        case .signal(let number): .signal(number)
        default: .failure
        }
    }

    static func ended(by signal: Int32, _ text: String = "") -> Failure { Failure(.signal(signal), text) }

    static func unknownOption(_ text: String) -> Failure { Failure(.unknownName, text) }

    /// The ways to draw if `NO_COLOR` is set.
    public static let colorHint = "use --colors none or --color always, here or in the configuration"

    /// Throws if `TERM` is `dumb`, because such a terminal cannot display a GIF.
    /// - Parameter otherwise: the alternative that the error message suggests.
    public static func throwIfTerminalIsDumb(_ otherwise: String) throws(Failure) {
        guard let name = getenv("TERM"), String(cString: name) == "dumb" else { return }
        throw Failure(
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
        printError("standard output: not written completely: \(Failure.systemMessage(error))")
        Glibc.exit(status == .success ? ExitStatus.failure.code : status.code)
    }
}
