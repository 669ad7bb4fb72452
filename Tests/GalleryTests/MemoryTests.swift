import Catalog
import Gallery
import Pixels
import Playback
import Testing

@Suite("Seen, dismissed and idle")
struct MemoryTests {
    private func gallery(_ feed: Feed = .search(words: "cats"), _ count: Int = 30) -> Session {
        var session = Session(feed)
        session.send(.opened)
        let items: [GIFReference] = (0..<count).map { .some("\($0)") }
        if feed.isLocal {
            session.remember(KeptListing(items: items, seconds: 0))
        } else {
            session.answer(.success(ResultPage(items: items)))
        }
        return session
    }

    @Test("a dot stands before what was not seen, until the full view showed it")
    func seen() {
        var session = gallery()
        #expect(session.text.contains("[• Title 0]"))
        session.press(.enter, .escape)
        #expect(session.text.contains("[Title 0]"))
        session.send(.marked([GIFKey(provider: "commons", id: "1"): Marks(isViewed: true)]))
        #expect(session.text.contains("  Title 1"))
    }

    @Test("d takes one away, the next takes its place; u brings it back where it was")
    func dismiss() {
        var session = gallery()
        session.press(.right, .down)
        let before = session.state.view().tiles
        let selected = session.selected
        let place = before.first { $0.key.id == selected }?.position
        session.press(.character("d"))
        #expect(session.effects.contains(.setDismissed([.some("3")], true)))
        #expect(session.tiles.first { $0.key.id == "4" }?.position == place)
        #expect(session.selected == "4" && !session.tiles.contains { $0.key.id == "3" })
        session.press(.character("u"))
        #expect(session.effects.contains(.setDismissed([.some("3")], false)))
        #expect(session.selected == selected && session.state.view().tiles == before)
    }

    @Test("D takes away all that are on the screen, and one u brings all of them back")
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

    @Test("dismissing all says so, and how to take it back")
    func nothingLeft() {
        var session = gallery(.search(words: "cats"), 1)
        session.press(.enter, .character("d"))
        #expect(session.text.contains("all of these are dismissed") && session.tiles.isEmpty)
        session.press(.character("u"))
        #expect(session.tiles.count == 1)
    }

    @Test("in the full view d goes on to the next")
    func dismissInFull() {
        var session = gallery()
        session.press(.enter, .character("d"))
        #expect(session.tiles.map { $0.key.id } == ["1"] && session.effects.contains(.noteViewed(.some("1"))))
    }

    @Test("what was dismissed is in no feed but in the history, with a mark")
    func history() {
        let mark = [GIFKey(provider: "commons", id: "1"): Marks(isDismissed: true)]
        for feed in [Feed.search(words: "cats"), .trending(source: nil), .favourites] {
            var session = gallery(feed, 3)
            session.send(.marked(mark))
            #expect(session.tiles.map { $0.key.id } == ["0", "2"])
        }
        var session = gallery(.history, 3)
        session.send(.marked(mark))
        #expect(session.tiles.count == 3 && session.text.contains("✕ • Title 1"))
    }

    @Test("a message stands for 4 s")
    func messages() {
        var session = gallery()
        session.send(.told(.saved(path: "/tmp/cat.gif")))
        session.wait(milliseconds: 3999)
        #expect(session.status.contains("saved: /tmp/cat.gif"))
        session.wait(milliseconds: 1)
        #expect(!session.status.contains("saved"))
    }

    @Test("after 10 s without a key one comes at random, every 10 s another")
    func idle() {
        var session = gallery(.trending(source: nil), 5)
        session.wait(milliseconds: 9999)
        #expect(session.effects.isEmpty)
        session.wait(milliseconds: 1)
        guard case .randomTurn(let first)? = session.effects.first else {
            Issue.record("nothing came")
            return
        }
        session.send(.turned(ticket: first, .success(.some("one"))))
        #expect(session.tiles.map { $0.key.id } == ["one"] && session.shown.first?.wantsOriginal == true)
        session.wait(milliseconds: 10_000)
        guard case .randomTurn(let second)? = session.effects.first else {
            Issue.record("nothing followed")
            return
        }
        session.send(.turned(ticket: first, .success(.some("late"))))
        #expect(session.tiles.map { $0.key.id } == ["one"])
        session.send(.turned(ticket: second, .success(.some("two"))))
        #expect(session.tiles.map { $0.key.id } == ["two"])
    }

    @Test("any key ends that, does nothing else, and finds the gallery as it was")
    func wakes() {
        var session = gallery(.trending(source: nil), 20)
        session.press(.down, .down)
        let before = session.state.view()
        session.wait(milliseconds: 10_000)
        if case .randomTurn(let ticket)? = session.effects.first {
            session.send(.turned(ticket: ticket, .success(.some("one"))))
        }
        #expect(session.state.view() != before)
        session.press(.character("q"))
        #expect(!session.all.contains(.quit(signal: nil)) && session.state.view() == before)
    }

    @Test("a key while the random one is on its way gives it up")
    func wakesBefore() {
        var session = gallery(.trending(source: nil), 20)
        session.wait(milliseconds: 10_000)
        guard case .randomTurn(let ticket)? = session.effects.first else { return }
        session.press(.down)
        #expect(session.effects.contains(.cancel(ticket: ticket)))
        session.send(.turned(ticket: ticket, .success(.some("one"))))
        #expect(!session.tiles.contains { $0.key.id == "one" })
    }

    @Test("with words, in the full view, in other feeds and under the help nothing comes by itself")
    func busy() {
        var words = gallery()
        words.wait(milliseconds: 60_000)
        var favourites = gallery(.favourites)
        favourites.wait(milliseconds: 60_000)
        var full = gallery(.trending(source: nil))
        full.press(.enter)
        full.wait(milliseconds: 60_000)
        var help = gallery(.trending(source: nil))
        help.press(.character("?"))
        help.wait(milliseconds: 60_000)
        #expect([words, favourites, full, help].allSatisfy { $0.effects.isEmpty })
    }

    @Test("the small picture is shown until the original is there")
    func original() {
        var session = gallery()
        session.press(.enter)
        #expect(session.status.contains("loading the original"))
        session.send(.tile(GIFKey(provider: "commons", id: "0"), .original))
        #expect(!session.status.contains("loading the original"))
        session.press(.character("n"))
        #expect(session.status.contains("loading the original"))
    }

    @Test("nobody is told of a loading original that cannot be had, or that is there")
    func loadedOriginal() {
        var session = gallery()
        session.press(.enter)
        session.send(.tile(GIFKey(provider: "commons", id: "0"), .noOriginal))
        #expect(!session.status.contains("loading the original"))
        // Home selects the GIF that is already in the full view. Its `TileNews` is not sent again.
        session.press(.home)
        #expect(!session.status.contains("loading the original"))
    }
}

@Suite("Line by line")
struct PlainListingTests {
    private let plain = PlainListing(language: .english, sourceTitles: ["commons": "Wikimedia Commons"])

    @Test("each GIF is told in full, numbered on from page to page")
    func lines() {
        let lines = plain.lines(of: [.some("a"), .some("b", title: "")], from: 26, at: 1_763_740_800)
        #expect(
            lines == [
                "26. Title a", "   by Ada, Wikimedia Commons, CC BY-SA 4.0, 400×300 1.2 MB, 3 days ago",
                "   https://example.org/a", "   Title a — Ada (CC BY-SA 4.0)", "27. untitled",
                "   by Ada, Wikimedia Commons, CC BY-SA 4.0, 400×300 1.2 MB, 3 days ago", "   https://example.org/b",
                "   Title b — Ada (CC BY-SA 4.0)",
            ])
    }

    @Test("no line moves the cursor, whatever a service wrote")
    func harmless() {
        let lines = plain.lines(of: [.some("a", title: "x\u{1B}[2J\ny\u{202E}")], from: 1, at: 0)
        #expect(lines.first == "1. x y")
        let scalars = lines.joined().unicodeScalars
        #expect(scalars.allSatisfy { $0.value >= 32 && $0.value != 0x202E })
    }

    @Test("headings, endings and failures are sentences")
    func around() {
        #expect(plain.heading(of: .search(words: "cats"), ResultPage(items: [], total: 340)) == ["“cats”: 340 GIFs"])
        let samples = ResultPage(items: [.some("a", source: "samples")], total: 16)
        #expect(plain.heading(of: .trending(source: nil), samples) == ["Built-in: 16 GIFs"])
        let mixed = ResultPage(items: samples.items + [.some("b")], total: 16)
        #expect(plain.heading(of: .trending(source: nil), mixed) == ["Trending: 16 GIFs"])
        #expect(plain.ending(count: 25, total: 340, hasMore: true) == ["25 of 340 GIFs; there are more"])
        #expect(plain.ending(count: 1, hasMore: false) == ["1 GIF"])
        #expect(plain.failure(.noKey(variable: "GIPHY_API_KEY")) == ["wants a key: GIPHY_API_KEY"])
        #expect(plain.nothing(for: .search(words: "dancng")).first == "nothing found for “dancng”")
    }
}
