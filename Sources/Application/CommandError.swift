import Catalog
import Glibc

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
