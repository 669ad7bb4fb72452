import Glibc

/// What the process ends with.
enum Exit: Equatable {
    /// Played, or the user quit.
    case success
    /// Something could not be played.
    case failure
    /// The command line cannot be understood.
    case usage
    /// A signal ended it: 128 and its number, as shells count.
    case signal(Int32)

    var code: Int32 {
        switch self {
        case .success: return 0
        case .failure: return 1
        case .usage: return 2
        case .signal(let number): return 128 + number
        }
    }

    static func with(_ exit: Exit) -> Never {
        Glibc.exit(exit.code)
    }
}

/// A sentence for the user: what, which value, what to do.
struct Complaint: Error {
    var sentence: String
    var exit = Exit.failure

    init(_ sentence: String, exit: Exit = .failure) {
        self.sentence = sentence
        self.exit = exit
    }
}

/// Writes to standard error, quietly giving up when nobody reads.
func complain(_ sentence: String) {
    writeError("gifplay: " + sentence + "\n")
}

func writeError(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
