import Glibc

/// Why something cannot be done. It is thrown where it happens, gets its subject where that is known, and has the words
/// for all that display it. Callers decide by ``kind``, and never by the words.
public struct Failure: Error, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case cancelled
        /// Name resolution, the connection or TLS failed.
        case unreachable
        case timedOut
        /// A transfer failed in another way, for example because the connection broke.
        case transfer
        /// A server answered with this HTTP status.
        case status(Int)
        /// A service answered with an error of its own, or with something else than a listing.
        case badAnswer
        case noKey
        /// - Parameter variable: the environment variable of the key.
        case keyRefused(variable: String)
        /// The source failed recently, or its quota is used up.
        case coolingDown
        /// The time budget of the whole call was spent before the request was sent.
        case outOfTime
        case nothingFound
        /// The source has no such list or page, the library no address of the GIF, or this machine no program for it.
        case notOffered
        /// Every source failed or had no results. The failures are in the order in which the sources were queried.
        case exhausted([Failure])
        case notAnimated
        /// Another process held a lock until the call timed out.
        case locked
        /// The user named a source or an option that does not exist.
        case unknownName
        /// The command line, a variable or the configuration has another mistake.
        case usage
        /// This signal has ended the command, before it was done.
        case signal(Int32)
        case system(call: String, code: Int32)
        /// - Parameter code: SQLite's extended result code.
        case database(code: Int32)
        case other
    }

    public var kind: Kind
    /// The file, source or GIF that failed; nil if the words name it, or if the caller knows it.
    public var subject: String?
    /// The seconds after which another try can succeed, as a server or a cool-down says.
    public var waitSeconds: Int?
    /// What the user can do.
    public var hint: String?
    /// Printed below the message.
    public var lines: [String] = []
    package var words: ErrorText

    /// - Parameters: those of ``ErrorText``.
    public init(
        _ kind: Kind, _ full: String, short: String? = nil, de german: String? = nil, line: String? = nil,
        waitSeconds: Int? = nil
    ) {
        (self.kind, self.waitSeconds) = (kind, waitSeconds)
        words = ErrorText(full, short: short, de: german, line: line)
    }

    public init(_ text: String, hint: String? = nil) {
        self.init(.other, text)
        self.hint = hint
    }

    public static func usage(_ text: String) -> Failure { Failure(.usage, text) }

    /// What was wrong has been reported, so there is no message.
    public static let reported = Failure("")

    public static let cancelled = Failure(.cancelled, "cancelled", de: "abgebrochen")

    /// The subject of a source's failure.
    public var source: String { subject ?? "" }

    /// Returns the failure of this subject, unless a better one is known already.
    public func of(_ subject: String) -> Failure {
        var failure = self
        failure.subject = self.subject ?? subject
        return failure
    }

    /// The failure without waiting times, which are not right for long.
    public var withoutWait: Failure {
        var failure = self
        failure.waitSeconds = nil
        if case .exhausted(let failures) = kind { failure.kind = .exhausted(failures.map(\.withoutWait)) }
        return failure
    }

    /// The failure with words before its own, such as "cannot be written".
    public func prefixed(by problem: String) -> Failure {
        var failure = self
        failure.words.full = "\(problem): \(words.full)"
        return failure
    }

    /// The failure with its consequence at the end of the message, such as "nothing is recorded".
    public func adding(_ consequence: String) -> Failure {
        var failure = self
        failure.hint = [hint, consequence].compactMap(\.self).joined(separator: "; ")
        return failure
    }

    /// Runs `body`, whose failure gets this subject.
    /// - Parameter problem: as for ``prefixed(by:)``.
    public static func about<Value>(
        _ subject: String, _ problem: String? = nil, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        do throws(Failure) { return try body() } catch {
            throw (problem.map(error.prefixed) ?? error).of(subject)
        }
    }

    /// The subject, the problem and a hint.
    public var message: String { (subject.map { $0 + ": " } ?? "") + text.full }

    /// The words with the waiting time and the hint.
    public var text: ErrorText {
        var text = words
        let wait = waitSeconds.map { kind == .coolingDown ? " for another \($0) s" : "; retry after \($0) s" }
        let isList = if case .exhausted = kind { true } else { false }
        let advice = hint.map { "; " + $0 } ?? ""
        let end = (isList ? "" : wait ?? "") + advice
        // A failure without short words is displayed like its message.
        if text.short == text.full { text.short += advice }
        if text.german == text.full { text.german += advice }
        (text.full, text.line) = (text.full + end, text.line + end)
        guard !isList, let waitSeconds, waitSeconds > 0 else { return text }
        // Rounded up, so that a try is not too early then.
        let (number, unit, german) =
            switch waitSeconds {
            case ..<90: (waitSeconds, "s", "Sek.")
            case ..<5400: ((waitSeconds - 1) / 60 + 1, "min", "Min.")
            default: ((waitSeconds - 1) / 3600 + 1, "h", "Std.")
            }
        text.short += "; retry in \(number) \(unit)"
        text.german += "; erneut in \(number) \(german)"
        return text
    }
}

extension Failure: CustomStringConvertible {
    public var description: String { message }
}

/// The words for a failure.
public struct ErrorText: Hashable, Sendable {
    /// Host or file, reason and hint, for standard error and its English.
    public var full: String
    /// For the gallery's status line, and for lists of several failures.
    public var short: String
    /// ``short`` in German.
    public var german: String
    /// For the player's status line, which can be narrow: the reason first, without the words of the network library.
    public var line: String

    public init(_ full: String, short: String? = nil, de german: String? = nil, line: String? = nil) {
        self.full = full
        self.short = short ?? full
        self.german = german ?? self.short
        self.line = line ?? full
    }
}

extension Language {
    /// Returns the words for a failure on the player's status line.
    public func line(_ failure: Failure) -> String {
        (failure.subject.map { $0 + ": " } ?? "") + self(en: failure.text.line, de: failure.text.german)
    }

    /// Returns the short words for a failure in this language.
    public func callAsFunction(_ failure: Failure) -> String { self(en: failure.text.short, de: failure.text.german) }
}

// MARK: - Failures of the system

extension Failure {
    /// A system call has failed.
    /// - Parameter namesCall: whether the words name it, for a call that the user cannot guess.
    public static func system(_ call: String, _ code: Int32 = errno, namesCall: Bool = false) -> Failure {
        let reason = systemMessage(code)
        return Failure(.system(call: call, code: code), namesCall ? "\(reason) (\(call))" : reason)
    }

    /// A symbolic link leads to a file that does not exist.
    public static let brokenLink = Failure(.system(call: "readlink", code: ENOENT), "the link leads nowhere")

    /// The code of a failed system call; nil for any other failure.
    public var systemCode: Int32? { if case .system(_, let code) = kind { code } else { nil } }

    /// For example "No such file or directory".
    public static func systemMessage(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}

/// The languages of the texts on the screen of the player and of the gallery. Each text stands where it is used, in all
/// languages. Help, manual pages and standard error are English.
///
/// To add a language, add a case and a parameter to ``callAsFunction(en:de:)``. The compiler reports missing texts.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// Takes the language from the first non-empty variable among `LC_ALL`, `LC_MESSAGES` and `LANG`, as POSIX
    /// specifies. If this variable names no supported language, uses English.
    public init(environment: [String: String]) {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let code = name.prefix { $0 != "_" && $0 != "." && $0 != "@" && $0 != "-" }
        self = Language(rawValue: code.lowercased()) ?? .english
    }

    /// Returns the text in this language.
    public func callAsFunction<Text>(en: @autoclosure () -> Text, de: @autoclosure () -> Text) -> Text {
        switch self {
        case .english: en()
        case .german: de()
        }
    }
}

extension Int {
    /// The ending of a noun after this number: nothing after 1, else `plural`.
    public func ending(_ plural: String) -> String { self == 1 ? "" : plural }
}
