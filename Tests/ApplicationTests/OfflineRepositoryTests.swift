import Catalog
import Playback
import TestServer
import Testing

@testable import Application

@Suite("Offline repository") struct OfflineRepositoryTests {
    private let folder: TemporaryDirectory
    private let session: ServiceSession

    init() throws {
        folder = try TemporaryDirectory()
        session = ServiceSession(
            try Settings(isOffline: true, size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path]))
    }

    private var repository: any GIFRepository { SampleRepository { [session] in session.cachedReferences } }

    private func store(_ bytes: [UInt8], as key: String) throws {
        let writer = try #require(session.cache).writer(for: key)
        try bytes.withUnsafeBytes { try writer.append($0) }
        try writer.commit()
    }

    @Test("A search and the trending list contain only built-in samples")
    func samples() async throws {
        try store(Self.credit("cat", "Ann").bytes, as: "credit")
        let hits = try await repository.search(SearchQuery("dancing cat"), page: nil)
        #expect(hits.items.first?.id == "dancing-cat" && hits.next == nil)
        #expect(hits.items.allSatisfy { $0.cachePolicy == .embedded })
        let trending = try await repository.trending(ListingPreferences(), page: nil)
        #expect(trending.items.map(\.id) == Sample.all.map(\.name) && repository.name == "samples")
    }

    @Test("The random list contains the built-in samples and the cached GIFs with a known credit")
    func random() async throws {
        let credit = Self.credit("A cat", "Ann, CC0")
        try store(credit.bytes, as: credit.key)
        try store(Array("GIF89a".utf8), as: "https://a.example/2.gif")
        let items = try await repository.random(ListingPreferences()).items
        #expect(items.count == Sample.all.count + 1)
        let cached = try #require(items.first { $0.provider == "cache" })
        #expect(cached.title == "A cat" && cached.attribution == "Ann, CC0" && cached.cachePolicy == .persistent)
        #expect(cached.renditions.map(\.url) == ["https://a.example/1.gif"])
    }

    @Test("A credit can be stored and read, even if its texts are empty", arguments: ["", "Ann"])
    func credit(attribution: String) throws {
        let credit = Self.credit("", attribution)
        let read = try #require(CachedCredit(credit.bytes))
        #expect(read.url == credit.url && read.title.isEmpty && read.attribution == attribution)
        #expect(read.key == "credit:https://a.example/1.gif" && credit.bytes.starts(with: CachedCredit.start))
    }

    private static func credit(_ title: String, _ words: String) -> CachedCredit {
        let url = "https://a.example/1.gif"
        return CachedCredit(url: url, title: title, attribution: words, credit: words, page: "https://a.example/1")
    }

    @Test(
        "The label of a cached GIF is that of its source, also from an entry of version 1.0", arguments: [false, true])
    func label(isOld: Bool) throws {
        let attribution = "A cat — Ann (CC0) · https://a.example/1"
        let stored = CachedCredit(
            url: "https://a.example/1.gif", title: "A cat", attribution: attribution, credit: "Ann (CC0)",
            page: "https://a.example/1")
        let old = CachedCredit.start + Array("https://a.example/1.gif\nA cat\n\(attribution)".utf8)
        let read = try #require(CachedCredit(isOld ? old : stored.bytes)).reference
        #expect(
            read.label(in: .english)
                == PlaybackLabel(title: "A cat", credit: "Ann (CC0)", detail: "https://a.example/1"))
        #expect(read.attribution == attribution)
    }

    @Test("An entry with too few or too many lines is not a credit", arguments: ["", "a", "a\nb", "a\nb\nc\nd"])
    func malformed(text: String) {
        #expect(CachedCredit(CachedCredit.start + Array(text.utf8)) == nil)
    }
}
