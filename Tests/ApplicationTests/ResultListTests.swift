import Base
import Catalog
import Gallery
import LoadingSupport
import TestServer
import TestSupport
import Testing

@testable import Application
@testable import Library

@Suite("Result list") struct ResultListTests {
    private static let choice = RenditionChoice(width: 80, height: 48)

    private func row(
        _ number: Int, _ title: String, _ renditions: [Rendition], author: String? = nil, licence: String? = nil
    ) -> ListedGIF {
        ListedGIF(
            number,
            GIFReference(
                provider: "commons", id: "\(number)", title: title, pageURL: "https://example.org/\(number)",
                author: author, licence: licence, attribution: "Ann", renditions: renditions, cachePolicy: .persistent),
            Self.choice)
    }

    @Test("The columns of the table are aligned; the numbers are aligned to the right")
    func table() {
        let rows = [
            row(9, "Cat", [Rendition(url: "a", width: 100, height: 50, bytes: 1_500)], author: "Ann", licence: "CC0"),
            row(10, "A longer title", [Rendition(url: "b")]),
        ]
        #expect(
            ResultList.table(rows) == [
                " 9  Cat             100x50 2 kB  commons  Ann, CC0", "10  A longer title               commons",
            ])
        #expect(ResultList.table([]).isEmpty)
    }

    @Test("A long title is shortened")
    func longTitle() {
        let lines = ResultList.table([row(1, String(repeating: "a", count: 100), [])])
        #expect(lines == ["1  " + String(repeating: "a", count: 43) + "…    commons"])
    }

    @Test("The listed file is the one that would be played")
    func file() {
        let large = Rendition(url: "https://a.example/large.gif", width: 2_000, height: 1_200, bytes: 9_000)
        let small = Rendition(url: "https://a.example/small.gif", width: 200, height: 120, bytes: 900)
        let listed = row(1, "Cat", [large, small])
        #expect(listed.url == small.url && listed.size == "200x120 900 B")
        let still = row(1, "Cat", [Rendition(url: "https://a.example/still.gif", frames: 1)])
        #expect(still.url == "https://a.example/still.gif" && row(1, "Cat", []).url.isEmpty)
    }

    @Test("Texts of services are printed without control characters")
    func hostile() {
        let listed = row(1, "a\u{1B}[2Jb", [], author: "An\u{202E}n", licence: "C\u{7}C0")
        #expect(listed.title == "ab" && listed.credit == "Ann, CC0")
    }

    @Test("The JSON object has the properties of the GIF and of its file, and omits unknown ones")
    func json() {
        let text = JSONLine.text(row(3, "Cat", [Rendition(url: "https://a.example/a.gif", width: 2)], author: "Ann"))
        let known = #""attribution":"Ann","author":"Ann","id":"3","number":3,"page":"https://example.org/3""#
        let file = #""source":"commons","title":"Cat","url":"https://a.example/a.gif","width":2"#
        #expect(text == "{\(known),\(file)}")
    }
}

@Suite struct PickedTextTests {
    private let commons = GIFReference(
        provider: "commons", id: "1", title: "A [big] cat", pageURL: "https://example.org/wiki/Cat_(1)", author: "Ada",
        licence: "CC BY-SA 4.0", licenceURL: "https://example.org/by-sa",
        attribution: "A [big] cat — Ada (CC BY-SA 4.0) · https://example.org/wiki/Cat_(1)",
        renditions: [Rendition(url: "https://example.org/cat.gif")], cachePolicy: .persistent)

    @Test("The URL, the page and the path are printed alone")
    func plain() {
        #expect(PickedText.line(.url, of: commons, path: nil) == "https://example.org/cat.gif")
        #expect(PickedText.line(.page, of: commons, path: nil) == "https://example.org/wiki/Cat_(1)")
        #expect(PickedText.line(.file, of: commons, path: "/a/cat.gif") == "/a/cat.gif")
    }

    @Test("Markdown has the image, the linked title, the author and the licence")
    func markdown() {
        #expect(
            PickedText.line(.markdown, of: commons, path: nil)
                == "![A \\[big\\] cat](https://example.org/cat.gif) "
                + "[A \\[big\\] cat](<https://example.org/wiki/Cat_(1)>), Ada, [CC BY-SA 4.0](https://example.org/by-sa)"
        )
    }

    @Test("A file has its file: address, unless its path is asked for")
    func file() {
        let file = GIFReference.file("/my gifs/cat.gif")
        for part in [PickedPart.url, .page] {
            #expect(PickedText.line(part, of: file, path: file.path) == "file:///my%20gifs/cat.gif")
        }
        #expect(PickedText.line(.file, of: file, path: file.path) == "/my gifs/cat.gif")
    }

    @Test("A built-in GIF has the address of its saved copy")
    func builtIn() throws {
        let sample = GIFReference.sample(try #require(Sample.all.first))
        let (path, url) = ("/my gifs/Dancing-cat.gif", "file:///my%20gifs/Dancing-cat.gif")
        for part in [PickedPart.url, .page] { #expect(PickedText.line(part, of: sample, path: path) == url) }
        #expect(PickedText.line(.file, of: sample, path: path) == path)
        #expect(PickedText.line(.markdown, of: sample, path: path) == "![Dancing cat](\(url)) Dancing cat, MIT")
    }

    @Test("Markdown has the mark that the source requires, and for a file only the image")
    func marks() {
        var giphy = commons
        (giphy.licence, giphy.author, giphy.title, giphy.pageURL) = (nil, nil, "Cat", "https://giphy.com/1")
        giphy.provider = "giphy"
        #expect(
            PickedText.line(.markdown, of: giphy, path: nil)
                == "![Cat](https://example.org/cat.gif) [Powered By GIPHY](https://giphy.com/1)")
        let file = GIFReference.file("/my gifs/cat.gif")
        #expect(PickedText.line(.markdown, of: file, path: file.path) == "![cat.gif](file:///my%20gifs/cat.gif)")
    }
}

@Suite("The plain listing")
struct PlainListingTests {
    private let plain = PlainListing(language: .english, sourceTitles: ["commons": "Wikimedia Commons"])

    @Test("Each GIF is listed with its number, details, page and credit")
    func lines() {
        let lines = plain.lines(of: [.some("a"), .some("b", title: "")], from: 26, at: 1_763_740_800)
        #expect(
            lines == [
                "26. Title a", "   by Ada, Wikimedia Commons, CC BY-SA 4.0, 400×300 1.2 MB, 3 days ago",
                "   https://example.org/a", "27. untitled",
                "   by Ada, Wikimedia Commons, CC BY-SA 4.0, 400×300 1.2 MB, 3 days ago", "   https://example.org/b",
            ])
    }

    @Test("Control characters of a service never reach the output")
    func controlCharacters() {
        let lines = plain.lines(of: [.some("a", title: "x\u{1B}[2J\ny\u{202E}")], from: 1, at: 0)
        #expect(lines.first == "1. x y")
        let scalars = lines.joined().unicodeScalars
        #expect(scalars.allSatisfy { $0.value >= 32 && $0.value != 0x202E })
    }

    @Test("The heading and the final line each consist of one line")
    func sentences() {
        #expect(plain.heading(of: .search(query: "cats"), ResultPage(items: [], total: 340)) == ["“cats”: 340 GIFs"])
        let samples = ResultPage(items: [.some("a", source: "samples")], total: 16)
        #expect(plain.heading(of: .trending(source: "samples"), samples) == ["Built-in: 16 GIFs"])
        let mixed = ResultPage(items: samples.items + [.some("b")], total: 16)
        #expect(plain.heading(of: .trending(source: nil), mixed) == ["Trending: 16 GIFs"])
        #expect(plain.ending(count: 25, hasMore: true) == ["25 GIFs; more available"])
        #expect(plain.ending(count: 1, hasMore: false) == ["1 GIF"])
    }
}

extension GIFReference {
    fileprivate static func some(_ id: String, source: String = "commons", title: String? = nil) -> GIFReference {
        GIFReference(
            provider: source, id: id, title: title ?? "Title \(id)", pageURL: "https://example.org/\(id)",
            author: "Ada", licence: "CC BY-SA 4.0", attribution: "Title \(id) — Ada (CC BY-SA 4.0)",
            renditions: [Rendition(url: "https://example.org/\(id).gif", width: 400, height: 300, bytes: 1_234_567)],
            cachePolicy: source == "samples" ? .embedded : .persistent, posted: 1_763_424_000)
    }
}

@Suite("Plain listing", .timeLimit(.minutes(5)))
struct PlainBrowseTests {
    private static let token = PageToken(source: "commons", parameters: [:])

    private func listings(_ outcomes: [Result<ResultPage, Failure>]) throws -> ServiceListings {
        let session = ServiceSession(try Settings(size: (80, 48), environment: [:]))
        return ServiceListings(session, RepositoryDouble("commons", outcomes))
    }

    /// Returns the printed lines.
    private func lines(_ listings: ServiceListings, _ feed: Feed) async throws -> [String] {
        try await onOwnThread {
            var lines: [String] = []
            try PlainBrowse(listings: listings, listing: PlainListing(), write: { lines.append($0) }).print(feed)
            return lines
        }
    }

    @Test("At most three pages are printed, numbered continuously; the last line states that more GIFs are available")
    func pages() async throws {
        let titles = [["a", "b"], ["c"], ["d"], ["e"]]
        let pages = titles.map { titles -> Result<ResultPage, Failure> in
            .success(ResultPage(items: titles.map { .titled($0) }, next: Self.token))
        }
        let lines = try await lines(listings(pages), .trending(source: nil))
        #expect(lines.first == "Trending" && lines.last == "4 GIFs; more available")
        #expect(lines.filter { $0.contains(". ") && !$0.hasPrefix(" ") } == ["1. a", "2. b", "3. c", "4. d"])
    }

    @Test("If all pages are printed, only the heading contains the number of GIFs")
    func lastPage() async throws {
        let page = ResultPage(items: [.titled("a")], total: 1)
        let lines = try await lines(listings([.success(page)]), .search(query: "cat"))
        #expect(lines.filter { $0.hasSuffix("1 GIF") } == ["“cat”: 1 GIF"] && lines.contains("1. a"))
    }

    @Test("A search without results is an error")
    func noResults() async throws {
        let listings = try listings([.success(ResultPage(items: [], total: 0))])
        let error = await thrown(Failure.self) { try await lines(listings, .search(query: "qqqqq")) }
        #expect(error?.message.hasPrefix("nothing found for 'qqqqq'; ") == true && error?.status == .failure)
    }

    @Test("If a page cannot be loaded, the error contains the reason")
    func failure() async throws {
        let listings = try listings([.failure(.outage)])
        let error = await thrown(Failure.self) { try await lines(listings, .trending(source: nil)) }
        #expect(error?.message == "reported an outage")
    }
}

@Suite("Library list") struct LibraryListTests {
    /// 6 May 2024, 07:08:09 UTC.
    private static let time = 1_714_979_289
    private static let day = 86_400

    private func reference(_ title: String, page: String? = nil) -> GIFReference {
        var reference = GIFReference.titled(title)
        reference.pageURL = page
        return reference
    }

    @Test("Each line has the marks, the day of the latest mark, the source, the title and the link")
    func table() {
        let cat = reference("A longer cat", page: "https://example.org/1")
        let rows = [
            MarkedGIF(reference: cat, favourite: Self.time, viewed: Self.time + Self.day, views: 2),
            MarkedGIF(reference: reference("Dog"), dismissed: Self.time),
        ]
        #expect(
            LibraryList.table(rows, nil) == [
                "fv-  2024-05-07  commons  A longer cat  https://example.org/1",
                "--d  2024-05-06  commons  Dog         ",
            ])
        #expect(LibraryList.table([], nil).isEmpty)
    }

    @Test("The list of favourites shows the day of the favourite mark, and the history shows the day of the view")
    func oneList() {
        let row = MarkedGIF(reference: reference("Cat"), favourite: Self.time, viewed: Self.time + Self.day, views: 1)
        #expect(LibraryList.table([row], .favourites) == ["fv-  2024-05-06  commons  Cat"])
        #expect(LibraryList.table([row], .history) == ["fv-  2024-05-07  commons  Cat"])
    }

    @Test("The heading names each letter of the marks and fits 80 columns")
    func legend() {
        #expect(["f favourite", "v viewed", "d dismissed"].allSatisfy(LibraryList.legend.contains))
        #expect(LibraryList.legend.count <= 80)
    }

    @Test("The JSON object has the time of each mark, and the number of views if the GIF was viewed")
    func json() {
        let viewed = MarkedGIF(reference: reference("Cat"), viewed: Self.time, views: 3)
        let json = #"{"id":"Cat","source":"commons","times":3,"title":"Cat","viewed":"2024-05-06T07:08:09Z"}"#
        #expect(JSONLine.text(ListedMark(viewed)) == json)
        let dismissed = MarkedGIF(reference: reference("Dog"), dismissed: Self.time)
        let other = #"{"dismissed":"2024-05-06T07:08:09Z","id":"Dog","source":"commons","title":"Dog"}"#
        #expect(JSONLine.text(ListedMark(dismissed)) == other)
    }
}
