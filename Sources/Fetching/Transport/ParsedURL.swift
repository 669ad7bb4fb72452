import CCurl

/// A parsed URL. libcurl parses the URL both for gifplay's checks and for the request, so gifplay checks exactly the
/// address that libcurl requests.
///
/// libcurl must be loaded before the first use. The fragment is removed, because clients do not send it to servers.
struct ParsedURL: Equatable, Sendable {
    /// The whole URL. It can contain a key and must not appear in errors.
    let text: String
    /// The scheme in lower case.
    let scheme: String
    /// The host. Numeric forms of an IPv4 address are normalised. For example, 0x7f.1 becomes 127.0.0.1.
    let host: String
    /// Scheme, host and port, which identify the receiver of the request.
    let origin: String

    /// - Returns: nil if the text is not an absolute URL.
    init?(_ text: String) {
        self.init(text, base: nil)
    }

    /// Resolves a Location header, relative or absolute, against this address.
    func resolving(_ location: String) -> ParsedURL? {
        ParsedURL(location, base: text)
    }

    /// Whether gifplay can fetch this address: http or https with a host.
    var isWeb: Bool { (scheme == "http" || scheme == "https") && !host.isEmpty }

    private init?(_ text: String, base: String?) {
        guard let url = gifplay_url_init() else { return nil }
        defer { gifplay_url_cleanup(url) }
        // Accept unsupported schemes here, so that an error can name the scheme.
        let known = UInt32(CURLU_NON_SUPPORT_SCHEME)
        if let base, gifplay_url_set(url, CURLUPART_URL, base, known) != CURLUE_OK { return nil }
        let flags = base == nil ? known : known | UInt32(CURLU_URLENCODE)
        guard gifplay_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK,
            gifplay_url_set(url, CURLUPART_FRAGMENT, nil, 0) == CURLUE_OK,
            let whole = Self.part(CURLUPART_URL, of: url), let scheme = Self.part(CURLUPART_SCHEME, of: url)
        else { return nil }
        self.text = whole
        self.scheme = scheme.lowercased()
        host = Self.part(CURLUPART_HOST, of: url) ?? ""
        let port = Self.part(CURLUPART_PORT, of: url, flags: UInt32(CURLU_DEFAULT_PORT)) ?? ""
        origin = "\(self.scheme)://\(host.lowercased()):\(port)"
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer, flags: UInt32 = 0) -> String? {
        guard let text = gifplay_url_get(url, part, flags) else { return nil }
        defer { gifplay_curl_free(text) }
        return String(cString: text)
    }
}
