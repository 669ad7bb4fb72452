import Catalog

/// The proxy that the environment specifies for a URL, by libcurl's rules. For requests, libcurl itself reads the
/// environment; `gifplay doctor` uses this type to display libcurl's choice.
public struct EnvironmentProxy: Equatable, Sendable {
    public var variable: String
    /// Host and port, without user name and password.
    public var address: String

    /// Returns nil if the environment specifies no proxy for this URL.
    public init?(url: String, environment: [String: String]) {
        guard let target = ParsedURL(url) else { return nil }
        // libcurl ignores HTTP_PROXY, because in a CGI program the client can set that variable with a `Proxy` header.
        let variables =
            (target.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
        let named = variables.lazy.compactMap { name in
            environment[name].flatMap { $0.isEmpty ? nil : (name: name, value: $0) }
        }.first
        let exceptions = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        guard let named, !Self.isExcepted(target.host.lowercased(), by: exceptions) else { return nil }
        variable = named.name
        address = URLAuthority.text(named.value)
    }

    /// Whether a list of names in `no_proxy` contains the host or one of its parent domains.
    private static func isExcepted(_ bracketedHost: String, by list: String) -> Bool {
        let host = bracketedHost.hasPrefix("[") ? String(bracketedHost.dropFirst().dropLast()) : bracketedHost
        if list == "*" { return true }
        return list.split { $0 == "," || $0 == " " }.contains { entry in
            let name = (entry.hasPrefix(".") ? entry.dropFirst() : entry).lowercased()
            return host == name || host.hasSuffix("." + name)
        }
    }
}
