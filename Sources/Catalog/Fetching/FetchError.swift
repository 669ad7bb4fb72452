import Base
import Pixels

/// Why a file of a GIF is not available. Contains hosts but never URLs, because some URLs contain keys.
public enum FetchError: Error, Hashable, Sendable {
    /// For example, there was no response, or the connection broke and all retries failed.
    case transport(HTTPError)
    /// `retryAfter` is the wait in seconds that a server requests, if a later request can succeed.
    case status(Int, host: String, retryAfter: Int? = nil)
    /// Judged by the bytes. The content type that the server reports is not considered. The host is empty for a file on
    /// this machine.
    case notGIF(FileKind, host: String)
    case notAnimated
    case empty(host: String)
    /// The body ended before its announced length, and no further retry was possible.
    case cut(received: Int, expected: Int?, host: String)
    /// After a broken connection, the server sent bytes that do not match the earlier ones.
    case changed(host: String)
    /// All files of the GIF have more bytes than the limit.
    case tooLarge(limit: Int)
    /// The GIF comes from the library, which stores no address for any of its files.
    case noAddress
    /// gifplay is offline, and the file is not in the media cache.
    case notCached
    /// A file on this machine cannot be read.
    case unreadable(reason: String)
    /// A link leads to no GIF, for this reason.
    case link(String)
    /// A link leads to another host, where this happened.
    indirect case redirected(place: String, FetchError)
    case cache(call: String, errno: Int32)
    /// The media cache's directory is a link, no directory or of another user, or its parent is of one except root.
    case unsafeCacheDirectory(String)
    /// The store's size limit in bytes.
    case tooLargeForCache(limit: Int)

    public static let cancelled = FetchError.transport(.cancelled)

    init(_ error: SystemError) { self = .cache(call: error.call, errno: error.code) }

    /// The error without the wait that a server requests.
    public var withoutWait: FetchError {
        if case .status(let status, let host, _) = self { .status(status, host: host) } else { self }
    }

    /// The whole message about a GIF.
    public func message(for name: String) -> String {
        if case .redirected(let place, let error) = self { return error.message(for: "\(name) (leads to \(place))") }
        return "\(name): \(text.full)"
    }
}

extension FetchError: DescribedError {
    public var text: ErrorText {
        switch self {
        case .transport(let error):
            var text = error.text
            if case .tooLarge = error { text.full += "; --max-bytes raises the limit" }
            return text
        case .status(let status, let host, let seconds):
            let full = "\(host) answered \(Self.answer(status, seconds))"
            let text = ErrorText(status: status)
            return status == 404 || status == 410
                ? ErrorText(full, short: "no longer available", de: "nicht mehr verfügbar")
                : ErrorText(full, short: text.short, de: text.german)
        case .notGIF(let kind, let host):
            return ErrorText("not a GIF (\(kind.rawValue) from \(host))", short: "not a GIF", de: "kein GIF")
        case .notAnimated: return ErrorText("not animated", de: "nicht animiert")
        case .empty(let host): return Self.incomplete("\(host) sent no data")
        case .cut(let received, let expected, let host):
            let whole = expected.map { " of \(ByteSize.file($0))" } ?? ""
            return Self.incomplete("the download from \(host) ended after \(ByteSize.file(received))\(whole)")
        case .changed(let host): return Self.incomplete("the file changed on \(host) during the download")
        case .tooLarge(let limit):
            let size = ByteSize.limit(limit)
            return ErrorText(
                "all its files are larger than \(size)", short: "file over \(size)", de: "Datei über \(size)")
        case .noAddress:
            return ErrorText(
                "only its title and link are stored", short: "only title and link stored",
                de: "nur Titel und Link gespeichert")
        case .notCached:
            return ErrorText(
                "not in the media cache, and gifplay is offline", short: "not cached, and offline",
                de: "ohne Netz nicht verfügbar")
        case .link(let reason): return ErrorText(reason, de: reason)
        case .redirected(_, let error): return error.text
        case .unreadable(let reason): return ErrorText("cannot be read: \(reason)", de: "nicht lesbar: \(reason)")
        case .cache(let call, let code):
            return Self.cache("the media cache failed: \(SystemError.message(code)) (\(call))")
        case .unsafeCacheDirectory:
            return Self.cache("the media cache is a symbolic link, is not a folder, or belongs to another user")
        case .tooLargeForCache(let limit): return Self.cache("larger than the media cache, \(ByteSize.limit(limit))")
        }
    }

    /// The error for a status line, which can be narrow: the reason first, without the words of the network library.
    public var statusText: String {
        if case .status(let status, let host, let seconds) = self { return "\(Self.answer(status, seconds)) · \(host)" }
        guard case .transport(let failure) = self, case .unreachable(let host, let reason) = failure else {
            return text.full
        }
        if failure.text.short == "no network" { return "no network" }
        // Other reasons are not those of the server, or concern its certificate.
        let failures = ["Failed to connect", "not connect", "n't connect", "onnection ", "mpty reply", "Recv failure"]
        return failures.contains(where: reason.contains) ? "no answer from \(host)" : text.full
    }

    private static func answer(_ status: Int, _ seconds: Int?) -> String {
        ErrorText(status: status).full + (seconds.map { "; try again in \($0) s" } ?? "")
    }

    private static func incomplete(_ full: String) -> ErrorText {
        ErrorText(full, short: "incomplete file", de: "Datei unvollständig")
    }

    private static func cache(_ full: String) -> ErrorText {
        ErrorText(full, short: "media cache error", de: "Zwischenspeicher nicht nutzbar")
    }
}
