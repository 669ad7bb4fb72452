import Base

/// The associated values are details for an error message. They never contain a URL or a key.
public enum CatalogError: Error, Equatable, Sendable {
    /// The request failed without an HTTP response.
    case transport(HTTPError)
    /// `message` is the service's sanitized error message.
    case refused(status: Int, message: String?, retryAfterSeconds: Int?)
    /// The response body cannot be decoded as a listing.
    case notJSON(status: Int, received: ReceivedBody)
    /// The response had a success status, but its body reports an error.
    case api(code: String, message: String, retryAfterSeconds: Int?)
    /// The service reports an outage in its own format.
    case outage
    /// `variable` is the environment variable for the key.
    case noKey(variable: String)
    case keyRefused(variable: String, message: String?)
    /// After a recent failure, or because the quota is used up. `seconds` is the remaining time.
    case coolingDown(seconds: Int)
    /// The source was queried, but returned no playable GIF.
    case nothingFound
    case notOffered
    /// The page token belongs to `source`, which is not the queried source.
    case foreignPage(source: String)
    /// The time budget of the whole call was spent before the request was sent.
    case outOfTime
    case unknownSource(name: String, known: [String])
    /// A link in place of a query has no GIF, for the reason in this message.
    case link(String)
    /// Every source failed or had no results. The failures are in the order in which the sources were queried.
    case exhausted([SourceFailure])
    case cancelled
}

extension CatalogError: DescribedError {
    /// Names sources as `--source` does.
    public var text: ErrorText {
        switch self {
        case .transport(let error): return error.text
        case .refused(let status, let message, let wait):
            var text = ErrorText(status: status).waiting(wait)
            text.full = "HTTP \(text.full)\(Self.quoted(message))" + (wait.map { "; retry after \($0) s" } ?? "")
            return text
        case .notJSON(let status, let received):
            return ErrorText(
                "sent \(received.text) instead of results (HTTP \(status))", short: "invalid response",
                de: "ungültige Antwort")
        case .api(let code, let message, let wait):
            let full = "reported the error \(code)\(Self.quoted(message))"
            return ErrorText(full, short: "error: \(message)", de: "Fehler: \(message)").waiting(wait)
        case .outage: return ErrorText("reported an outage", short: "unavailable", de: "nicht verfügbar")
        case .noKey(let variable):
            return ErrorText(
                "needs an API key; set \(variable) or --key in the configuration", short: "needs a key: \(variable)",
                de: "Schlüssel erforderlich: \(variable)")
        case .keyRefused(let variable, let message):
            let short = "the key in \(variable) was refused"
            return ErrorText(
                short + Self.quoted(message), short: short, de: "Schlüssel in \(variable) abgelehnt")
        case .coolingDown(let seconds):
            let full = "failed recently; not queried for another \(seconds) s"
            return ErrorText(full, short: "paused after an error", de: "Pause nach Fehler").waiting(seconds)
        case .nothingFound: return ErrorText("no result", short: "no playable GIFs", de: "keine abspielbaren GIFs")
        case .notOffered:
            return ErrorText(
                "does not offer this list of GIFs", short: "feed not available", de: "Liste nicht verfügbar")
        case .foreignPage(let source):
            return ErrorText("this page of results is from \(source)", de: "diese Ergebnisseite ist von \(source)")
        case .outOfTime:
            return ErrorText(
                "not queried: earlier sources took too long", short: "not queried in time",
                de: "nicht rechtzeitig abgefragt")
        case .unknownSource(let name, let known):
            return ErrorText(
                "unknown source '\(name)'; \(Self.hint(forSource: name, known))",
                de: "unbekannte Quelle \(name); die Quellen sind \(known.joined(separator: ", "))")
        case .link(let message): return ErrorText(message, de: message)
        case .exhausted(let failures):
            let all = failures.map { "\($0.source): \($0.reason.text.full)" }.joined(separator: "; ")
            return ErrorText(all, de: all)
        case .cancelled: return HTTPError.cancelled.text
        }
    }

    /// Returns the known source that is similar to an unknown one, or else all known sources.
    package static func hint(forSource name: String, _ known: [String]) -> String {
        EditDistance.nearest(to: name, in: known).map { "did you mean \($0)?" }
            ?? "the sources are \(known.joined(separator: ", "))"
    }

    private static func quoted(_ message: String?) -> String { message.map { " (“\($0)”)" } ?? "" }
}

extension ErrorText {
    /// The texts of a response with an error status.
    public init(status: Int) {
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

    /// Adds to the texts of a status line when a retry is possible. Rounds up, so that it is not too early then.
    func waiting(_ seconds: Int?) -> ErrorText {
        guard let seconds, seconds > 0 else { return self }
        let (number, unit, german) =
            switch seconds {
            case ..<90: (seconds, "s", "Sek.")
            case ..<5400: ((seconds - 1) / 60 + 1, "min", "Min.")
            default: ((seconds - 1) / 3600 + 1, "h", "Std.")
            }
        return ErrorText(
            full, short: "\(short); retry in \(number) \(unit)", de: "\(self.german); erneut in \(number) \(german)")
    }
}

/// The kind of content detected in a response body that is not a valid listing.
public enum ReceivedBody: String, Sendable {
    case nothing
    case html
    case text
    case image
    /// The body begins like JSON, but cannot be parsed.
    case brokenJSON
    /// The body is valid JSON with an unexpected structure.
    case unexpectedJSON
    /// The body begins like XML, but the parser rejects it or it is not a feed.
    case brokenXML

    fileprivate var text: String {
        switch self {
        case .nothing: "nothing"
        case .html: "an HTML page"
        case .text: "text"
        case .image: "an image"
        case .brokenJSON: "truncated JSON"
        case .unexpectedJSON: "unexpected JSON"
        case .brokenXML: "XML that is not a feed"
        }
    }
}

extension CatalogError {
    /// The wait before the services are queried again without a connection, after this number of failed attempts.
    package static func reconnectionSeconds(after attempts: Int) -> Int {
        [2, 5, 15, 30][min(max(1, attempts), 4) - 1]
    }

    /// Whether the error means that the whole network is unavailable, and not only a single service.
    package var isOffline: Bool {
        switch self {
        case .transport(.unreachable): true
        case .exhausted(let failures): failures.indicateOffline
        default: false
        }
    }
}

extension [SourceFailure] {
    /// Whether the failures mean that the network was unavailable. This is so if at least one source was unreachable,
    /// and all other sources were unreachable, timed out or were not queried in time. Failures of four kinds are
    /// ignored: no key, listing not offered, nothing found, and a page token of another source.
    package var indicateOffline: Bool {
        let tried = filter { failure in
            switch failure.reason {
            case .noKey, .notOffered, .nothingFound, .foreignPage: false
            default: true
            }
        }
        return tried.contains { $0.reason.isOffline }
            && tried.allSatisfy { failure in
                switch failure.reason {
                case .transport(.unreachable), .transport(.timedOut), .outOfTime: true
                default: false
                }
            }
    }
}

extension ResultPage {
    /// Whether all GIFs of the page are on this machine.
    package var isLocal: Bool { items.allSatisfy(\.isLocal) }
}

extension GIFReference {
    /// The `provider` of the GIFs that only the media cache knows.
    package static let cacheProvider = "cache"

    package var isLocal: Bool { cachePolicy == .embedded || provider == Self.cacheProvider }
}

extension CatalogError {
    package init(_ error: HTTPError, _ redactor: Redactor) {
        self = error == .cancelled ? .cancelled : .transport(error.redacted(redactor))
    }
}

extension HTTPError {
    /// The transport's message could contain a URL with a key.
    package func redacted(_ redactor: Redactor) -> HTTPError {
        func clean(_ text: String) -> String { SafeText.shortened(redactor(SafeText.line(text)), to: 300) }
        switch self {
        case .unreachable(let host, let reason): return .unreachable(host: clean(host), reason: clean(reason))
        case .responseRefused(let host, let reason): return .responseRefused(host: clean(host), reason: clean(reason))
        case .timedOut(let host, let milliseconds): return .timedOut(host: clean(host), milliseconds: milliseconds)
        case .tooSlow(let host, let milliseconds): return .tooSlow(host: clean(host), milliseconds: milliseconds)
        case .tooLarge(let host, let limit): return .tooLarge(host: clean(host), limit: limit)
        case .invalidURL, .cancelled: return self
        }
    }
}
