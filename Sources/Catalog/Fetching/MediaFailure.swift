import Base
import Glibc
import Pixels

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
