import Foundation
import Synchronization
import TestServer

/// A fake Wikimedia Commons on loopback. It has three pages of results for every query, and each GIF has a unique URL.
///
/// Each listing of random GIFs has other GIFs. A query that contains `slow` gets its response only after ``gate`` opens.
/// The first query that contains `overloaded` gets status 503 with `Retry-After: 45`.
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
                    return try Self.page(first, "Random", base)
                }
                return try Self.page(
                    Int(fields["gsroffset"] ?? "") ?? 0, query.contains("slow") ? "Late" : "Octopus", base)
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

    private static func page(_ offset: Int, _ name: String, _ base: String) throws -> FakeSite.Reply {
        let files = (offset + 1...offset + pageLength).map {
            CommonsFile(number: $0, title: "\(name) \($0)", url: "\(base)/media/\(name)_\($0).gif")
        }
        let next = offset + pageLength
        return try CommonsFile.listing(files, next: next < pageLength * pages ? next : nil)
    }
}
