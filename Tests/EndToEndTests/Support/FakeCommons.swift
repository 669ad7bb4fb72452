import Foundation
import Synchronization
import TestServer

/// A fake Wikimedia Commons on loopback. It has three pages of results for every query, and each GIF has a unique URL.
///
/// Each listing of random GIFs has other GIFs. A query that contains `slow` gets its response only after ``gate`` opens. The first query that contains `overloaded`
/// gets status 503 with `Retry-After: 45`.
final class FakeCommons: Sendable {
    static let pageLength = 12
    static let pages = 3

    let site: FakeSite
    let gate: Gate

    init(listens: Bool = true) throws {
        let gate = Gate()
        self.gate = gate
        let hasRefused = Atomic(false)
        let randomGIFs = Atomic(0)
        site = try FakeSite(listens: listens) { request, base in
            if request.path.hasPrefix("/commons") {
                let fields = Self.fields(request.query)
                let query = fields["gsrsearch"] ?? ""
                if query.contains("slow") { gate.wait() }
                if query.contains("overloaded"), !hasRefused.exchange(true, ordering: .relaxed) {
                    return .text("", status: 503, headers: "Retry-After: 45\r\n")
                }
                if fields["gsrsort"] == "random" {
                    let first = randomGIFs.add(Self.pageLength, ordering: .relaxed).oldValue
                    return .text(Self.page(first, "Random", base))
                }
                return .text(
                    Self.page(Int(fields["gsroffset"] ?? "") ?? 0, query.contains("slow") ? "Late" : "Octopus", base))
            }
            guard request.path.hasSuffix(".gif") else { return .text("", status: 503) }
            let samples = ["campfire", "dancing-cat", "beating-heart"]
            return try .gif(samples[(Int(request.path.filter(\.isNumber)) ?? 0) % samples.count])
        }
    }

    /// Returns the number of search requests whose URL contains `query`.
    func searchCount(containing query: String) -> Int {
        site.requestLines.count { $0.contains("/commons") && $0.contains(query) }
    }

    private static func fields(_ query: String) -> [String: String] {
        var fields: [String: String] = [:]
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.removingPercentEncoding ?? "" }
            if pair.count == 2 { fields[pair[0]] = pair[1] }
        }
        return fields
    }

    private static func page(_ offset: Int, _ name: String, _ base: String) -> String {
        let items = (1...pageLength).map { index in
            let number = offset + index
            let file = "\(name)_\(number).gif"
            return """
                {"pageid": \(7000 + number), "ns": 6, "title": "File:\(name) \(number).gif", "index": \(index),
                 "imageinfo": [{"timestamp": "2024-05-04T10:11:12Z", "size": 23000, "width": 120, "height": 90,
                 "url": "\(base)/media/\(file)", "descriptionurl": "https://commons.wikimedia.org/wiki/File:\(file)",
                 "mime": "image/gif", "mediatype": "BITMAP", "metadata": [{"name": "frameCount", "value": 24}],
                 "extmetadata": {"Artist": {"value": "Inkwell"}, "LicenseShortName": {"value": "CC0"}}}]}
                """
        }
        let next = offset + pageLength
        let following =
            next < pageLength * pages ? "\"continue\": {\"gsroffset\": \(next), \"continue\": \"gsroffset||\"}," : ""
        return "{\"batchcomplete\": true, \(following) \"query\": {\"pages\": [\(items.joined(separator: ","))]}}"
    }
}
