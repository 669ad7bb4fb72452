import Base
import Catalog
import LoadingSupport
import Pixels
import Playback
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite struct PlayItemTests {
    private static let sample = Sample.all[0]
    private static let url = "https://Ann:secret@Example.org/cats/a.gif?key=secret"

    @Test("A reference to a built-in sample becomes that sample; any other reference stays a reference")
    func samples() throws {
        let references = try SampleRepository().trending(ListingPreferences(), page: nil).items
        #expect(!references.isEmpty && references.allSatisfy { PlayItem($0).isLocal })
        #expect(PlayItem(references[0]).name == Self.sample.name)
        var unknown = references[0]
        unknown.id = "no-such-sample"
        #expect(!PlayItem(unknown).isLocal && !PlayItem(.titled(Self.sample.name)).isLocal)
    }

    @Test("The label of a file in '.' or '..' contains the name of the folder")
    func folders() throws {
        let folder = try TemporaryDirectory()
        try FileSystem.makeDirectory(folder.path + "/cats/dogs")
        let labels = ["cats/./a.gif", "cats/dogs/../a.gif"].map {
            PlayItem.file(folder.path + "/" + $0).label(in: .english)
        }
        #expect(labels.map(\.title) == ["a.gif", "a.gif"] && labels.map(\.detail) == ["cats", "cats"])
    }

    /// The link that is displayed, copied and opened.
    private static func link(_ item: PlayItem) -> String? {
        FetchedItem(item: item, content: .local).reference?.pageURL
    }

    @Test("Only addresses and references need a download")
    func isLocal() {
        let local: [PlayItem] = [.file("a.gif"), .standardInput, .sample(Self.sample)]
        #expect(local.allSatisfy { $0.isLocal && Self.link($0) == nil && $0.address.isEmpty })
        let remote: [PlayItem] = [.address(Self.url), .reference(.titled("cat"))]
        #expect(remote.allSatisfy { !$0.isLocal })
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
        #expect(Self.link(.address(typed)) == shared)
    }

    @Test("The name of a URL omits the user and the query; an untitled GIF is named by its source and identifier")
    func names() {
        #expect(PlayItem.file("cats/a.gif").name == "cats/a.gif")
        #expect(PlayItem.standardInput.name == "standard input")
        #expect(PlayItem.address(Self.url).name == "https://Example.org/cats/a.gif")
        #expect(PlayItem.reference(.titled("cat")).name == "cat")
        var untitled = GIFReference.titled("7")
        untitled.title = ""
        #expect(PlayItem.reference(untitled).name == "commons 7")
    }

    @Test("The label of a file is its name and its folder, with control characters replaced")
    func fileLabel() {
        #expect(PlayItem.file("/home/me/a.gif").label(in: .english) == PlaybackLabel(title: "a.gif", detail: "home/me"))
        #expect(PlayItem.file("a.gif").label(in: .english) == PlaybackLabel(title: "a.gif"))
        #expect(PlayItem.file("a\u{1B}[2Jb.gif").label(in: .english).title == "a\u{FFFD}[2Jb.gif")
    }

    @Test("The label of a URL is the name of the file and the host")
    func addressLabel() {
        #expect(PlayItem.address(Self.url).label(in: .english) == PlaybackLabel(title: "a.gif", detail: "example.org"))
        #expect(Self.link(.address(Self.url)) == "https://Example.org/cats/a.gif")
        #expect(
            PlayItem.sample(Self.sample).label(in: .english)
                == PlaybackLabel(title: Self.sample.title, detail: "built-in"))
        #expect(PlayItem.standardInput.label(in: .english) == PlaybackLabel(title: "standard input"))
    }

    @Test("The label of a result contains the credit that the source requires; the link leads to the GIF's page")
    func referenceLabel() {
        let reference = GIFReference(
            provider: "commons", id: "1", title: "Cat", pageURL: "https://example.org/1", author: "Ann",
            licence: "CC0", attribution: "Cat — Ann, CC0 · https://example.org/1", renditions: [],
            cachePolicy: .persistent)
        let item = PlayItem(reference)
        #expect(item.label(in: .english).title == "Cat" && item.label(in: .english).detail == "https://example.org/1")
        #expect(item.label(in: .english).credit.contains("Ann") && item.label(in: .english).credit.contains("CC0"))
        #expect(Self.link(item) == "https://example.org/1")
    }

    @Test("A file and a sample can be read; an item that must be downloaded cannot")
    func localReader() throws {
        let folder = try TemporaryDirectory()
        let bytes = GIFBuilder(width: 2, height: 2).frame(1, delay: 10, width: 2, height: 2).trailer().bytes
        try folder.write(bytes, to: "a.gif")
        for item in [PlayItem.file(folder.path + "/a.gif"), .sample(Self.sample)] {
            let reader = try item.localReader(limits: DecodeLimits())
            #expect(try reader.next(into: IndexedFrame()))
        }
        let missing = try PlayItem.file(folder.path + "/missing.gif").localReader(limits: DecodeLimits())
        #expect(throws: GIFError.self) { _ = try missing.next(into: IndexedFrame()) }
        #expect(throws: GIFError.empty) {
            _ = try PlayItem.address(Self.url).localReader(limits: DecodeLimits())
        }
    }

    @Test("The reason for a replacement is appended to the label of the sample")
    func replacement() throws {
        var fetched = FetchedItem(item: .sample(Self.sample), content: .local)
        #expect(fetched.label(in: .english).detail == "built-in")
        fetched.reason = "no network"
        #expect(fetched.label(in: .english) == PlaybackLabel(title: Self.sample.title, detail: "built-in; no network"))
        #expect(fetched.label(in: .german).detail == "eingebaut; Quellen nicht verfügbar")
        #expect(
            fetched.download == nil && fetched.downloadFailure == nil && DownloadNote.text(nil, in: .english) == nil)
    }

    @Test("Fetched bytes are read instead of the item's own file")
    func fetchedBytes() throws {
        let bytes = GIFBuilder(width: 3, height: 2).frame(1, delay: 10, width: 3, height: 2).trailer().bytes
        let fetched = FetchedItem(item: .address(Self.url), content: .bytes(bytes))
        let frame = IndexedFrame()
        #expect(try fetched.reader(limits: DecodeLimits()).next(into: frame) && frame.canvas.width == 3)
    }
}
