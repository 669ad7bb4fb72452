import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("Viewed and dismissed GIFs, and the screensaver")
struct MarksAndScreensaverTests {
    private func gallery(_ feed: Feed = .search(query: "cats"), _ count: Int = 30) -> Session {
        var session = Session(feed)
        session.send(.opened)
        let items: [GIFReference] = (0..<count).map { .some("\($0)") }
        if feed.isLocal {
            session.answerStore(StoredListing(items: items, seconds: 0))
        } else {
            session.answer(.success(ResultPage(items: items)))
        }
        return session
    }

    @Test(
        "'n' and 'p' pass over dismissed GIFs, which the history and favourites keep",
        arguments: [Feed.history, .favourites])
    func passedOver(feed: Feed) {
        var session = Session(feed, stored: GIFReference.many(5))
        let keys = ["1", "2", "4"].map { GIFKey(provider: "commons", id: $0) }
        session.send(.marked(Dictionary(uniqueKeysWithValues: keys.map { ($0, Marks(isDismissed: true)) })))
        session.press(.enter, .character("n"))
        #expect(session.large == "3")
        session.press(.character("n"))
        #expect(session.large == "3" && session.notice == "last GIF")
        session.press(.character("p"))
        #expect(session.large == "0")
        // The grid still has all of them.
        session.press(.escape, .right)
        #expect(session.selected == "1")
    }

    @Test("The picture of a GIF that the large view has shown is faded, unless it is selected or a favourite")
    func viewed() {
        var session = gallery()
        func faded() -> [String] { session.tiles.filter(\.isFaded).map(\.key.id) }
        session.press(.enter, .escape)
        #expect(faded().isEmpty)
        session.press(.right)
        #expect(faded() == ["0"])
        session.send(.marked([GIFKey(provider: "commons", id: "2"): Marks(isFavourite: true, isViewed: true)]))
        #expect(faded() == ["0"])
        session = gallery(.history, 3)
        session.send(.marked([GIFKey(provider: "commons", id: "2"): Marks(isViewed: true)]))
        #expect(faded().isEmpty)
    }

    @Test("The key 'd' dismisses a GIF, and the next GIF takes its position; 'u' restores the dismissed GIF")
    func dismiss() {
        var session = gallery()
        session.press(.right, .down)
        let before = session.state.view().tiles
        let selected = session.selected
        let place = before.first { $0.key.id == selected }?.position
        session.press(.character("d"))
        #expect(session.effects.contains(.setDismissed([.some("4")], true)))
        #expect(session.tiles.first { $0.key.id == "5" }?.position == place)
        #expect(session.selected == "5" && !session.tiles.contains { $0.key.id == "4" })
        session.press(.character("u"))
        #expect(session.effects.contains(.setDismissed([.some("4")], false)))
        #expect(session.selected == selected && session.state.view().tiles == before)
    }

    @Test("The key 'D' dismisses all visible GIFs, and 'u' restores them")
    func dismissAll() {
        var session = gallery()
        session.press(.pageDown, .pageDown)
        let before = session.state.view().tiles
        let gone = Set(before.map { $0.key.id })
        session.press(.character("D"))
        #expect(session.tiles.allSatisfy { !gone.contains($0.key.id) } && !session.tiles.isEmpty)
        #expect(session.status.contains("dismissed · u: undo"))
        session.press(.character("u"))
        #expect(session.state.view().tiles == before)
        session.press(.character("u"))
        #expect(session.status.contains("nothing to undo"))
    }

    @Test("If all GIFs are dismissed, a message is displayed, and the key 'u' restores the GIFs")
    func nothingLeft() {
        var session = gallery(.search(query: "cats"), 1)
        session.press(.enter, .character("d"))
        #expect(session.text.contains("all GIFs are dismissed") && session.tiles.isEmpty)
        session.press(.character("u"))
        #expect(session.tiles.count == 1)
    }

    @Test("In the large view, the key 'd' dismisses the GIF and shows the next one")
    func dismissInFull() {
        var session = gallery()
        session.press(.enter, .character("d"))
        #expect(session.large == "1" && session.effects.contains(.markViewed(.some("1"))))
    }

    @Test("Dismissed GIFs are listed only in favourites, in the history and among the dismissed ones, with a mark")
    func history() {
        let mark = [GIFKey(provider: "commons", id: "1"): Marks(isDismissed: true)]
        for feed in [Feed.search(query: "cats"), .trending(source: nil), .random] {
            var session = gallery(feed, 3)
            session.send(.marked(mark))
            #expect(session.tiles.map { $0.key.id } == ["0", "2"])
        }
        for feed in [Feed.favourites, .history] {
            var session = gallery(feed, 3)
            session.send(.marked(mark))
            #expect(session.tiles.count == 3 && session.text.contains("✕ Title 1"))
            session.press(.character("d"))
            #expect(session.tiles.count == 3 && session.text.contains("✕ Title 0"))
        }
        var session = gallery(.dismissed, 3)
        session.send(.marked(mark))
        #expect(session.tiles.map { $0.key.id } == ["1"])
    }

    @Test(
        "In the feed of dismissed GIFs, 'd' restores one, 'D' all on the screen, and 'u' dismisses the last ones again")
    func restores() {
        var session = gallery(.dismissed, 4)
        session.send(
            .marked(Dictionary(uniqueKeysWithValues: GIFReference.many(4).map { ($0.key, Marks(isDismissed: true)) })))
        session.press(.character("d"))
        #expect(session.effects.contains(.setDismissed([GIFReference.many(1)[0]], false)))
        #expect(session.tiles.map { $0.key.id } == ["1", "2", "3"] && session.status.contains("restored"))
        session.press(.enter, .character("d"))
        #expect(session.large == "2")
        session.press(.escape, .character("D"))
        #expect(session.tiles.isEmpty && session.text.contains("no dismissed GIFs"))
        session.press(.character("u"))
        #expect(session.tiles.map { $0.key.id } == ["2", "3"])
    }

    @Test("A message is displayed for 3 s")
    func messages() {
        var session = gallery()
        session.send(.reported(.saved(path: "/tmp/cat.gif")))
        session.wait(milliseconds: 2999)
        #expect(session.status.contains("saved /tmp/cat.gif "))
        session.wait(milliseconds: 1)
        #expect(!session.status.contains("saved"))
    }

    @Test("After 60 s without input, the player shows random GIFs, and again 60 s after the user has returned")
    func idle() {
        var session = gallery(.trending(source: nil), 5)
        session.wait(milliseconds: 59_999)
        #expect(session.effects.isEmpty)
        session.wait(milliseconds: 1)
        #expect(session.effects == [.playRandom])
        session.press(.down)
        session.wait(milliseconds: 59_999)
        session.send(.pointer(PointerEvent(.wheelDown, row: 5, column: 5)))
        session.wait(milliseconds: 59_999)
        session.send(.paste(""))
        session.wait(milliseconds: 59_999)
        #expect(!session.effects.contains(.playRandom))
        session.wait(milliseconds: 1)
        #expect(session.effects == [.playRandom])
    }

    @Test("A GIF of the screensaver opens in the large view after the selected GIF, and Esc is back in the listing")
    func opensShown() {
        var session = gallery(.trending(source: nil), 20)
        session.press(.right)
        session.send(.show(.some("shown")))
        #expect(session.large == "shown" && session.effects.contains(.markViewed(.some("shown"))))
        session.press(.character("p"))
        #expect(session.large == "1")
        session.press(.character("n"), .character("n"), .escape)
        #expect(session.selected == "2" && session.tiles.contains { $0.key.id == "shown" })
    }

    @Test("The screensaver starts only while the gallery shows the trending feed")
    func otherViews() {
        var words = gallery()
        words.wait(milliseconds: 600_000)
        var favourites = gallery(.favourites)
        favourites.wait(milliseconds: 600_000)
        var full = gallery(.trending(source: nil))
        full.press(.enter)
        full.wait(milliseconds: 600_000)
        var help = gallery(.trending(source: nil))
        help.press(.character("?"))
        help.wait(milliseconds: 60_000)
        #expect([words, favourites, full, help].allSatisfy { $0.effects.isEmpty })
    }
}
