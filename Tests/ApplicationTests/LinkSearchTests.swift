import Base
import Catalog
import TestSupport
import Testing

@testable import Application

@Suite("Search of a link") struct LinkSearchTests {
    private func search(_ url: String) -> LinkSearch { LinkSearch(url, of: .address(url)) }

    /// The targets that remain, in their order.
    private func targets(_ search: LinkSearch) -> [LinkSearch.Target] {
        var search = search
        return Array(sequence(state: ()) { _ in search.next() })
    }

    @Test("A link without a row is tried as it is, and may be local, because the user typed it")
    func plain() throws {
        var search = search("http://192.168.1.2/a.gif")
        #expect(try search.start { _ in false } == nil)
        let found = targets(search)
        #expect(found.map(\.url) == ["http://192.168.1.2/a.gif"] && found.allSatisfy { $0.mayBeLocal })
    }

    @Test(
        "A link with a row is replaced by its targets, which may be local only if the link allows it",
        arguments: [
            (
                "https://giphy.com/gifs/cat-abc",
                ["https://i.giphy.com/abc.gif", "https://i.giphy.com/media/abc/giphy.gif"]
            ),
            ("https://imgur.com/abcdefg.gifv", ["https://i.imgur.com/abcdefg.gif"]),
            ("https://tenor.com/embed/12", ["https://tenor.com/view/12"]),
        ])
    func row(url: String, expected: [String]) throws {
        for mayBeLocal in [true, false] {
            var search = search(url)
            #expect(try search.start { _ in mayBeLocal } == nil)
            let found = targets(search)
            #expect(found.map(\.url) == expected && found.allSatisfy { $0.mayBeLocal == mayBeLocal })
        }
    }

    @Test("A link to videos is refused, and one of KLIPY is described by its API")
    func others() throws {
        var videos = search("https://redgifs.com/watch/x")
        let error = thrown(Failure.self) { try videos.start { _ in false } }
        #expect(error?.message.hasPrefix("redgifs.com has only videos") == true)
        var klipy = search("https://klipy.com/gifs/cat-1")
        #expect(try klipy.start { _ in false } == "cat-1")
        let cat = GIFReference(
            provider: "klipy", id: "1", title: "Cat", attribution: "",
            renditions: [Rendition(url: "https://a.example/1.gif"), Rendition(url: "https://klipy.com/gifs/cat-1")],
            cachePolicy: .sessionOnly)
        klipy.replaceTargets(by: cat)
        #expect(targets(klipy).map(\.url) == ["https://a.example/1.gif", "https://klipy.com/gifs/cat-1"])
    }

    @Test("No address is tried twice, and at most six are tried")
    func limit() {
        var search = search("https://a.example/page")
        let urls = (0..<4).flatMap { ["https://b.example/\($0).gif", "https://b.example/\($0 / 2).gif"] }
        search.replaceTargets(
            by: GIFReference(
                provider: "klipy", id: "1", title: "", attribution: "", renditions: urls.map { Rendition(url: $0) },
                cachePolicy: .sessionOnly))
        #expect(targets(search).map(\.url) == (0..<4).map { "https://b.example/\($0).gif" })
        search.replaceTargets(
            by: GIFReference(
                provider: "klipy", id: "1", title: "", attribution: "",
                renditions: (0..<9).map { Rendition(url: "https://b.example/\($0).gif") }, cachePolicy: .sessionOnly))
        #expect(targets(search).count == 6)
    }

    @Test("A target that cannot be fetched leaves the others; the last error is the first one, with the other host")
    func failed() throws {
        var search = search("https://giphy.com/gifs/cat-abc")
        _ = try search.start { _ in false }
        for number in 1...2 {
            let next = search.next()
            let target = try #require(next)
            #expect(try search.addTargets(after: Failure("error \(number)"), at: target, nil) == nil)
        }
        #expect(search.next() == nil)
        let expected = "https://giphy.com/gifs/cat-abc (leads to https://i.giphy.com/media/abc/giphy.gif): error 1"
        #expect(search.error.message == expected)
    }

    @Test("A GIF has the link of the user, the address of its file and the title of the row")
    func found() throws {
        var search = search("https://giphy.com/gifs/dancing-cat-abc")
        _ = try search.start { _ in false }
        let next = search.next()
        let target = try #require(next)
        let item = search.found(FetchedItem(search.item), at: target).item
        #expect(item.pageURL == "https://giphy.com/gifs/dancing-cat-abc" && item.title == "dancing cat")
        #expect(item.renditions.map(\.url) == ["https://i.giphy.com/abc.gif"] && item.cachePolicy == .sessionOnly)
    }
}
