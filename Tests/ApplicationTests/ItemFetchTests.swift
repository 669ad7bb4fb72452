import Base
import Catalog
import LoadingSupport
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Item fetch", .timeLimit(.minutes(5)))
struct ItemFetchTests {
    private static let animation = GIFBuilder(width: 2, height: 2)
        .frame(1, delay: 10, width: 2, height: 2).frame(2, delay: 10, width: 2, height: 2).trailer().bytes
    private static let stored = "https://a.example/stored.gif"
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Fetches all items of a list offline, on a thread of its own. Only ``stored`` is in the media cache.
    private func outcomes(_ list: Playlist) async throws -> [String] {
        try await onOwnThread { [folder] in
            let session = ServiceSession(
                try Settings(isOffline: true, size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path]))
            defer { session.close() }
            guard let cache = session.cache else { throw Failure("there is no cache") }
            let writer = try cache.writer(for: Self.stored)
            try Self.animation.withUnsafeBytes { try writer.append($0) }
            try writer.commit()
            let loader = GIFLoader(session)
            var list = list
            var outcomes: [String] = []
            while outcomes.count < 10 {
                do throws(Failure) {
                    guard let fetched = try list.fetchNext(loader) else { break }
                    outcomes.append("fetched " + fetched.item.name)
                } catch {
                    outcomes.append(error.message)
                }
            }
            return outcomes
        }
    }

    private func reference(_ title: String, _ url: String) -> GIFReference {
        GIFReference(
            provider: "commons", id: title, title: title, attribution: "", renditions: [Rendition(url: url)],
            cachePolicy: .persistent)
    }

    @Test("Local items are fetched in order")
    func local() async throws {
        let items: [GIFReference] = [.file("/nonexistent/a.gif"), .sample(Sample.all[0]), .file("b.gif")]
        let names = ["/nonexistent/a.gif", Sample.all[0].name, "b.gif"]
        #expect(try await outcomes(Playlist(listed: items)) == names.map { "fetched " + $0 })
    }

    @Test("If a listed URL cannot be fetched, the failure is reported, and the next item is fetched")
    func addresses() async throws {
        let list = Playlist(listed: [.address("https://a.example/1.gif"), .address(Self.stored), .file("b.gif")])
        #expect(
            try await outcomes(list) == [
                "https://a.example/1.gif: not in the media cache, and gifplay is offline", "fetched " + Self.stored,
                "fetched b.gif",
            ])
    }

    @Test("A failed search result is replaced by the next one")
    func results() async throws {
        let list = Playlist(results: [
            reference("alpha", "https://a.example/1.gif"), reference("beta", Self.stored),
        ])
        #expect(try await outcomes(list) == ["fetched beta"])
    }

    @Test("If no search result can be fetched, the last failure is reported")
    func failedResults() async throws {
        let list = Playlist(results: [
            reference("alpha", "https://a.example/1.gif"), reference("beta", "https://a.example/2.gif"),
        ])
        #expect(try await outcomes(list) == ["beta: not in the media cache, and gifplay is offline"])
    }

    @Test("If no result of a page can be fetched, the results of the next page are tried")
    func nextPage() async throws {
        let pages = [reference("alpha", "https://a.example/1.gif"), reference("beta", Self.stored)]
        let search = SearchLoop.results([pages[0]], [pages[1]])
        #expect(try await outcomes(Playlist(search: search)) == ["fetched beta"])
    }

    @Test("Nothing is fetched from an empty list")
    func empty() async throws {
        #expect(try await outcomes(Playlist(listed: [])).isEmpty)
    }
}
