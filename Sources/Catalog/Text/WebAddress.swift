import Base
import CCurl
import Glibc

/// Checks and encodes web addresses. Accepted addresses use http or https and are printable ASCII.
package enum WebAddress {
    /// Returns the address with its illegal bytes percent-encoded; nil if it is not a valid http or https address. An
    /// address that begins with `//` becomes an https address.
    ///
    /// Legal characters stay unchanged, because GIPHY forbids changes to the query part of its addresses.
    package static func checked(_ raw: String) -> String? {
        let text = raw.hasPrefix("//") ? "https:" + raw : raw
        let scheme = text.prefix(8).lowercased()
        guard scheme.hasPrefix("http://") || scheme.hasPrefix("https://") else { return nil }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        let address = encoded(text)
        // Without libcurl, no request can be sent, so no host needs a check.
        return !ParsedURL.isAvailable || ParsedURL(withoutCredentials: address)?.isWeb == true ? address : nil
    }

    /// Whether a text has the form `https://host:port/path`. Does not load libcurl, because each start checks the
    /// configuration.
    package static func isBase(_ text: String) -> Bool {
        let isWeb = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
        let isClean = text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !illegal.contains($0) }
        let authority = WebAddress.approximate(text)
        // Brackets enclose an address with colons.
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        let port = authority.dropFirst(host.count)
        let isPort = port.isEmpty || port.first == ":" && Int(outside: port.dropFirst(), in: 1...65_535) != nil
        return isWeb && isClean && !host.isEmpty && authority.hasPrefix(host) && isPort
    }

    /// Percent-encodes the bytes that are illegal in an address.
    static func encoded(_ text: String) -> String { escaped(text) { $0 > 0x20 && $0 < 0x7F && !illegal.contains($0) } }

    /// Percent-encodes a value for a query or a path segment. Only unreserved characters stay unchanged.
    package static func component(_ value: String) -> String {
        escaped(value) { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: unreserved.contains(byte)
            }
        }
    }

    /// Decodes the percent-encoded bytes of a text.
    static func decoded(_ text: some StringProtocol) -> String { String(decoding: decodedBytes(text), as: UTF8.self) }

    package static func decodedBytes(_ text: some StringProtocol) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.count > 1
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// In lower case. Ignores query and fragment.
    package static func fileExtension(_ address: String) -> String? {
        let name = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last
        guard let name, let dot = name.lastIndex(of: ".") else { return nil }
        return name[name.index(after: dot)...].lowercased()
    }

    private static let unreserved = Set("-._~".utf8)
    private static let illegal = Set("\"<>\\^`{}".utf8)

    private static func escaped(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.pathBytes {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}

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
        // Newer versions of libcurl also need the permission for the spaces that they encode.
        let flags = known | (base == nil ? rules : UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE))
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
extension WebAddress {
    /// In lower case.
    package static func host(_ url: String) -> String {
        ParsedURL(guessingScheme: url)?.host.lowercased() ?? approximateHost(url)
    }

    /// Returns the host, and the port if the URL names one.
    package static func authority(_ url: String) -> String {
        ParsedURL(guessingScheme: url)?.authority ?? approximate(url)
    }

    /// Whether a host is a domain or one of its subdomains.
    package static func isHost(_ host: String, in domain: String) -> Bool {
        let host = host.lowercased()
        return host == domain || host.hasSuffix("." + domain)
    }

    /// Returns the host for a message if libcurl cannot parse the URL or cannot be loaded. No request is sent then.
    package static func approximateHost(_ url: String) -> String { approximate(url).prefix { $0 != ":" }.lowercased() }

    private static func approximate(_ url: String) -> String {
        let text = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = text.prefix { !"/?#".contains($0) }
        return String(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority)
    }

    /// Returns the URL in the form `https://host/path`.
    package static func displayText(_ url: String) -> String {
        "\(url.prefix { $0 != ":" })://\(authority(url))\(path(url))"
    }

    /// The parameters that grant access to an account, by their names in lower case without separators.
    private static let secretParameters: Set<String> = [
        "key", "apikey", "appkey", "token", "accesstoken", "authtoken", "auth", "password", "passwd", "pwd", "secret",
        "clientsecret", "session", "sessionid", "feed",
    ]

    /// Returns the URL without user name, password, and the query parameters whose names say that they are secret.
    package static func shareable(_ url: String) -> String {
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

    /// Returns the last part of the path without percent-encoding, or the host if the path is empty.
    package static func title(_ url: String) -> String {
        path(url).split(separator: "/").last.map { decoded($0) } ?? host(url)
    }

    private static func path(_ url: String) -> Substring {
        let address = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        return address.drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }
    }
}
