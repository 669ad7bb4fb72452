import Base
import Glibc
import Pixels

// The failures of queries, transfers and the media cache. Their words never contain a URL or a key.

// MARK: - Requests

extension Failure {
    /// Why there is no connection, as the transport's code says.
    package enum ConnectionProblem: Sendable { case noNetwork, noAnswer, certificate, other }

    /// - Parameter reason: the transport's message.
    package static func unreachable(
        host: String, reason: String, _ problem: ConnectionProblem = .other
    ) -> Failure {
        let advice = problem == .certificate ? "; --cacert FILE names certificates to trust" : ""
        let line: String? =
            switch problem {
            case .noNetwork: "no network"
            case .noAnswer: "no answer from \(host)"
            case .certificate, .other: nil
            }
        return Failure(
            .unreachable, "\(host) cannot be reached: \(reason)\(advice)",
            short: problem == .noNetwork ? "no network" : "server cannot be reached",
            de: problem == .noNetwork ? "kein Netz" : "Server nicht erreichbar", line: line)
    }

    /// A cause on this machine, which says nothing about the network.
    package static func refusedHere(host: String, reason: String) -> Failure {
        Failure(
            .other, "\(host) cannot be reached: \(reason)", short: "server cannot be reached",
            de: "Server nicht erreichbar")
    }

    /// The server has answered.
    package static func brokenResponse(host: String, reason: String) -> Failure {
        Failure(
            .transfer, "\(host) sent a broken response: \(reason)", short: "invalid response", de: "ungültige Antwort")
    }

    package static func timedOut(host: String, milliseconds: Int) -> Failure {
        timedOut("\(host) timed out after \(Double(milliseconds / 100) / 10) s")
    }

    /// A download delivered less than 1 kB in this time.
    package static func tooSlow(host: String, milliseconds: Int) -> Failure {
        timedOut("\(host) sent less than 1 kB in \(milliseconds / 1000) s")
    }

    private static func timedOut(_ full: String) -> Failure {
        Failure(.timedOut, full, short: "server timed out", de: "Server antwortet nicht")
    }

    package static func tooLarge(host: String, limit: Int, hint: String? = nil) -> Failure {
        var failure = Failure(
            .transfer, "\(host) sent more than \(ByteSize.limit(limit))",
            short: "response over the \(limit >> 20) MiB limit", de: "Antwort über der Grenze von \(limit >> 20) MiB")
        failure.hint = hint
        return failure
    }

    /// The header is too long, there were too many redirects, or a redirect leads to a scheme other than http and https,
    /// from https to http, or into the local network. For a form, no redirect is allowed.
    package static func responseRefused(host: String, reason: String) -> Failure {
        Failure(
            .transfer, "\(host) sent \(reason), which is refused", short: "response refused", de: "Antwort abgelehnt")
    }

    package static let invalidURL = Failure(
        .other, "not a valid http or https URL", short: "invalid URL", de: "ungültige Adresse")

    /// The transport's message could contain a URL with a key.
    package func redacted(_ redactor: Redactor) -> Failure {
        func clean(_ text: String) -> String { SafeText.shortened(redactor(SafeText.line(text)), to: 300) }
        var failure = self
        failure.words = ErrorText(
            clean(words.full), short: clean(words.short), de: clean(words.german), line: clean(words.line))
        return failure
    }
}

extension ErrorText {
    /// The words for a response with an error status.
    package init(status: Int) {
        let meanings = [
            400: "bad request", 401: "not authorized", 403: "forbidden", 404: "not found", 410: "gone",
            414: "the URL is too long", 429: "too many requests", 500: "server error", 502: "bad gateway",
            503: "service unavailable", 504: "gateway timeout",
        ]
        let (short, german) =
            switch status {
            case 429: ("too many requests", "zu viele Anfragen")
            case 401, 403: ("access denied (\(status))", "Zugriff verweigert (\(status))")
            case 500...: ("server error (\(status))", "Serverfehler (\(status))")
            default: ("HTTP \(status)", "HTTP-Status \(status)")
            }
        self.init(meanings[status].map { "\(status), \($0)" } ?? "\(status)", short: short, de: german)
    }
}

// MARK: - Listings

extension Failure {
    /// - Parameter message: the service's sanitized error message.
    package static func refused(status: Int, message: String?, retryAfterSeconds: Int?) -> Failure {
        let words = ErrorText(status: status)
        return Failure(
            .status(status), "HTTP \(words.full)\(quoted(message))", short: words.short, de: words.german,
            waitSeconds: retryAfterSeconds)
    }

    /// The response body cannot be decoded as a listing.
    package static func notJSON(status: Int, received: ReceivedBody) -> Failure {
        Failure(
            .badAnswer, "sent \(received.rawValue) instead of results (HTTP \(status))", short: "invalid response",
            de: "ungültige Antwort")
    }

    /// The response had a success status, but its body reports an error.
    package static func api(code: String, message: String, retryAfterSeconds: Int?) -> Failure {
        let full = "reported the error \(code)\(quoted(message))"
        return Failure(
            .badAnswer, full, short: "error: \(message)", de: "Fehler: \(message)", waitSeconds: retryAfterSeconds)
    }

    /// The service reports an outage in its own format.
    package static let outage = Failure(.badAnswer, "reported an outage", short: "unavailable", de: "nicht verfügbar")

    package static func noKey(variable: String) -> Failure {
        Failure(
            .noKey, "needs an API key; set \(variable) or --key in the configuration",
            short: "needs a key: \(variable)", de: "Schlüssel erforderlich: \(variable)")
    }

    package static func keyRefused(variable: String, message: String?) -> Failure {
        let short = "the key in \(variable) was refused"
        return Failure(
            .keyRefused(variable: variable), short + quoted(message), short: short,
            de: "Schlüssel in \(variable) abgelehnt")
    }

    package static func coolingDown(seconds: Int) -> Failure {
        Failure(
            .coolingDown, "failed recently; not queried", short: "paused after an error", de: "Pause nach Fehler",
            waitSeconds: seconds)
    }

    /// The source was queried, but returned no playable GIF.
    package static let nothingFound = Failure(
        .nothingFound, "no result", short: "no playable GIFs", de: "keine abspielbaren GIFs")

    package static let notOffered = Failure(
        .notOffered, "does not offer this list of GIFs", short: "feed not available", de: "Liste nicht verfügbar")

    /// The page token belongs to `source`, which is not the queried source.
    package static func foreignPage(source: String) -> Failure {
        let title = GIFSources.profiles.first { $0.name == source }?.title ?? source
        return Failure(
            .notOffered, "this page of results is from \(source)", short: "this page of results is from \(title)",
            de: "diese Ergebnisseite ist von \(title)")
    }

    package static let outOfTime = Failure(
        .outOfTime, "not queried: earlier sources took too long", short: "not queried in time",
        de: "nicht rechtzeitig abgefragt")

    package static func unknownSource(name: String, known: [String]) -> Failure {
        Failure(
            .unknownName, "unknown source '\(name)'; \(hint(forSource: name, known))",
            de: "unbekannte Quelle \(name); die Quellen sind \(known.joined(separator: ", "))")
    }

    package static func exhausted(_ failures: [Failure]) -> Failure {
        Failure(
            .exhausted(failures), failures.map(\.message).joined(separator: "; "),
            waitSeconds: failures.compactMap(\.waitSeconds).min())
    }

    /// Returns the known source that is similar to an unknown one, or else all known sources.
    package static func hint(forSource name: String, _ known: [String]) -> String {
        EditDistance.nearest(to: name, in: known).map { "did you mean \($0)?" }
            ?? "the sources are \(known.joined(separator: ", "))"
    }

    private static func quoted(_ message: String?) -> String { message.map { " (“\($0)”)" } ?? "" }
}

/// The kind of content detected in a response body that is not a valid listing.
package enum ReceivedBody: String, Sendable {
    case nothing = "nothing"
    case html = "an HTML page"
    case text = "text"
    case image = "an image"
    /// The body begins like JSON, but cannot be parsed.
    case brokenJSON = "truncated JSON"
    /// The body is valid JSON with an unexpected structure.
    case unexpectedJSON = "unexpected JSON"
    /// The body begins like XML, but the parser rejects it or it is not a feed.
    case brokenXML = "XML that is not a feed"
}

// MARK: - Decisions

extension Failure {
    /// The wait before the services are queried again without a connection, after this number of failed attempts.
    package static func reconnectionSeconds(after attempts: Int) -> Int {
        [2, 5, 15, 30][min(max(1, attempts), 4) - 1]
    }

    package var isTransport: Bool { [.unreachable, .timedOut, .transfer].contains(kind) }

    /// Whether the whole network is unavailable, and not only a single service.
    package var isOffline: Bool {
        if case .exhausted(let failures) = kind { failures.indicateOffline } else { kind == .unreachable }
    }

    /// Whether nothing was found, and no query failed.
    package var meansNothingFound: Bool {
        guard case .exhausted(let failures) = kind else { return kind == .nothingFound }
        return !failures.isEmpty && failures.allSatisfy(\.meansNothingFound)
    }

    /// Whether the source was not asked, or had nothing to answer.
    package var isNoProblem: Bool { [.noKey, .notOffered, .nothingFound].contains(kind) }

    /// Whether the source has a problem. An empty result, for example, is none.
    package var isServiceProblem: Bool {
        !isNoProblem && ![.cancelled, .coolingDown, .outOfTime].contains(kind)
    }

    /// The time for which the service is not queried: the time that it states, or a default time. Nil if it could
    /// answer another query, for example after status 414.
    ///
    /// The default time is short after a transport error, because the fault might be in the network. An unattended
    /// player should continue soon after the network works again.
    var coolDown: Duration? {
        switch kind {
        case .unreachable, .timedOut, .transfer: CoolDowns.shortest
        case .status(401), .status(403), .status(429), .status(500...), .badAnswer, .keyRefused, .coolingDown:
            waitSeconds.map { .seconds($0) } ?? CoolDowns.longest
        default: nil
        }
    }
}

extension [Failure] {
    /// Whether the failures mean that the network was unavailable. This is so if at least one source was unreachable,
    /// and all other sources were unreachable, timed out or were not queried in time.
    package var indicateOffline: Bool {
        let tried = filter { !$0.isNoProblem }
        return tried.contains(where: \.isOffline)
            && tried.allSatisfy { [.unreachable, .timedOut, .outOfTime].contains($0.kind) }
    }
}

// The failures of a GIF's file. Their words contain hosts but never URLs, because some URLs contain keys.

extension Failure {
    /// - Parameter retryAfter: the wait in seconds that a server requests, if a later request can succeed.
    public static func status(_ status: Int, host: String, retryAfter: Int? = nil) -> Failure {
        let answer = ErrorText(status: status)
        let isGone = status == 404 || status == 410
        return Failure(
            .status(status), "\(host) answered \(answer.full)", short: isGone ? "no longer available" : answer.short,
            de: isGone ? "nicht mehr verfügbar" : answer.german, line: "\(answer.full) · \(host)",
            waitSeconds: retryAfter)
    }

    /// Judged by the bytes. The content type that the server reports is not considered.
    /// - Parameter host: empty for a file on this machine.
    public static func notGIF(_ kind: FileKind, host: String) -> Failure {
        Failure(.other, "not a GIF (\(kind.rawValue) from \(host))", short: "not a GIF", de: "kein GIF")
    }

    public static let notAnimated = Failure(.notAnimated, "not animated", de: "nicht animiert")

    public static func empty(host: String) -> Failure { incomplete("\(host) sent no data") }

    /// The body ended before its announced length, and no further retry was possible.
    public static func cut(received: Int, expected: Int?, host: String) -> Failure {
        let whole = expected.map { " of \(ByteSize.file($0))" } ?? ""
        return incomplete("the download from \(host) ended after \(ByteSize.file(received))\(whole)")
    }

    /// After a broken connection, the server sent bytes that do not match the earlier ones.
    public static func changed(host: String) -> Failure {
        incomplete("the file changed on \(host) during the download")
    }

    private static func incomplete(_ full: String) -> Failure {
        Failure(.transfer, full, short: "incomplete file", de: "Datei unvollständig")
    }

    /// All files of the GIF have more bytes than the limit.
    public static func tooLarge(limit: Int) -> Failure {
        let size = ByteSize.limit(limit)
        return Failure(
            .other, "all its files are larger than \(size)", short: "file over \(size)", de: "Datei über \(size)")
    }

    public static let noAddress = Failure(
        .notOffered, "only its title and link are stored", short: "only title and link stored",
        de: "nur Titel und Link gespeichert")

    /// gifplay is offline, and the file is not in the media cache.
    public static let notCached = Failure(
        .other, "not in the media cache, and gifplay is offline", short: "not cached, and offline",
        de: "ohne Netz nicht verfügbar")

    /// A file on this machine cannot be read.
    public static func unreadable(_ error: Failure) -> Failure {
        Failure(error.kind, "cannot be read: \(error.message)", de: "nicht lesbar: \(error.message)")
    }

    public static let undecodable = Failure(.other, "cannot be decoded", de: "GIF nicht lesbar")
}

// MARK: - Decoding

extension Failure {
    /// Why a file cannot be decoded.
    public init(_ error: GIFError) {
        let german =
            switch error {
            case .canvasTooLarge: "zu groß"
            case .notGIF: "kein GIF"
            default: "GIF nicht lesbar"
            }
        self.init(.other, error.text, de: german)
    }
}

extension GIFError {
    public var text: String {
        switch self {
        case .system(_, let code) where code == ENOENT: return Failure.systemMessage(code)
        case .system(_, let code) where code == EISDIR: return "is a folder"
        case .system(let call, let code): return "cannot be read: \(Failure.systemMessage(code)) (\(call))"
        case .terminal: return "is a terminal; name a file, or pipe a GIF into 'gifplay -'"
        case .output: return "is also the output; write to another file"
        case .tooManyBytes(let name, let limit):
            return "\(name) has more than \(ByteSize.limit(limit)); save it to a file and play the file"
        case .interrupted: return "reading failed"
        case .empty: return "the file is empty"
        case .notGIF(let kind): return "not a GIF (\(kind.rawValue))"
        case .headerCut: return "the file ends within its header"
        case .noImage(let damage):
            let reason = damage.first.map { " (\($0.kind.text))" } ?? ""
            return "there is no image in the file\(reason)"
        case .canvasTooLarge(let size, let limit):
            return "the canvas of \(size.width)x\(size.height) pixels is over the limit of \(limit) pixels; "
                + "--max-canvas-pixels \(size.area) allows it"
        case .outOfMemory: return "not enough memory to decode the file"
        case .noThread: return DetachedThread.failure
        }
    }
}

extension Damage.Kind {
    public var text: String {
        switch self {
        case .imageCut(let decoded, let count): return "\(decoded) of \(count) pixels decoded"
        case .codeSize(let size): return "LZW code size \(size) is not in the range 1 to 8"
        case .frameTooLarge(let size, let limit):
            return "\(size.width)x\(size.height) pixels is over the limit of \(limit); --max-canvas-pixels raises it"
        case .fileCut: return "the file ends early"
        case .noTrailer: return "the file ends early: only its last byte, the trailer, is missing"
        case .unknownBlock: return "unknown block; the rest is not read"
        case .overLimit(.frames(let limit)): return "more than \(limit) frames; --max-frames raises the limit"
        case .overLimit(.totalPixels(let limit)):
            return "more than \(limit) pixels to decode; --max-total-pixels raises the limit"
        case .overLimit(.bytes(let limit)): return "more than \(ByteSize.limit(limit)); --max-bytes raises the limit"
        case .unreadable(let error): return error.text
        }
    }
}

// MARK: - The media cache

extension Failure {
    package static func cache(_ call: String, _ code: Int32 = errno) -> Failure {
        cache("the media cache failed: \(systemMessage(code)) (\(call))", .system(call: call, code: code))
    }

    /// - Parameter failure: of a system call.
    static func cache(_ failure: Failure) -> Failure {
        guard case .system(let call, let code) = failure.kind else { return failure }
        return cache(call, code)
    }

    /// The media cache's directory is a link, no directory or of another user, or its parent is of one except root.
    package static let unsafeCacheDirectory = cache(
        "the media cache is a symbolic link, is not a folder, or belongs to another user", .other)

    /// - Parameter limit: the store's size limit in bytes.
    package static func tooLargeForCache(limit: Int) -> Failure {
        cache("larger than the media cache, \(ByteSize.limit(limit))", .other)
    }

    private static func cache(_ full: String, _ kind: Kind) -> Failure {
        Failure(kind, full, short: "media cache error", de: "Zwischenspeicher nicht nutzbar")
    }
}
