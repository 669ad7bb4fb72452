import Base
import Catalog
import Playback
import Testing

@testable import Gallery

@Suite("Links and files in the gallery")
struct OpenLinkTests {
    /// A file that exists.
    private static let path = "/etc/passwd"

    private func gallery(_ feed: Feed) -> Session {
        var session = Session(feed) { $0.feeds = [feed, .favourites] }
        session.open(GIFReference.many(5))
        return session
    }

    private func target(_ feed: Feed, _ text: String) -> Feed {
        feed.isOfFiles ? .files(matching: text) : .search(query: text)
    }

    @Test(
        "A file that is dropped on the window opens, and Esc leads back to the grid",
        arguments: [Feed.random, .search(query: "cat"), .files(matching: "")], ["", "file://", "'"])
    func dropped(feed: Feed, prefix: String) {
        let text = prefix + Self.path + (prefix == "'" ? "'" : "")
        var session = gallery(feed)
        session.send(.paste(text))
        #expect(session.effects.contains { $0.isLoad(of: target(feed, text)) } && session.state.mode == .browsing)
        session.answer(.success(ResultPage(items: [.file(Self.path)])))
        #expect(session.large == Self.path)
        session.press(.escape)
        #expect(session.selected == Self.path && session.state.mode == .browsing)
        session.press(.escape)
        #expect(session.state.listing.feed == feed && session.selected == "0")
    }

    @Test("A link opens with Enter, and several GIFs stay in the grid", arguments: [Feed.random, .files(matching: "")])
    func link(feed: Feed) {
        let address = "https://h.test/a.gif"
        for (items, isLarge) in [([GIFReference.some("9")], true), (GIFReference.many(2), false), ([], false)] {
            var session = gallery(feed)
            session.send(.paste(address))
            #expect(!session.effects.contains { $0.isLoad(of: target(feed, address)) })
            session.press(.enter)
            #expect(session.effects.contains { $0.isLoad(of: target(feed, address)) })
            session.answer(.success(ResultPage(items: items)))
            #expect((session.large != nil) == isLarge)
        }
    }

    @Test("Nothing opens after the user has gone elsewhere, or if the link has failed")
    func elsewhere() {
        var session = gallery(.random)
        session.send(.paste(Self.path))
        session.press(.tab, .tab)
        session.answerStore(StoredListing(items: [.some("9")], seconds: 0))
        #expect(session.large == nil && session.selected == "9")
        session = gallery(.random)
        session.send(.paste(Self.path))
        session.answer(.failure(Failure("not a GIF")))
        #expect(session.large == nil && session.text.contains("not a GIF"))
    }

    @Test("A typed path in a folder is not looked for at each letter; names without a slash are filters")
    func typed() {
        var session = gallery(.files(matching: ""))
        session.type("/https://h.te")
        #expect(!session.all.contains { $0.isLoad(of: .files(matching: "https://h.te")) })
        session = gallery(.files(matching: ""))
        session.type("/cat.gif")
        #expect(session.effects.contains { $0.isLoad(of: .files(matching: "cat.gif")) })
        session.answer(.success(ResultPage(items: [.some("9")])))
        session.press(.enter)
        #expect(session.large == nil)
    }
}
