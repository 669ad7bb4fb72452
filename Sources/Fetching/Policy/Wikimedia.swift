/// Wikimedia's hosts, which have stricter rules for clients than other hosts.
public enum Wikimedia {
    /// Whether a host belongs to Wikimedia, such as `upload.wikimedia.org` and `commons.wikimedia.org`.
    public static func isHost(_ host: String) -> Bool {
        let host = host.lowercased()
        return ["wikimedia.org", "wikipedia.org"].contains { host == $0 || host.hasSuffix("." + $0) }
    }
}
