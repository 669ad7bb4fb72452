import Base
import CCurl
import Catalog

struct TransportRequest: Sendable {
    var address: ParsedURL
    /// Sent only to the origin of the address, because they can contain a key.
    var headers: [String: String] = [:]
    /// Also sent to every redirect target.
    var rangeHeaders: [String: String] = [:]
    /// Nil for a GET request. A form is sent only to the address itself, because redirects of a form are refused.
    var form: String?
    /// The sink receives decompressed bytes.
    var acceptsCompression = false
    /// For the request and its redirects; nil for a download, which has only connect and stall timeouts.
    var deadline: Deadline?
    /// Whether the address may point to this machine or its network, for example because the user typed it.
    var mayBeLocal = true

    /// Omits fields that contain control characters other than tabs, because a line break would add a header.
    func headerLines(isAtOrigin: Bool) -> [String] {
        let fields = isAtOrigin ? Array(headers) + Array(rangeHeaders) : Array(rangeHeaders)
        return fields.filter { !($0.key + $0.value).utf8.contains { $0 < 0x20 && $0 != 0x09 } }
            .map { "\($0.key): \($0.value)" }
    }
}

/// In milliseconds, for a request with all its redirects and retries.
struct Deadline: Sendable {
    /// The time on the clock of ``FetchOptions``.
    var at: Int
    /// The length of the time limit, for error messages.
    var whole: Int
}

enum TransportResult: Equatable, Sendable {
    /// The status can be an error status. The sink has received the body, unless the response is a redirect.
    case complete(ResponseHead)
    /// The sink requested to abort the response, and knows the reason.
    case stopped
    /// The body ended before its announced length.
    case cut
    /// If `isTransient`, a retry can succeed.
    case failed(HTTPError, isTransient: Bool)

    static let cancelled = TransportResult.failed(.cancelled, isTransient: false)

    var isTransient: Bool {
        switch self {
        case .complete: transientHead != nil
        case .stopped: false
        case .cut: true
        case .failed(_, let isTransient): isTransient
        }
    }

    /// Nil unless the status is a transient error.
    var transientHead: ResponseHead? {
        guard case .complete(let head) = self, RetryPolicy.isTransient(status: head.status) else { return nil }
        return head
    }
}

struct ResponseHead: Equatable, Sendable {
    let status: Int
    /// Header fields, with the name in lower case as the key. If a name occurs more than once, the last value is used,
    /// but the lists `Cache-Control` and `Vary` are joined.
    let headers: [String: String]
    /// The IP address of the server, or of the proxy if there is one.
    let peer: String
    /// Whether the HTTP version marks the end of each body, as version 2 and later ones do.
    private let versionMarksEnd: Bool

    /// Reads the head of the response that a libcurl handle has received last.
    init(of easy: UnsafeMutableRawPointer, peer: String) {
        status = gifplay_easy_get_long(easy, CURLINFO_RESPONSE_CODE)
        versionMarksEnd = gifplay_easy_get_long(easy, CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0)
        self.peer = peer
        var headers: [String: String] = [:]
        var field = gifplay_easy_next_header(easy, nil)
        while let present = field {
            // libcurl 7.88 reports an empty value as a line break.
            let value = String(cString: present.pointee.value).prefix { $0 != "\r" && $0 != "\n" }
            let name = String(cString: present.pointee.name).lowercased()
            let earlier = name == "cache-control" || name == "vary" ? headers[name] : nil
            headers[name] = (earlier.map { $0 + ", " } ?? "") + value
            field = gifplay_easy_next_header(easy, present)
        }
        self.headers = headers
    }

    var redirect: String? { [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil }

    /// In bytes, at most 2^40. For a compressed body, it is the compressed length. A chunked body has none.
    var contentLength: Int? {
        guard !isChunked, let text = headers["content-length"], !text.hasPrefix("-") else { return nil }
        return Int(outside: text, clampedTo: 0...Int.outsideRange.upperBound)
    }

    /// The length at which libcurl ends the body without waiting for a further byte; nil if there is none.
    var finalLength: Int? { versionMarksEnd ? nil : contentLength }

    /// Whether the end of the body can be distinguished from a broken connection.
    var isFramed: Bool { versionMarksEnd || contentLength != nil || isChunked }

    private var isChunked: Bool { headers["transfer-encoding"]?.lowercased() == "chunked" }
}
