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
        func stored(_ provider: String, _ id: String) -> GIFReference {
            GIFReference(
                provider: provider, id: id, title: "", attribution: "", renditions: [], cachePolicy: .embedded)
        }
        #expect(stored("samples", Self.sample.name).origin == .sample(Self.sample))
        #expect(stored("samples", "no-such-sample").needsDownload && stored("commons", Self.sample.name).needsDownload)
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

    @Test("Only addresses and results of services need a download")
    func needsDownload() {
        let local: [GIFReference] = [.file("a.gif"), .standardInput, .sample(Self.sample)]
        #expect(local.allSatisfy { !$0.needsDownload && $0.pageURL == nil })
        let remote: [GIFReference] = [.address(Self.url), .titled("cat")]
        #expect(remote.allSatisfy { $0.needsDownload })
    }

    @Test("A typed URL belongs to no source, and its GIF stays on disk only if both hosts allow it")
    func address() {
        let direct = GIFReference.address("https://a.example/a.gif")
        #expect(direct.cachePolicy == .persistent && !direct.isResult)
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

    @Test("The label of a file is its name and its folder, with control characters replaced")
    func fileLabel() {
        let file = GIFReference.file("/home/me/a.gif")
        #expect(file.label(in: .english) == PlaybackLabel(title: "a.gif", detail: "/home/me"))
        #expect(GIFReference.file("/a.gif").label(in: .english).detail == "/")
        #expect(GIFReference.file("me/a.gif").label(in: .english).detail == "me")
        #expect(GIFReference.file("a.gif").label(in: .english) == PlaybackLabel(title: "a.gif"))
        #expect(GIFReference.file("a\u{1B}[2Jb.gif").label(in: .english).title == "a\u{FFFD}[2Jb.gif")
    }

    @Test("The label of a URL is the name of the file and the host")
    func addressLabel() {
        let address = GIFReference.address(Self.url)
        #expect(address.label(in: .english) == PlaybackLabel(title: "a.gif", detail: "example.org"))
        #expect(GIFReference.address(Self.url).pageURL == "https://Example.org/cats/a.gif")
        #expect(
            GIFReference.sample(Self.sample).label(in: .english)
                == PlaybackLabel(title: Self.sample.title, detail: "built-in"))
        #expect(GIFReference.standardInput.label(in: .english) == PlaybackLabel(title: "standard input"))
    }

    @Test("The label of a result contains the credit that the source requires; the link leads to the GIF's page")
    func referenceLabel() {
        let reference = GIFReference(
            provider: "commons", id: "1", title: "Cat", pageURL: "https://example.org/1", author: "Ann",
            licence: "CC0", attribution: "Cat — Ann, CC0 · https://example.org/1", renditions: [],
            cachePolicy: .persistent)
        let item = reference
        #expect(item.label(in: .english).title == "Cat" && item.label(in: .english).detail == "https://example.org/1")
        #expect(item.label(in: .english).credit.contains("Ann") && item.label(in: .english).credit.contains("CC0"))
        #expect(item.pageURL == "https://example.org/1")
    }

    @Test("A file and a sample can be read; an item that must be downloaded cannot")
    func reader() throws {
        let folder = try TemporaryDirectory()
        let bytes = GIFBuilder(width: 2, height: 2).frame(1, delay: 10, width: 2, height: 2).trailer().bytes
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
        let bytes = GIFBuilder(width: 3, height: 2).frame(1, delay: 10, width: 3, height: 2).trailer().bytes
        let fetched = FetchedItem(.address(Self.url), content: bytes)
        let frame = IndexedFrame()
        #expect(try fetched.reader(limits: DecodeLimits()).next(into: frame) && frame.canvas.width == 3)
    }
}
