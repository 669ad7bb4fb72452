import Fetching

/// The parts of a URL that are safe to display: not the user name and the query string, which can contain keys.
public enum AddressName {
    public static func host(_ url: String) -> String { URLAuthority.host(url) }

    /// Returns the URL in the form `https://host/path`.
    public static func displayText(_ url: String) -> String {
        let scheme = url.prefix { $0 != ":" }
        return "\(scheme)://\(authority(url))\(path(url))"
    }

    /// Returns the last part of the path, or the host if the path is empty.
    public static func title(_ url: String) -> String {
        path(url).split(separator: "/").last.map(String.init) ?? host(url)
    }

    /// Returns the host and the port.
    static func authority(_ url: String) -> String { URLAuthority.text(url) }

    private static func path(_ url: String) -> Substring {
        let address = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        return address.drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }
    }
}
