import Base
import Catalog
import TestServer
import Testing

@Suite struct SessionMediaStoreTests {
    @Test("The least recently used entries are evicted when newer entries need memory")
    func eviction() throws {
        let store = SessionMediaStore(limit: 300_000)
        for name in ["a", "b", "c"] { try store.store(gif(), for: name) }
        #expect(store.read("a") == gif())
        try store.store(gif(seed: 9), for: "d")
        #expect(["a", "b", "c", "d"].map { store.read($0) != nil } == [true, false, true, true])
        try store.store(gif(50_000), for: "a")
        try store.store(gif(50_000), for: "e")
        #expect(["a", "c", "d", "e"].map { store.read($0)?.count } == [50_000, 100_000, 100_000, 50_000])
    }

    @Test("An entry larger than the limit is refused")
    func oversizedEntry() {
        let store = SessionMediaStore(limit: 1_000)
        #expect(throws: Failure.tooLargeForCache(limit: 1_000)) { try store.store(gif(), for: "a") }
        #expect(store.read("a") == nil)
    }

    @Test("A complete download is stored", .timeLimit(.minutes(15)))
    func completeDownload() async throws {
        let server = try await LoopbackServer { _, _ in .init(body: gif()) }
        let store = SessionMediaStore()
        let download = CurlHTTPClient(options()).download(.init(url: server.base, store: store))
        #expect(await download.waitForEnd() == .finished)
        #expect(store.read(server.base) == gif())
    }
}
