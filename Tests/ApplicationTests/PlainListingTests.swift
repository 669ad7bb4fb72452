import Base
import Catalog
import Testing

@testable import Application

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
            renditions: [
                Rendition(url: "https://example.org/\(id).gif", width: 400, height: 300, bytes: 1_234_567)
            ],
            cachePolicy: source == "samples" ? .embedded : .persistent, posted: 1_763_424_000)
    }
}
