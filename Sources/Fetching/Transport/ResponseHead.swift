import CCurl

/// The status and the header fields of a response.
struct ResponseHead: Equatable, Sendable {
    let status: Int
    /// Header fields, with the name in lower case as the key. If a name occurs more than once, the last value is used.
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
            headers[String(cString: present.pointee.name).lowercased()] = String(value)
            field = gifplay_easy_next_header(easy, present)
        }
        self.headers = headers
    }

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
        versionMarksEnd || contentLength != nil || headers["transfer-encoding"]?.lowercased() == "chunked"
    }
}
