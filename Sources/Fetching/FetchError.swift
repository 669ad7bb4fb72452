import Base
import Catalog
import GIFDecode

/// Contains hosts but never URLs, because some URLs contain keys.
public enum FetchError: Error, Equatable, Sendable {
    /// For example, there was no response, or the connection broke and all retries failed.
    case transport(HTTPError)
    /// `retryAfter` is the wait in seconds that a server requests, if it refuses because of too many requests.
    case status(Int, host: String, retryAfter: Int? = nil)
    /// Judged by the bytes. The content type that the server reports is not considered.
    case notGIF(FileKind, host: String)
    case empty(host: String)
    /// The body ended before its announced length, and no further retry was possible.
    case cut(received: Int, expected: Int?, host: String)
    /// After a broken connection, the server sent bytes that do not match the earlier ones.
    case changed(host: String)
    case cache(call: String, errno: Int32)
    /// The media cache's directory is a link, no directory or of another user, or its parent is of one except root.
    case unsafeCacheDirectory(String)
    /// The store's size limit in bytes.
    case tooLargeForCache(limit: Int)

    init(_ error: SystemError) { self = .cache(call: error.call, errno: error.code) }

    /// For ``ByteSourceError``, which can contain only text. `Application` composes the full error messages.
    var summary: String {
        switch self {
        case .transport(let error): Self.summary(error)
        case .status(let status, _, _): "HTTP status \(status)"
        case .notGIF(let kind, _): "not a GIF (\(kind.rawValue))"
        case .empty: "no data"
        case .cut: "incomplete download"
        case .changed: "changed during the download"
        case .cache, .unsafeCacheDirectory, .tooLargeForCache: "the media cache failed"
        }
    }

    private static func summary(_ error: HTTPError) -> String {
        switch error {
        case .unreachable(_, let reason), .responseRefused(_, let reason): reason
        case .timedOut(_, let milliseconds): "no data for \(milliseconds / 1000) s"
        case .tooSlow(_, let milliseconds): "less than 1 kB in \(milliseconds / 1000) s"
        case .tooLarge(_, let limit): "more than \(ByteSize.limit(limit))"
        case .invalidURL: "not a URL"
        case .cancelled: "cancelled"
        }
    }
}
