import Fetching
import TestServer
import Testing

@Suite struct SessionMediaStoreTests {
    @Test func `what is held comes back until younger ones need its room`() throws {
        let store = SessionMediaStore(limit: 300_000)
        for name in ["a", "b", "c"] { try store.store(gif(), for: name) }
        #expect(store.read("a") == gif())
        try store.store(gif(seed: 9), for: "d")
        #expect(["a", "b", "c", "d"].map { store.read($0) != nil } == [true, false, true, true])
        try store.store(gif(50_000), for: "a")
        try store.store(gif(50_000), for: "e")
        #expect(["a", "c", "d", "e"].map { store.read($0)?.count } == [50_000, 100_000, 100_000, 50_000])
    }

    @Test func `what is larger than the whole is not held`() {
        let store = SessionMediaStore(limit: 1_000)
        #expect(throws: FetchError.tooLargeForCache(limit: 1_000)) { try store.store(gif(), for: "a") }
        #expect(store.read("a") == nil)
    }

    @Test(.timeLimit(.minutes(15))) func `a download is held once it is whole`() async throws {
        let server = try await LoopbackServer { _, _ in .init(body: gif()) }
        let store = SessionMediaStore()
        let download = CurlHTTPClient(options()).download(.init(url: server.base, store: store))
        #expect(await download.end() == .finished)
        #expect(store.read(server.base) == gif())
    }
}
