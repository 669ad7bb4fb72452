import Base
import CTerminal
import Glibc

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
