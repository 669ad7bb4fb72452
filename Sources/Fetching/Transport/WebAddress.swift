import CCurl

/// A URL taken apart by the parser that will connect, so that what is judged is what is asked.
///
/// libcurl must be loaded. The fragment is dropped: it is not sent.
struct WebAddress: Equatable, Sendable {
    /// The whole URL. May carry a key, so it goes into no error.
    let text: String
    /// In lower case.
    let scheme: String
    /// Numbers that stand for an IPv4 address are written out as one: 0x7f.1 as 127.0.0.1.
    let host: String
    /// Scheme, host and port: who sees what is sent.
    let origin: String

    /// - Returns: nil for what is no absolute URL.
    init?(_ text: String) {
        self.init(text, base: nil)
    }

    /// Where a Location header leads, relative or absolute.
    func resolving(_ location: String) -> WebAddress? {
        WebAddress(location, base: text)
    }

    /// Whether it is of a kind that may be fetched.
    var isWeb: Bool { (scheme == "http" || scheme == "https") && !host.isEmpty }

    private init?(_ text: String, base: String?) {
        guard let url = gifplay_url_init() else { return nil }
        defer { gifplay_url_cleanup(url) }
        // Schemes of no use to us are parsed all the same, so that a refusal can name them.
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
