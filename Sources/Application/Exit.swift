import Glibc

/// What the process ends with.
public enum Exit: Equatable, Sendable {
    /// Played, or the user quit.
    case success
    /// Something could not be played.
    case failure
    /// The command line cannot be understood.
    case usage
    /// A signal ended it: 128 and its number, as shells count.
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

/// A sentence for the user: what, which value, what to do.
public struct Complaint: Error {
    public var sentence: String
    public var exit = Exit.failure

    public init(_ sentence: String, exit: Exit = .failure) {
        self.sentence = sentence
        self.exit = exit
    }
}

extension Complaint {
    /// The command line asks for something that cannot be.
    public static func usage(_ sentence: String) -> Complaint { Complaint(sentence, exit: .usage) }

    /// Refuses a terminal that cannot show what is to be shown.
    /// - Parameter otherwise: what can be done there.
    public static func ifTerminalIsDumb(_ otherwise: String) throws(Complaint) {
        guard let name = getenv("TERM"), String(cString: name) == "dumb" else { return }
        throw Complaint(
            "TERM is dumb: a terminal that can neither colour nor move the cursor shows no GIF; "
                + "set TERM to what it is, or \(otherwise)")
    }
}
