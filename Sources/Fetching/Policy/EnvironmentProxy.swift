/// The proxy that the environment specifies for a URL, by libcurl's rules. For requests, libcurl itself reads the
/// environment; `gifplay doctor` uses this type to display libcurl's choice.
public struct EnvironmentProxy: Equatable, Sendable {
    /// The environment variable that specifies the proxy.
    public var variable: String
    /// Host and port, without user name and password.
    public var address: String

    /// Returns nil if the environment specifies no proxy for this URL.
    public init?(url: String, environment: [String: String]) {
        guard let colon = url.firstRange(of: "://") else { return nil }
        let host = Self.host(url[colon.upperBound...])
        let scheme = url[..<colon.lowerBound].lowercased()
        // libcurl ignores HTTP_PROXY, because in a CGI program the client can set that variable with a `Proxy` header.
        let variables =
            (scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"])
            + ["all_proxy", "ALL_PROXY"]
        let named = variables.lazy.compactMap { name in
            environment[name].flatMap { $0.isEmpty ? nil : (name: name, value: $0) }
        }.first
        guard let named, !Self.isExcepted(host, by: environment["no_proxy"] ?? environment["NO_PROXY"] ?? "") else {
            return nil
        }
        variable = named.name
        let value = named.value.firstRange(of: "://").map { named.value[$0.upperBound...] } ?? named.value[...]
        address = String(Self.authority(value))
    }

    /// Whether a list of names in `no_proxy` contains the host or one of its parent domains.
    private static func isExcepted(_ host: String, by list: String) -> Bool {
        if list == "*" { return true }
        return list.split { $0 == "," || $0 == " " }.contains { entry in
            let name = (entry.hasPrefix(".") ? entry.dropFirst() : entry).lowercased()
            return host == name || host.hasSuffix("." + name)
        }
    }

    private static func authority(_ text: Substring) -> Substring {
        let authority = text.prefix { !"/?#".contains($0) }
        return authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    }

    private static func host(_ text: Substring) -> String {
        let authority = authority(text)
        if authority.hasPrefix("[") { return authority.dropFirst().prefix { $0 != "]" }.lowercased() }
        return authority.prefix { $0 != ":" }.lowercased()
    }
}
