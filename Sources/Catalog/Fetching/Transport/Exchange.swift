import Base
import CCurl
import Glibc

struct TransportRequest: Sendable {
    var address: ParsedURL
    /// Sent only to the origin of the address, because they can contain a key.
    var headers: [String: String] = [:]
    /// Also sent to every redirect target.
    var rangeHeaders: [String: String] = [:]
    /// Nil for a GET request. A form is sent only to the address itself, because redirects of a form are refused.
    var form: String?
    /// Whether the sink receives decompressed bytes, if libcurl knows the encoding.
    var decodesBody = true
    /// The time on the clock of ``FetchOptions`` until which the request, its redirects and its retries must end, and
    /// the length of this limit for messages, in milliseconds. Nil for a download, which has only connect and stall
    /// timeouts.
    var deadline: (at: Int, whole: Int)?
    /// Whether the address may point to this machine or its network, for example because the user typed it.
    var mayBeLocal: Bool
    /// The server that has sent this response is asked whether it still holds.
    var stored: StoredResponse?

    /// Omits fields that contain control characters other than tabs, because a line break would add a header.
    func headerLines(isAtOrigin: Bool, at address: String = "") -> [String] {
        let conditions = stored?.conditions(at: address) ?? [:]
        let fields = (isAtOrigin ? Array(headers) : []) + Array(rangeHeaders) + Array(conditions)
        return fields.filter { !($0.key + $0.value).utf8.contains { $0 < 0x20 && $0 != 0x09 } }
            .map { "\($0.key): \($0.value)" }
    }
}

enum TransportResult: Equatable, Sendable {
    /// The status can be an error status. The sink has received the body, unless the response is a redirect.
    case complete(ResponseHead)
    /// The sink requested to abort the response, and knows the reason.
    case stopped
    /// The body ended before its announced length.
    case cut
    /// libcurl does not know the encoding of the body, or the body is not in this encoding.
    case undecodable
    /// If `isTransient`, a retry can succeed.
    case failed(Failure, isTransient: Bool)

    static let cancelled = TransportResult.failed(.cancelled, isTransient: false)

    var isTransient: Bool {
        switch self {
        case .complete: transientHead != nil
        case .stopped, .undecodable: false
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
    /// The address that was requested, after redirects.
    let address: String
    /// Whether addresses in the body may point to this machine or its network.
    let mayLeadToLocal: Bool
    /// How long the redirects to the address may be followed without asking for them again.
    let redirectSeconds: Int
    /// All cookies of the chain of redirects so far, in libcurl's format.
    let cookies: [String]
    /// Whether the HTTP version marks the end of each body, as version 2 and later ones do.
    private let versionMarksEnd: Bool

    /// Reads the head of the response that a libcurl handle has received last.
    init(of easy: UnsafeMutableRawPointer, peer: String, at trail: RedirectTrail) {
        (address, mayLeadToLocal) = (trail.current.text, trail.mayLeadToLocal(from: peer))
        redirectSeconds = trail.reusableSeconds
        let list = gifplay_easy_cookies(easy)
        cookies = sequence(first: list) { $0?.pointee.next }.prefix { $0 != nil }
            .compactMap { $0?.pointee.data.map { String(cString: $0) } }
        gifplay_slist_free(list)
        status = gifplay_easy_get_long(easy, CURLINFO_RESPONSE_CODE)
        versionMarksEnd = gifplay_easy_get_long(easy, CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0)
        self.peer = peer
        var headers: [String: String] = [:]
        var field = gifplay_easy_next_header(easy, nil)
        while let present = field {
            // libcurl 7.88 reports an empty value as a line break.
            let value = Self.text(present.pointee.value).prefix { $0 != "\r" && $0 != "\n" }
            let name = String(cString: present.pointee.name).lowercased()
            let earlier = name == "cache-control" || name == "vary" ? headers[name] : nil
            headers[name] = (earlier.map { $0 + ", " } ?? "") + value
            field = gifplay_easy_next_header(easy, present)
        }
        self.headers = headers
    }

    /// Percent-encodes each byte of a value in another encoding than UTF-8, as browsers do with a Location in Latin-1.
    private static func text(_ value: UnsafePointer<CChar>) -> String {
        if let text = String(validatingCString: value) { return text }
        return UnsafeRawBufferPointer(start: value, count: strlen(value)).map { byte in
            byte > 0x7F ? "%" + [byte].hexadecimal : String(UnicodeScalar(byte))
        }.joined()
    }

    /// A status that browsers take for a success with a body.
    var isSuccess: Bool { (200..<300).contains(status) }

    var redirect: String? { [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil }

    /// In bytes, at most 2^40. For a compressed body, it is the compressed length. A chunked body has none.
    var contentLength: Int? {
        guard !isChunked, let text = headers["content-length"], !text.hasPrefix("-") else { return nil }
        return Int(outside: text, clampedTo: 0...Int.outsideRange.upperBound)
    }

    /// The length at which libcurl ends the body without waiting for a further byte; nil if there is none.
    var finalLength: Int? { versionMarksEnd ? nil : decodedLength }

    /// The length of the body for the sink; nil if the body is compressed.
    var decodedLength: Int? { isEncoded ? nil : contentLength }

    /// Whether the end of the body can be distinguished from a broken connection.
    var isFramed: Bool { versionMarksEnd || contentLength != nil || isChunked }

    /// Whether the announced length and ranges are those of a compressed body.
    var isEncoded: Bool { ![nil, "", "identity"].contains(headers["content-encoding"]?.lowercased()) }

    private var isChunked: Bool { headers["transfer-encoding"]?.lowercased() == "chunked" }
}

/// Receives a response as it arrives. Its methods are called on the transfer thread and must not block it.
protocol ExchangeSink: AnyObject, Sendable {
    /// - Returns: false to abort the exchange.
    func begin(_ head: ResponseHead) -> Bool

    /// - Returns: false to abort the exchange.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}
