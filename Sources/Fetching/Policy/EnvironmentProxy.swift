import Catalog

/// The proxy that the environment specifies for a URL, by libcurl's rules.
public struct EnvironmentProxy: Equatable, Sendable {
    public var variable: String
    /// Host and port, without user name and password.
    public var address: String
    /// The value of the variable, with user name and password.
    let value: String

    /// Returns nil if the environment specifies no proxy for this URL.
    public init?(url: String, environment: [String: String]) {
        guard let target = ParsedURL(url) else { return nil }
        self.init(target, environment)
    }

    init?(_ target: ParsedURL, _ environment: [String: String]) {
        // libcurl ignores HTTP_PROXY, because in a CGI program the client can set that variable with a `Proxy` header.
        let variables =
            (target.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
        let named = variables.lazy.compactMap { name in
            environment[name].flatMap { $0.isEmpty ? nil : (name: name, value: $0) }
        }.first
        let exceptions = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        guard let named, !Self.isExcepted(target.host.lowercased(), by: exceptions) else { return nil }
        (variable, value) = named
        address = URLAuthority.text(named.value)
    }

    /// Whether `no_proxy` lists the host, one of its parent domains, or a block of addresses such as `10.0.0.0/8` that
    /// contains it.
    private static func isExcepted(_ bracketedHost: String, by list: String) -> Bool {
        let host = bracketedHost.hasPrefix("[") ? String(bracketedHost.dropFirst().dropLast()) : bracketedHost
        if list == "*" { return true }
        return list.split { $0 == "," || $0 == " " }.contains { entry in
            let name = (entry.hasPrefix(".") ? entry.dropFirst() : entry).lowercased()
            return host == name || host.hasSuffix("." + name) || LocalAddress.isAddress(host, in: name)
        }
    }
}
