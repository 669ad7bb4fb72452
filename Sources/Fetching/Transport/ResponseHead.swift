/// The status line and header fields of a response.
struct ResponseHead: Equatable, Sendable {
    var status = 0
    /// Header fields, with the name in lower case as the key. If a name occurs more than once, the last value is used.
    var headers: [String: String] = [:]
    /// The HTTP version: 11 for HTTP/1.1, 20 for HTTP/2.
    var version = 0
    /// The IP address of the peer, or of the proxy if there is one. It is "" if libcurl is too old to report the
    /// address.
    var peer = ""

    /// The Location header of a redirect; nil if the response is not a redirect.
    var redirect: String? {
        [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil
    }

    /// The announced length of the transferred body in bytes. For a compressed body, it is the compressed length.
    var contentLength: Int? {
        headers["content-length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Whether the end of the body can be distinguished from a broken connection.
    var isFramed: Bool {
        version >= 20 || contentLength != nil || headers["transfer-encoding"]?.lowercased() == "chunked"
    }
}

/// Assembles header lines into response heads and reports when the final one is complete.
struct HeadParser {
    /// The maximum total size of one response's header lines, in bytes. No legitimate response comes near this size.
    private static let limit = 256 << 10

    /// The result of ``append(_:)``.
    enum LineResult: Equatable {
        case more
        /// The head is complete and a body may follow.
        case complete(ResponseHead)
        case tooLong
    }

    private var head = ResponseHead()
    private var count = 0
    private var isComplete = false

    /// - Parameter line: a header line including its line break.
    mutating func append(_ line: UnsafeRawBufferPointer) -> LineResult {
        count += line.count
        guard count <= Self.limit else { return .tooLong }
        // Trailers of a chunked body also arrive here and are ignored.
        guard !isComplete else { return .more }
        let text = String(decoding: line.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
        if text.isEmpty {
            guard head.status >= 200 else { return .more }
            isComplete = true
            return .complete(head)
        }
        if text.hasPrefix("HTTP/") {
            head = Self.start(text)
        } else if let colon = text.firstIndex(of: ":") {
            head.headers[text[..<colon].lowercased()] = Self.trimmed(text[text.index(after: colon)...])
        }
        return .more
    }

    /// Parses a status line such as "HTTP/1.1 200 OK" or "HTTP/2 200".
    private static func start(_ text: String) -> ResponseHead {
        let words = text.split(separator: " ")
        let digits = words[0].dropFirst(5).split(separator: ".").map { Int($0) ?? 0 }
        var head = ResponseHead()
        head.version = (digits.first ?? 0) * 10 + (digits.count > 1 ? digits[1] : 0)
        head.status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        return head
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var part = text.drop(while: isBlank)
        while let last = part.last, isBlank(last) { part.removeLast() }
        return String(part)
    }
}
