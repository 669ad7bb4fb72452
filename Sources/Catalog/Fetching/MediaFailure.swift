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
