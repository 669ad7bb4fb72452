import Foundation

/// Fake services on loopback. Each service lists one GIF for each hostile text, and all text fields of this GIF contain
/// the text.
enum HostileTextSite {
    static let services = ["giphy", "klipy", "commons", "openverse", "gifcities"]
    /// API keys for the services that require a key.
    static let keys = ["GIPHY_API_KEY": "giphy-k3y-4242", "KLIPY_API_KEY": "klipy-k3y-4242"]

    static func site() throws -> FakeSite {
        try FakeSite { request, base in
            for service in services where request.path.hasPrefix("/" + service) {
                return try listing(service, base)
            }
            return try .gif("campfire")
        }
    }

    /// Returns a listing that repeats the first GIF of a fixture once for each hostile text.
    private static func listing(_ service: String, _ base: String) throws -> FakeSite.Reply {
        let fixture = String(decoding: try FakeSite.fixture("\(service)/search.json", base).body, as: UTF8.self)
        // The fake server stands in for web.archive.org.
        let text = fixture.replacingOccurrences(of: "https://web.archive.org", with: base)
        let answer = multiplied(try JSONSerialization.jsonObject(with: Data(text.utf8)))
        return FakeSite.Reply(body: Array(try JSONSerialization.data(withJSONObject: answer)))
    }

    /// Returns a response in which each list of GIFs repeats its first GIF once for each hostile text. A list of GIFs
    /// is either a JSON member with a known name or the whole response.
    private static func multiplied(_ value: Any) -> Any {
        if let first = (value as? [Any])?.compactMap({ $0 as? [String: Any] }).first {
            return HostileText.marked.indices.map { withHostileText(first, number: $0, name: "") }
        }
        guard let object = value as? [String: Any] else { return value }
        return object.reduce(into: object) { object, member in
            if ["query", "pages", "data", "results"].contains(member.key) {
                object[member.key] = multiplied(member.value)
            }
        }
    }

    private static let texts: Set<String> = [
        "title", "username", "value", "url_text", "creator", "license", "attribution", "display_name", "slug", "rating",
    ]
    private static let pages: Set<String> = ["descriptionurl", "foreign_landing_url", "page", "license_url"]

    private static func withHostileText(_ value: Any, number: Int, name: String) -> Any {
        let hostile = HostileText.marked[number]
        if let object = value as? [String: Any] {
            return object.reduce(into: [String: Any]()) {
                $0[$1.key] = withHostileText($1.value, number: number, name: $1.key)
            }
        }
        if let list = value as? [Any] { return list.map { withHostileText($0, number: number, name: name) } }
        if name == "pageid" || name == "id", value is NSNumber { return 7_000 + number }
        guard let text = value as? String else { return value }
        switch name {
        case "id": return text + hostile
        // GifCities identifies a GIF by its checksum, so each GIF gets a different checksum.
        case "checksum":
            return text.dropLast(2) + [number / 16, number % 16].map { String(Array("ABCDEFGHIJKLMNOP")[$0]) }.joined()
        case "gif" where !text.hasPrefix("http"): return text
        case _ where texts.contains(name) && !text.hasPrefix("http"): return hostile + " " + text
        // Some hostile texts make a page URL invalid, and gifplay omits an invalid page URL. Therefore, every second
        // page URL is unchanged.
        case _ where pages.contains(name): return number.isMultiple(of: 2) ? text : text + "/" + hostile
        case _ where text.hasPrefix("http"): return text + (text.contains("?") ? "&" : "?") + "n=\(number)"
        default: return text
        }
    }
}
