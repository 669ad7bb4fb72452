/// The status line and header fields of an answer.
struct ResponseHead: Equatable, Sendable {
    var status = 0
    /// Names in lower case; of a name that comes twice the last value.
    var headers: [String: String] = [:]
    /// HTTP/1.1 is 11, HTTP/2 is 20.
    var version = 0
    /// The IP address that answered, "" where libcurl is too old to tell. A proxy's where there is one.
    var peer = ""

    /// Where the answer sends us on.
    var redirect: String? {
        [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil
    }

    /// The length that was announced for the body as it is sent, in bytes.
    var contentLength: Int? {
        headers["content-length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Whether the body's end can be told from a broken connection.
    var isFramed: Bool {
        version >= 20 || contentLength != nil || headers["transfer-encoding"]?.lowercased() == "chunked"
    }
}

/// Puts header lines together to heads, and says when the final one is whole.
struct HeadParser {
    /// All header bytes of one answer; no honest one comes near.
    private static let limit = 256 << 10

    /// What a line did.
    enum Step: Equatable {
        case more
        /// The head is whole and a body may follow.
        case complete(ResponseHead)
        case tooLong
    }

    private var head = ResponseHead()
    private var count = 0
    private var isComplete = false

    /// - Parameter line: with its line end.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
        count += line.count
        guard count <= Self.limit else { return .tooLong }
        // Trailers of a chunked body come here too, and change nothing any more.
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

    /// "HTTP/1.1 200 OK", "HTTP/2 200".
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
