import Base
import Catalog
import Fetching
import Glibc

/// Messages for the errors of services and downloads. No message contains an address with a key.
extension Sentences {
    public static func describe(_ error: FetchError) -> String {
        switch error {
        case .transport(let error): return describe(error)
        case .status(let status, let host): return "\(host) answered \(answer(status))"
        case .notGIF(let kind, let host): return "not a GIF: \(host) sent \(kind.rawValue)"
        case .empty(let host): return "\(host) sent nothing"
        case .cut(let received, let expected, let host):
            let whole = expected.map { " of \(ByteSize.file($0))" } ?? ""
            return "\(host) broke off after \(ByteSize.file(received))\(whole)"
        case .changed(let host): return "\(host) sent other bytes when asked for the rest"
        case .cache(let call, let code): return "the media cache failed: \(SystemError.message(code)) (\(call))"
        case .unsafeCacheDirectory(let path):
            return "\(path) is a link, no folder, or another user's; the media cache needs one of its own"
        case .tooLargeForCache(let limit): return "more than the media cache's \(ByteSize.limit(limit))"
        }
    }

    public static func describe(_ notice: Notices.Notice) -> String {
        switch notice {
        case .keyRefused(let variable): return "the key in \(variable) was refused; other sources are used"
        case .contactWanted:
            return "Wikimedia limits requests without a contact; \"contact\" in the configuration lifts the limit"
        }
    }

    /// The message at exit if a fetched GIF was played but could not be cached.
    public static func notKept(_ error: FetchError) -> String {
        "\(describe(error)); what was fetched was shown, but not kept"
    }

    public static func describe(_ error: HTTPError) -> String {
        switch error {
        case .unreachable(let host, let reason): return "\(host) cannot be reached: \(reason)"
        case .timedOut(let host, let milliseconds):
            return "\(host) was silent for too long (\(Double(milliseconds / 100) / 10) s)"
        case .tooLarge(let host, let limit):
            return "\(host) sent more than \(ByteSize.limit(limit)); --max-bytes allows more"
        case .redirectRefused(let host, let reason): return "\(host) sent us elsewhere: \(reason)"
        case .invalidURL: return "no address that can be fetched: http and https are"
        case .cancelled: return "called off"
        }
    }

    public static func describe(_ error: CatalogError) -> String {
        switch error {
        case .transport(.tooLarge(let host, let limit)):
            return "\(host) sent a listing of more than \(limit >> 20) MiB, which gifplay does not read"
        case .transport(let error): return describe(error)
        case .refused(let status, let message, let seconds):
            let wait = seconds.map { "; it asks to wait \($0) s" } ?? ""
            return "it answered \(answer(status))\(quoted(message))\(wait)"
        case .notJSON(let status, let received):
            return "it sent \(name(received)) where a listing should be (status \(status))"
        case .api(let code, let message, _): return "it answered with the error \(code)\(quoted(message))"
        case .outage: return "it says of itself that it is out of order"
        case .noKey(let variable): return "it needs a key: put it in \(variable) or in the configuration"
        case .keyRefused(let variable, let message): return "the key in \(variable) was not taken\(quoted(message))"
        case .coolingDown(let seconds): return "it failed a short while ago and is left alone for \(seconds) s"
        case .nothingFound: return "it knows nothing that fits"
        case .notOffered: return "it has no such listing"
        case .foreignPage(let source): return "the page belongs to \(source)"
        case .outOfTime: return "the time was used up by the sources before it"
        case .unknownSource(let name, let known):
            return "there is no source \"\(name)\"; there are \(known.joined(separator: ", "))"
        case .exhausted(let failures): return failures.map(describe).joined(separator: "; ")
        case .cancelled: return "called off"
        }
    }

    /// A shorter description, for lists of several services.
    static func brief(_ error: CatalogError) -> String {
        switch error {
        case .transport(.unreachable): "unreachable"
        case .transport(.timedOut): "no answer"
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
        let words = [
            400: "bad request", 401: "not authorized", 403: "forbidden", 404: "not found", 410: "gone",
            414: "the address is too long", 429: "too many requests", 500: "server error", 502: "bad gateway",
            503: "out of service", 504: "gateway timeout",
        ]
        return words[status].map { "\(status), \($0)" } ?? "\(status)"
    }

    private static func name(_ received: ReceivedBody) -> String {
        switch received {
        case .nothing: return "nothing"
        case .html: return "an HTML page"
        case .text: return "text"
        case .image: return "a picture"
        case .brokenJSON: return "JSON that breaks off"
        case .unexpectedJSON: return "JSON of another shape"
        case .brokenXML: return "XML that is no feed"
        }
    }
}

extension SourceFailure {
    /// Whether the service could not be reached over the network.
    var isUnreachable: Bool { if case .transport(.unreachable) = reason { true } else { false } }
}
