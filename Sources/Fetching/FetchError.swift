import Base
import Catalog
import GIFDecode

/// Why a GIF could not be fetched or kept. Carries hosts but never a URL: keys stand in some.
public enum FetchError: Error, Equatable, Sendable {
    /// No answer, or it broke off and did not come again.
    case transport(HTTPError)
    /// The server answered with an error.
    case status(Int, host: String)
    /// The bytes are something else's, whatever the server called them.
    case notGIF(FileKind, host: String)
    /// The answer has no body.
    case empty(host: String)
    /// The body ended before its announced length, each time.
    case cut(received: Int, expected: Int?, host: String)
    /// After a break the server began again, with other bytes.
    case changed(host: String)
    /// A system call on the media cache failed.
    case cache(call: String, errno: Int32)
    /// The media cache's directory is a link, no directory, or another user's.
    case unsafeCacheDirectory(String)
    /// More than the media cache may hold.
    case tooLargeForCache(limit: Int)

    /// A failed system call on the media cache.
    init(_ error: SystemError) { self = .cache(call: error.call, errno: error.code) }

    /// A few words for the byte source, whose error carries text; the command line has the sentences.
    var words: String {
        switch self {
        case .transport(let error): Self.words(error)
        case .status(let status, _): "HTTP status \(status)"
        case .notGIF(let kind, _): "\(kind.rawValue) came, not a GIF"
        case .empty: "nothing came"
        case .cut: "it ended early"
        case .changed: "it changed on the way"
        case .cache, .unsafeCacheDirectory, .tooLargeForCache: "the media cache failed"
        }
    }

    private static func words(_ error: HTTPError) -> String {
        switch error {
        case .unreachable(_, let reason), .redirectRefused(_, let reason): reason
        case .timedOut(_, let milliseconds): "nothing came for \(milliseconds / 1000) s"
        case .tooLarge(_, let limit): "more than \(ByteSize.limit(limit))"
        case .invalidURL: "no address"
        case .cancelled: "cancelled"
        }
    }
}
