import Glibc

/// The exit status of the process.
public enum Exit: Equatable, Sendable {
    /// Playback ended, or the user quit.
    case success
    /// At least one item could not be played.
    case failure
    /// The command line is invalid.
    case usage
    /// A signal ended the process: 128 plus the signal number, as in shells.
    case signal(Int32)

    public var code: Int32 {
        switch self {
        case .success: return 0
        case .failure: return 1
        case .usage: return 2
        case .signal(let number): return 128 + number
        }
    }

    public static func with(_ exit: Exit) -> Never {
        Glibc.exit(exit.code)
    }
}

/// An error message for the user: the subject, the problem and a hint. `main.swift` exits with `exit`.
public struct Complaint: Error {
    public var sentence: String
    public var exit = Exit.failure

    public init(_ sentence: String, exit: Exit = .failure) {
        self.sentence = sentence
        self.exit = exit
    }
}

extension Complaint {
    /// An error in the command line; the exit status is 2.
    public static func usage(_ sentence: String) -> Complaint { Complaint(sentence, exit: .usage) }

    /// Throws if `TERM` is `dumb`, because such a terminal cannot display a GIF.
    /// - Parameter otherwise: the alternative that the error message suggests.
    public static func ifTerminalIsDumb(_ otherwise: String) throws(Complaint) {
        guard let name = getenv("TERM"), String(cString: name) == "dumb" else { return }
        throw Complaint(
            "TERM is dumb: a terminal that can neither colour nor move the cursor shows no GIF; "
                + "set TERM to what it is, or \(otherwise)")
    }
}
