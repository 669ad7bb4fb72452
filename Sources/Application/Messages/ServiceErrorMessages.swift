import Base
import Catalog
import Fetching
import Glibc

/// Messages for the errors of services and downloads. No message contains an address with a key.
extension ErrorMessages {
    public static func describe(_ error: FetchError) -> String {
        switch error {
        case .transport(let error): return describe(error)
        case .status(let status, let host, let seconds):
            return "\(host) answered \(answer(status))" + (seconds.map { "; try again in \($0) s" } ?? "")
        case .notGIF(let kind, let host): return "not a GIF (\(kind.rawValue) from \(host))"
        case .empty(let host): return "\(host) sent no data"
        case .cut(let received, let expected, let host):
            let whole = expected.map { " of \(ByteSize.file($0))" } ?? ""
            return "the download from \(host) ended after \(ByteSize.file(received))\(whole)"
        case .changed(let host): return "the file changed on \(host) during the download"
        case .cache(let call, let code): return "the media cache failed: \(SystemError.message(code)) (\(call))"
        case .unsafeCacheDirectory:
            return "the media cache is a symbolic link, is not a folder, or belongs to another user"
        case .tooLargeForCache(let limit): return "larger than the media cache, \(ByteSize.limit(limit))"
        }
    }

    public static func describe(_ notice: Notices.Notice) -> String {
        switch notice {
        case .keyRefused(let variable): return "the key in \(variable) was refused; other sources are used"
        case .contactRequired: return "Wikimedia limits requests without a contact; set 'contact' in the configuration"
        case .noConnection: return "no connection"
        }
    }

    /// Returns the message that is printed at exit if a GIF was played but could not be cached.
    public static func notCached(_ error: FetchError) -> String {
        "\(describe(error)); the GIF was played, but not cached"
    }

    public static func describe(_ error: HTTPError) -> String {
        switch error {
        case .unreachable(let host, let reason): return "\(host) cannot be reached: \(reason)"
        case .timedOut(let host, let milliseconds):
            return "\(host) timed out after \(Double(milliseconds / 100) / 10) s"
        case .tooSlow(let host, let milliseconds): return "\(host) sent less than 1 kB in \(milliseconds / 1000) s"
        case .tooLarge(let host, let limit):
            return "\(host) sent more than \(ByteSize.limit(limit)); --max-bytes raises the limit"
        case .responseRefused(let host, let reason): return "\(host) sent \(reason), which is refused"
        case .invalidURL: return "not an http or https URL"
        case .cancelled: return "cancelled"
        }
    }

    public static func describe(_ error: CatalogError) -> String {
        switch error {
        case .transport(.tooLarge(let host, let limit)):
            return "\(host) sent a response of more than \(limit >> 20) MiB"
        case .transport(let error): return describe(error)
        case .refused(let status, let message, let seconds):
            let wait = seconds.map { "; retry after \($0) s" } ?? ""
            return "HTTP \(answer(status))\(quoted(message))\(wait)"
        case .notJSON(let status, let received): return "sent \(name(received)) instead of results (HTTP \(status))"
        case .api(let code, let message, _): return "reported the error \(code)\(quoted(message))"
        case .outage: return "reported an outage"
        case .noKey(let variable): return "needs an API key; set \(variable) or [keys] in the configuration"
        case .keyRefused(let variable, let message): return "the key in \(variable) was refused\(quoted(message))"
        case .coolingDown(let seconds): return "failed recently; not queried for another \(seconds) s"
        case .nothingFound: return "no result"
        case .notOffered: return "does not offer this list of GIFs"
        case .foreignPage(let source): return "this page of results is from \(source)"
        case .outOfTime: return "not queried: earlier sources took too long"
        case .unknownSource(let name, let known): return "unknown source '\(name)'; \(hint(forSource: name, known))"
        case .exhausted(let failures): return failures.map(describe).joined(separator: "; ")
        case .link(let message): return message
        case .cancelled: return "cancelled"
        }
    }

    /// Returns the known source that is similar to an unknown one, or else all known sources.
    static func hint(forSource name: String, _ known: [String]) -> String {
        EditDistance.nearest(to: name, in: known).map { "did you mean \($0)?" }
            ?? "the sources are \(known.joined(separator: ", "))"
    }

    /// Returns a shorter description, for lists of several services.
    static func brief(_ error: CatalogError) -> String {
        switch error {
        case .transport(.unreachable): "unreachable"
        case .transport(.timedOut): "timed out"
        case .refused(let status, _, _): "HTTP \(status)"
        case .coolingDown: "paused after a failure"
        case .outOfTime: "not queried in time"
        case .nothingFound: "no result"
        default: describe(error)
        }
    }

    public static func describe(_ failure: SourceFailure) -> String { "\(failure.source): \(describe(failure.reason))" }

    private static func quoted(_ message: String?) -> String { message.map { " (“\($0)”)" } ?? "" }

    private static func answer(_ status: Int) -> String {
        let meanings = [
            400: "bad request", 401: "not authorized", 403: "forbidden", 404: "not found", 410: "gone",
            414: "the URL is too long", 429: "too many requests", 500: "server error", 502: "bad gateway",
            503: "service unavailable", 504: "gateway timeout",
        ]
        return meanings[status].map { "\(status), \($0)" } ?? "\(status)"
    }

    private static func name(_ received: ReceivedBody) -> String {
        switch received {
        case .nothing: return "nothing"
        case .html: return "an HTML page"
        case .text: return "text"
        case .image: return "an image"
        case .brokenJSON: return "truncated JSON"
        case .unexpectedJSON: return "unexpected JSON"
        case .brokenXML: return "XML that is not a feed"
        }
    }
}

extension SourceFailure {
    var isUnreachable: Bool { if case .transport(.unreachable) = reason { true } else { false } }
}
