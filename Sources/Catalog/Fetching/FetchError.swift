import Base
import Pixels

/// Contains hosts but never URLs, because some URLs contain keys.
public enum FetchError: Error, Equatable, Sendable {
    /// For example, there was no response, or the connection broke and all retries failed.
    case transport(HTTPError)
    /// `retryAfter` is the wait in seconds that a server requests, if a later request can succeed.
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
}
