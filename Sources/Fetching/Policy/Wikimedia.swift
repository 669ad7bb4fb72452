/// The hosts of Wikimedia, whose rules are stricter than those of others.
public enum Wikimedia {
    /// Whether a host is one of Wikimedia's: `upload.wikimedia.org`, `commons.wikimedia.org`.
    public static func isHost(_ host: String) -> Bool {
        let host = host.lowercased()
        return ["wikimedia.org", "wikipedia.org"].contains { host == $0 || host.hasSuffix("." + $0) }
    }
}
