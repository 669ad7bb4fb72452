/// The parameters of a request and of its redirects.
struct TransportRequest: Sendable {
    var address: ParsedURL
    /// Header fields that are sent only to the origin of the address, because they can contain a key.
    var headers: [String: String] = [:]
    /// Header fields that request a range of the file. They are also sent to every redirect target.
    var rangeHeaders: [String: String] = [:]
    /// The form to send with POST; nil for a GET request. A form is sent only to the address itself, because redirects
    /// of a form are refused.
    var form: String?
    /// Whether the server is allowed to compress the response. The sink receives decompressed bytes.
    var acceptsCompression = false
    /// The time limit for the request and all its redirects; nil for a download, which has only connect and stall
    /// timeouts.
    var deadline: Deadline?
    /// Whether the address is allowed to point to this machine or its network, for example because the user typed the
    /// address.
    var mayBeLocal = true

    /// Returns header lines in the form "Name: value". Omits fields that contain control characters other than tabs,
    /// because a line break would add a header.
    func headerLines(isAtOrigin: Bool) -> [String] {
        let fields = isAtOrigin ? Array(headers) + Array(rangeHeaders) : Array(rangeHeaders)
        return fields.filter { !($0.key + $0.value).utf8.contains { $0 < 0x20 && $0 != 0x09 } }
            .map { "\($0.key): \($0.value)" }
    }
}

/// The time limit of a request with all its redirects and retries, in milliseconds.
struct Deadline: Sendable {
    /// The time when the limit expires, in milliseconds on the clock of ``FetchOptions``.
    var at: Int
    /// The length of the whole time limit, for error messages.
    var whole: Int
}
