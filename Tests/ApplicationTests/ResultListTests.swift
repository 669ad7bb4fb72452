import Catalog
import Testing

@testable import Application

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
        #expect(
            text == "{\"attribution\":\"Ann\",\"author\":\"Ann\",\"id\":\"3\",\"number\":3,"
                + "\"page\":\"https://example.org/3\",\"source\":\"commons\",\"title\":\"Cat\","
                + "\"url\":\"https://a.example/a.gif\",\"width\":2}")
    }
}
