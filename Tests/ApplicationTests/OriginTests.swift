import Base
import Catalog
import LoadingSupport
import Pixels
import Playback
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite struct OriginTests {
    private static let sample = Sample.all[0]
    private static let url = "https://Ann:secret@Example.org/cats/a.gif?key=secret"

    @Test("A reference to a built-in sample needs no download, also from the library; one to an unknown sample does")
    func samples() throws {
        let references = try SampleRepository().trending(ListingPreferences(), page: nil).items
        #expect(!references.isEmpty && references.allSatisfy { !$0.needsDownload && $0.isResult })
        #expect(references[0].name == Self.sample.name)
        #expect(GIFReference.titled(Self.sample.name, from: "samples").origin == .sample(Self.sample))
        #expect(GIFReference.titled("no-such-sample", from: "samples").needsDownload)
        #expect(GIFReference.titled(Self.sample.name).needsDownload)
    }

    @Test("The label of a file in '.' or '..' contains the name of the folder")
    func folders() throws {
        let folder = try TemporaryDirectory()
        try FileSystem.makeDirectory(folder.path + "/cats/dogs")
        let labels = ["cats/./a.gif", "cats/dogs/../a.gif"].map {
            GIFReference.file(folder.path + "/" + $0).label(in: .english)
        }
        #expect(labels.map(\.title) == ["a.gif", "a.gif"] && labels.map(\.detail) == ["cats", "cats"])
    }

    @Test("A typed URL belongs to no source, and its GIF stays on disk only if both hosts allow it")
    func address() {
        let direct = GIFReference.address("https://a.example/a.gif")
        #expect(direct.cachePolicy == .persistent && !direct.isResult && direct.needsDownload)
        #expect(GIFReference.address("https://media.giphy.com/a.gif").cachePolicy == .sessionOnly)
        let link = GIFReference.address("https://a.example/page").leading(to: "https://i.redd.it/b.gif")
        #expect(link.cachePolicy == .sessionOnly && link.renditions.map(\.url) == ["https://i.redd.it/b.gif"])
        #expect(link.origin == .address("https://a.example/page"))
        let data = GIFReference.data("data:image/gif;base64,R0lG", Array("GIF".utf8))
        #expect(data.name == "data: URL" && data.pageURL == nil && data.renditions.isEmpty && !data.needsDownload)
    }

    @Test(
        "The link of a typed URL, which is copied and opened, has no user name, password, key or token",
        arguments: [
            (url, "https://Example.org/cats/a.gif"),
            ("https://a.example/a.gif?w=2&h=3#b", "https://a.example/a.gif?w=2&h=3#b"),
            ("http://h/a?API_Key=1&w=2&access-token=3#key=4", "http://h/a?w=2#key=4"),
            ("http://a:b@c@h?token=1", "http://h"),
            ("http://h/a?monkey=1&sig=2", "http://h/a?monkey=1&sig=2"), ("http://h/a@b?c=d@e", "http://h/a@b?c=d@e"),
        ])
    func link(typed: String, shared: String) {
        #expect(GIFReference.address(typed).pageURL == shared)
    }

    @Test("The name of a URL omits the user and the query; an untitled GIF is named by its source and identifier")
    func names() {
        #expect(GIFReference.file("cats/a.gif").name == "cats/a.gif")
        #expect(GIFReference.standardInput.name == "standard input")
        #expect(GIFReference.address(Self.url).name == "https://Example.org/cats/a.gif")
        #expect(GIFReference.titled("cat").name == "cat")
        var untitled = GIFReference.titled("7")
        untitled.title = ""
        #expect(untitled.name == "commons 7")
    }

    @Test("The label of a file is its name and its folder without control characters, and that of a URL has the host")
    func labels() {
        let cases: [(GIFReference, PlaybackLabel)] = [
            (.file("/home/me/a.gif"), PlaybackLabel(title: "a.gif", detail: "/home/me")),
            (.file("/a.gif"), PlaybackLabel(title: "a.gif", detail: "/")),
            (.file("me/a.gif"), PlaybackLabel(title: "a.gif", detail: "me")),
            (.file("a.gif"), PlaybackLabel(title: "a.gif")),
            (.file("a\u{1B}[2Jb.gif"), PlaybackLabel(title: "a\u{FFFD}[2Jb.gif")),
            (.address(Self.url), PlaybackLabel(title: "a.gif", detail: "example.org")),
            (.sample(Self.sample), PlaybackLabel(title: Self.sample.title, detail: "built-in")),
            (.standardInput, PlaybackLabel(title: "standard input")),
        ]
        for (item, label) in cases {
            let isRemote = item == .address(Self.url)
            #expect(item.label(in: .english) == label && item.needsDownload == isRemote)
            #expect((item.pageURL != nil) == isRemote)
        }
    }

    @Test("The label of a result contains the credit that the source requires; the link leads to the GIF's page")
    func referenceLabel() {
        let reference = GIFReference(
            provider: "commons", id: "1", title: "Cat", pageURL: "https://example.org/1", author: "Ann",
            licence: "CC0", attribution: "Cat — Ann, CC0 · https://example.org/1", renditions: [],
            cachePolicy: .persistent)
        let label = reference.label(in: .english)
        #expect(label.title == "Cat" && label.detail == "https://example.org/1")
        #expect(label.credit.contains("Ann") && label.credit.contains("CC0"))
    }

    @Test("A file and a sample can be read; an item that must be downloaded cannot")
    func reader() throws {
        let folder = try TemporaryDirectory()
        let bytes = GIFBuilder.square(1).trailer().bytes
        try folder.write(bytes, to: "a.gif")
        for item in [GIFReference.file(folder.path + "/a.gif"), .sample(Self.sample)] {
            let reader = try FetchedItem(item).reader(limits: DecodeLimits())
            #expect(try reader.next(into: IndexedFrame()))
        }
        let missing = try FetchedItem(.file(folder.path + "/missing.gif")).reader(limits: DecodeLimits())
        #expect(throws: GIFError.self) { _ = try missing.next(into: IndexedFrame()) }
        #expect(throws: GIFError.empty) {
            _ = try FetchedItem(.address(Self.url)).reader(limits: DecodeLimits())
        }
    }

    @Test("The reason for a replacement is appended to the label of the sample")
    func replacement() throws {
        var fetched = FetchedItem(.sample(Self.sample))
        #expect(fetched.label(in: .english).detail == "built-in")
        fetched.replaced = ([.outage.of("giphy"), .nothingFound.of("commons")], nil)
        #expect(fetched.label(in: .english).detail == "built-in; giphy: unavailable")
        #expect(fetched.label(in: .german).detail == "eingebaut; Quellen nicht verfügbar")
        #expect(
            fetched.download == nil && fetched.downloadFailure == nil && DownloadNote.text(nil, in: .english) == nil)
    }

    @Test("Fetched bytes are read instead of the item's own file")
    func fetchedBytes() throws {
        let bytes = GIFBuilder.square(1, side: 3).trailer().bytes
        let fetched = FetchedItem(.address(Self.url), content: bytes)
        let frame = IndexedFrame()
        #expect(try fetched.reader(limits: DecodeLimits()).next(into: frame) && frame.canvas.width == 3)
    }
}

@Suite("Offline repository") struct OfflineRepositoryTests {
    private let folder: TemporaryDirectory
    private let session: ServiceSession

    init() throws {
        folder = try TemporaryDirectory()
        session = ServiceSession(
            try Settings(isOffline: true, size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path]))
    }

    private var repository: any GIFRepository { SampleRepository { [session] in session.cachedReferences } }

    @Test("A search and the trending list contain only built-in samples")
    func samples() async throws {
        try session.store(Self.credit("cat", "Ann").bytes, as: "credit")
        let hits = try await repository.search(SearchQuery("dancing cat"), page: nil)
        #expect(hits.items.first?.id == "dancing-cat" && hits.next == nil)
        #expect(hits.items.allSatisfy { $0.cachePolicy == .embedded })
        let trending = try await repository.trending(ListingPreferences(), page: nil)
        #expect(trending.items.map(\.id) == Sample.all.map(\.name) && repository.name == "samples")
    }

    @Test("The random list contains the built-in samples and the cached GIFs with a known credit")
    func random() async throws {
        let credit = Self.credit("A cat", "Ann, CC0")
        try session.store(credit.bytes, as: credit.key)
        try session.store(Array("GIF89a".utf8), as: "https://a.example/2.gif")
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
