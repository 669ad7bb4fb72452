import CCurl
import Glibc

/// libcurl parses the URL both for gifplay's checks and for the request, so both use exactly the same address.
///
/// The first use loads libcurl. The fragment is removed, because clients do not send it to servers.
package struct ParsedURL: Equatable, Sendable {
    /// The whole URL. It can contain a key and must not appear in errors.
    package let text: String
    /// In lower case.
    package let scheme: String
    /// Numeric forms of an IPv4 address are normalised. For example, 0x7f.1 becomes 127.0.0.1.
    package let host: String
    /// Scheme, host and port, which identify the receiver of the request.
    package let origin: String
    /// The host, and the port if the URL names one.
    package let authority: String

    /// - Returns: nil if the text is not an absolute URL.
    package init?(_ text: String) { self.init(text, base: nil) }

    /// Parses a URL that may lack its scheme, such as a proxy in an environment variable.
    init?(guessingScheme text: String) { self.init(text, base: nil, UInt32(CURLU_GUESS_SCHEME)) }

    /// - Returns: nil also if the URL contains a user name or a password.
    init?(withoutCredentials text: String) { self.init(text, base: nil, UInt32(CURLU_DISALLOW_USER)) }

    /// Resolves a Location header, relative or absolute, against this address.
    package func resolving(_ location: String) -> ParsedURL? { ParsedURL(location, base: text) }

    package var isWeb: Bool { (scheme == "http" || scheme == "https") && !host.isEmpty }

    static var isAvailable: Bool { gifplay_curl_load(nil) == nil }

    private init?(_ text: String, base: String?, _ rules: UInt32 = 0) {
        guard Self.isAvailable, let url = gifplay_url_init() else { return nil }
        defer { gifplay_url_cleanup(url) }
        // Accept unsupported schemes here, so that an error can name the scheme.
        let known = UInt32(CURLU_NON_SUPPORT_SCHEME)
        if let base, gifplay_url_set(url, CURLUPART_URL, base, known) != CURLUE_OK { return nil }
        let flags = base == nil ? known | rules : known | UInt32(CURLU_URLENCODE)
        guard gifplay_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK,
            gifplay_url_set(url, CURLUPART_FRAGMENT, nil, 0) == CURLUE_OK,
            Self.makeHostASCII(url), let whole = Self.part(CURLUPART_URL, of: url),
            let scheme = Self.part(CURLUPART_SCHEME, of: url)
        else { return nil }
        self.text = whole
        self.scheme = scheme.lowercased()
        host = Self.part(CURLUPART_HOST, of: url) ?? ""
        authority = host + (Self.part(CURLUPART_PORT, of: url).map { ":" + $0 } ?? "")
        let port = Self.part(CURLUPART_PORT, of: url, flags: UInt32(CURLU_DEFAULT_PORT)) ?? ""
        origin = "\(self.scheme)://\(host.lowercased()):\(port)"
    }

    /// - Returns: false if the host is an international name that is not valid.
    private static func makeHostASCII(_ url: OpaquePointer) -> Bool {
        guard let host = part(CURLUPART_HOST, of: url), host.utf8.contains(where: { $0 > 0x7E }) else { return true }
        guard let ascii = gifplay_ascii_host(host) else { return false }
        defer { free(ascii) }
        return gifplay_url_set(url, CURLUPART_HOST, ascii, 0) == CURLUE_OK
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer, flags: UInt32 = 0) -> String? {
        guard let text = gifplay_url_get(url, part, flags) else { return nil }
        defer { gifplay_curl_free(text) }
        return String(cString: text)
    }
}

/// The parts of a URL that are safe to display: not the user name and the query string, which can contain keys.
public enum URLAuthority {
    /// In lower case.
    public static func host(_ url: String) -> String {
        ParsedURL(guessingScheme: url)?.host.lowercased() ?? approximateHost(url)
    }

    /// Returns the host, and the port if the URL names one.
    public static func text(_ url: String) -> String { ParsedURL(guessingScheme: url)?.authority ?? approximate(url) }

    /// Whether a host is a domain or one of its subdomains.
    public static func isHost(_ host: String, in domain: String) -> Bool {
        let host = host.lowercased()
        return host == domain || host.hasSuffix("." + domain)
    }

    /// Returns the host for a message if libcurl cannot parse the URL or cannot be loaded. No request is sent then.
    package static func approximateHost(_ url: String) -> String { approximate(url).prefix { $0 != ":" }.lowercased() }

    private static func approximate(_ url: String) -> String {
        let text = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = text.prefix { !"/?#".contains($0) }
        return String(authority.split(separator: "@").last ?? authority)
    }

    /// Returns the URL in the form `https://host/path`.
    public static func displayText(_ url: String) -> String { "\(url.prefix { $0 != ":" })://\(text(url))\(path(url))" }

    /// The parameters that grant access to an account, by their names in lower case without separators.
    private static let secretParameters: Set<String> = [
        "key", "apikey", "appkey", "token", "accesstoken", "authtoken", "auth", "password", "passwd", "pwd", "secret",
        "clientsecret", "session", "sessionid", "feed",
    ]

    /// Returns the URL without user name, password, and the query parameters whose names say that they are secret.
    public static func shareable(_ url: String) -> String {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        let host = url[start..<end].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let path = url[end...].prefix { $0 != "?" }
        let query = url[path.endIndex...].prefix { $0 != "#" }
        let fields = query.dropFirst().split(separator: "&").filter { field in
            !secretParameters.contains(field.prefix { $0 != "=" }.lowercased().filter { $0.isLetter })
        }
        return "\(url[..<start])\(host)\(path)\(fields.isEmpty ? "" : "?")\(fields.joined(separator: "&"))"
            + url[query.endIndex...]
    }

    /// Returns the last part of the path, or the host if the path is empty.
    public static func title(_ url: String) -> String {
        path(url).split(separator: "/").last.map(String.init) ?? host(url)
    }

    private static func path(_ url: String) -> Substring {
        let address = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        return address.drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }
    }
}
