import Base
import CTerminal
import Catalog
import Gallery
import Glibc
import Pixels

/// Converts errors to messages for the user. No message contains an address with a key.
public enum ErrorMessages {
    public static func nothingFound(_ query: String, failures: [Failure] = []) -> Failure {
        let near = SampleSearch().similarTerms(to: query)
        let suggestion = near.isEmpty ? nil : "did you mean \(near.joined(separator: ", "))?"
        let names = Sample.all.shuffled().prefix(3).map(\.name).joined(separator: ", ")
        let builtIn = suggestion ?? "built-in GIFs: \(names), and more in 'gifplay samples'"
        if let noNetwork = noNetwork(failures) { return noNetwork.adding(builtIn) }
        let reasons = failures.map { "\($0.source): \($0.text.short)" }.joined(separator: ", ")
        let cause = reasons.isEmpty ? "" : " (\(reasons))"
        return Failure(.nothingFound, "nothing found for '\(SafeText.shortened(query, to: 200))'\(cause)").adding(
            builtIn)
    }

    /// Nil unless every service could not be reached. Each service has one failure.
    static func noNetwork(_ failures: [Failure]) -> Failure? {
        guard !failures.isEmpty, failures.allSatisfy({ $0.kind == .unreachable }) else { return nil }
        if CurlHTTPClient.isMissing {
            return Failure(.unreachable, "libcurl cannot be loaded; \(CurlHTTPClient.advice)")
        }
        let isSingle = failures.count == 1
        let problem = isSingle ? "the service could not be" : "none of \(failures.count) services could be"
        return Failure(.unreachable, "no network: \(problem) reached")
    }

    /// Why no service has results, for a status line; nil if none has failed.
    static func statusReason(_ failures: [Failure]) -> String? {
        let failed = failures.filter(\.isNoteworthy)
        if failed.count > 1 || CurlHTTPClient.isMissing, noNetwork(failed) != nil {
            return Language.english.sentence(.noConnection)
        }
        return failed.first.map { "\($0.source): \($0.text.short)" }
    }

    /// Why a list has only built-in GIFs.
    public static func onlyBuiltIn(_ items: [GIFReference], _ failures: [Failure]) -> String {
        let names = items.prefix(3).map(\.id).joined(separator: ", ") + (items.count > 3 ? ", …" : "")
        return (noNetwork(failures)?.message ?? failures.map(\.message).joined(separator: "; "))
            + "; built-in GIFs: \(names)"
    }

    /// Why `--pick` has no result.
    static func tooFew(_ count: Int, for number: Int) -> Failure {
        Failure("there \(count == 1 ? "is" : "are") only \(count) result\(count.ending("s"))").of("--pick \(number)")
    }

    /// Why a search has no results.
    /// - Parameter source: the name of the source, if it is the only one.
    public static func describe(_ error: Failure, query: String, source: String) -> Failure {
        switch error.kind {
        case .exhausted(let failures):
            nothingFound(
                query, failures: failures.filter { $0.kind != .nothingFound && $0.source != SampleRepository.name })
        case .nothingFound: nothingFound(query)
        default: error.of(source)
        }
    }

    /// The damage of a file that was played, and what a limit excluded; nil if there is neither.
    /// - Parameter frames: the number of frames that were read.
    public static func remark(on damage: [Damage], frames: Int) -> String? {
        let limit = damage.first(where: \.isLimit).map { "frames after \(frames) are left out: \($0.kind.text)" }
        let parts = [damaged(damage, frames: frames).map { "damaged: \($0)" }, limit].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Nil if there is no damage, or if only limits were exceeded.
    /// - Parameter frames: the number of frames that were read.
    static func damaged(_ damage: [Damage], frames: Int) -> String? {
        let defects = damage.filter(\.isVisible)
        guard let last = defects.last, let first = defects.first else { return nil }
        let isCut = [.fileCut, .unknownBlock].contains(last.kind)
        // Count an incomplete last frame and an early end of the file as one defect.
        let hasCutFrame = defects.contains { $0.frame == frames - 1 && $0.kind.isIncompleteFrame }
        let others = defects.count - (isCut ? (hasCutFrame ? 2 : 1) : 1)
        let clause: String
        switch last.kind {
        case .fileCut: clause = "the file ends \(hasCutFrame ? "in" : "after") frame \(frames)"
        case .unknownBlock: clause = "unknown data after frame \(frames), the rest is not read"
        default:
            clause = "frame \(first.frame + 1) \(first.kind.isIncompleteFrame ? "is incomplete" : "cannot be decoded")"
        }
        return clause + (others > 0 ? ", and \(others) more" : "")
    }

    public static func describe(_ notice: Notices.Notice) -> String {
        switch notice {
        case .keyRefused(let variable): return "the key in \(variable) was refused; other sources are used"
        case .contactRequired: return "Wikimedia limits requests without a contact; set --contact in the configuration"
        case .noConnection: return CurlHTTPClient.isMissing ? CurlHTTPClient.advice : "no connection"
        }
    }

    public static func describe(_ damage: Damage) -> String { "frame \(damage.frame): \(damage.kind.text)" }
}

extension Damage.Kind {
    fileprivate var isIncompleteFrame: Bool { if case .imageCut = self { true } else { false } }
}

extension Failure {
    /// For a message at exit, if a GIF was played but could not be cached.
    var playedUncached: Failure { adding("the GIF was played, but not cached") }

    /// Whether it explains why another source is used.
    var isNoteworthy: Bool {
        switch kind {
        case .nothingFound, .notOffered, .noKey, .cancelled: false
        default: true
        }
    }
}

/// Runs `body`. Prints its error to standard error.
/// - Returns: the exit status for the outcome.
public func reportingErrors(of body: () throws(Failure) -> Void) -> ExitStatus {
    do throws(Failure) {
        try body()
        return .success
    } catch {
        // The reader of a pipe can stop reading at any time.
        guard error.systemCode != EPIPE else { return .success }
        if !error.message.isEmpty { printError(error.message, error.lines) }
        return error.status
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
