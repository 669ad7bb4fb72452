import Base
import Catalog
import Playback
import Testing

@testable import Gallery

@Suite("Finding at once")
struct FindingTests {
    /// A gallery that shows three GIFs with pictures, in which the user has typed `text` after `/`.
    private func typed(_ text: String, _ feed: Feed = .trending(source: nil)) -> Session {
        var session = Session(feed, showing: GIFReference.many(3))
        for id in ["0", "1", "2"] { session.show(id) }
        session.type("/" + text)
        return session
    }

    @Test("Each letter asks this machine, and no letter asks the services before the pause")
    func letters() {
        var session = typed("")
        for letter in "cat" {
            session.type(String(letter))
            #expect(session.effects.contains { $0.isStoreLoad } && session.effects.allSatisfy { $0.loadTicket == nil })
        }
        session.answerStore(StoredListing(items: [.some("10")], seconds: 0))
        #expect(session.state.grid.items.map(\.id) == ["10"] && session.state.listing.feed == .search(query: "cat"))
        session.wait(milliseconds: 1_000)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "cat")) })
        session.answer(.success(ResultPage(items: [.some("11"), .some("10")])))
        #expect(session.state.grid.items.map(\.id) == ["10", "11"] && session.selected == "10")
    }

    @Test(
        "A space at the end and Enter ask at once, but a space after a paste does not",
        arguments: [
            ("cat", [Key.character(" ")], true), ("ok", [.character(" ")], true), ("cat", [.enter], true),
            ("cat", [.left, .character(" ")], false), ("", [.character(" ")], false),
        ])
    func askedAtOnce(text: String, keys: [Key], isAsked: Bool) {
        var session = typed(text)
        for key in keys { session.press(key) }
        #expect(session.all.contains { $0.isLoad(of: .search(query: text)) } == isAsked)
        session = typed("")
        session.send(.paste("a secret"))
        session.press(.character(" "))
        session.wait(milliseconds: 60_000)
        #expect(session.all.allSatisfy { !$0.isLoad(of: .search(query: "a secret")) })
    }

    @Test("Two spaces ask once")
    func asksOnce() {
        let session = typed("cat  ")
        #expect(session.all.count { $0.isLoad(of: .search(query: "cat")) } == 1)
    }

    @Test("The old tiles stay, dimmed, until the first picture of the new listing is there")
    func previousTiles() {
        var session = typed("cat")
        #expect(
            session.tiles.map(\.key.id) == ["0", "1", "2"] && session.tiles.allSatisfy { $0.isPrevious && $0.isFaded })
        session.answerStore(StoredListing(items: GIFReference.many(4, from: 10), seconds: 0))
        #expect(session.tiles.map(\.key.id) == ["0", "1", "2"])
        #expect(session.shown.prefix(4).map(\.reference.id).sorted() == ["10", "11", "12", "13"])
        #expect(session.shown.dropFirst(4).allSatisfy { $0.purpose == .still })
        session.show("12")
        #expect(session.tiles.map(\.key.id) == ["10", "11", "12", "13"] && session.tiles.allSatisfy { !$0.isPrevious })
        #expect(session.shown.allSatisfy { $0.reference.id.hasPrefix("1") })
    }

    @Test("A picture of another size than the service reports is decoded again, so the old tiles stay that long")
    func otherSize() {
        var session = typed("cat")
        session.answerStore(StoredListing(items: [.some("10")], seconds: 0))
        session.send(.tile(GIFKey(provider: "commons", id: "10"), .size(.init(width: 30, height: 90))))
        #expect(session.tiles.allSatisfy { $0.isPrevious })
        session.send(.tile(GIFKey(provider: "commons", id: "10"), .size(.init(width: 30, height: 90))))
        #expect(session.tiles.map(\.key.id) == ["10"])
    }

    @Test("A message takes the place of the old tiles at once: no result, a failure of all files, no connection")
    func messages() {
        var session = typed("cat ")
        session.answerStore(nil)
        session.answer(.success(ResultPage(items: [])))
        #expect(session.text.contains("nothing found for “cat”"))
        session = typed("cat ")
        session.answerStore(nil)
        session.answer(.failure(ScreenScenario.dead))
        #expect(session.text.contains("no network"))
        session = typed("cat ")
        session.answer(.success(ResultPage(items: [.some("10")])))
        session.send(.tile(GIFKey(provider: "commons", id: "10"), .failed(.tooLarge(limit: 1))))
        #expect(session.text.contains("failed: file"))
    }

    @Test("A GIF that is in both listings is not waited for")
    func common() {
        var session = typed("cat")
        session.answerStore(StoredListing(items: [.some("2", 300, 300), .some("10")], seconds: 0))
        #expect(session.tiles.map(\.key.id) == ["2", "10"])
    }

    @Test("Waiting tiles have one colour and no words; only the status line says who is asked, and for how long")
    func waiting() {
        var session = typed("cat ")
        session.send(.asking(ticket: session.lastLoad ?? 0, source: "commons"))
        session.wait(milliseconds: 2_000)
        #expect(session.status.contains("searching for “cat”… · asking Wikimedia Commons, 2 s"))
        #expect(session.text.ranges(of: "asking").count == 1 && !session.text.contains("loading"))
        session.answer(.success(ResultPage(items: GIFReference.many(3, from: 10))))
        session.press(.escape, .right)
        #expect(session.tiles.map(\.key.id) == ["10", "11", "12"] && !session.text.contains("loading"))
    }

    @Test("Esc returns to the listing before the query if no service has got it, otherwise the query's results stay")
    func escape() {
        var session = typed("cat")
        session.answerStore(StoredListing(items: [.some("10")], seconds: 0))
        session.show("10")
        session.press(.escape)
        #expect(session.state.listing.feed == .trending(source: nil) && session.state.search.query.isEmpty)
        #expect(session.state.grid.items.map(\.id) == ["0", "1", "2"])
        #expect(session.effects.allSatisfy { $0.loadTicket == nil })
        session = typed("cat ")
        session.press(.escape)
        #expect(session.state.listing.feed == .search(query: "cat") && session.state.search.query == "cat")
    }

    @Test("Down goes to what this machine has, and sends neither a short query nor a paste")
    func down() {
        var session = typed("ok")
        session.answerStore(StoredListing(items: [.some("10")], seconds: 0))
        session.press(.down)
        #expect(session.state.mode == .browsing && session.selected == "10")
        #expect(session.all.allSatisfy { !$0.isLoad(of: .search(query: "ok")) })
        session = typed("okay")
        session.press(.down)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "okay")) })
    }

    @Test("No later answer removes what this machine has found")
    func kept() {
        var session = typed("birthday c")
        session.answerStore(StoredListing(items: [.some("10")], seconds: 0))
        session.wait(milliseconds: 1_000)
        for answer in [.success(ResultPage(items: [])), .failure(.nothingFound), .failure(.outage)]
            as [Result<ResultPage, Failure>]
        {
            session.answer(answer)
            #expect(session.state.grid.items.map(\.id) == ["10"] && !session.text.contains("nothing found"))
            if session.state.mode.isTyping { session.press(.escape) }
            session.press(.character("r"))
        }
        session.answer(.success(ResultPage(items: [.some("11")])))
        #expect(session.state.grid.items.map(\.id) == ["10", "11"])
    }

    @Test("If no key has asked a service yet and this machine has nothing, the last line says so")
    func nothingHere() {
        for (event, isSaid) in [
            (.key(.character("x")), true), (.paste("red panda"), true), (.paste("https://h.test/a.gif"), false),
        ] as [(GalleryEvent, Bool)] {
            var session = typed("")
            session.send(event)
            #expect(!session.status.contains("nothing on this machine"))
            session.answerStore(nil)
            #expect(session.status.contains("nothing on this machine") == isSaid, "\(event)")
            #expect(session.status.contains("Enter search"))
        }
        var session = typed("cat")
        session.answerStore(nil)
        #expect(!session.status.contains("nothing on this machine"))
    }

    @Test("Down keeps the letters if there is nothing to select yet and nobody to ask", arguments: ["do", "d"])
    func downInQuickTyping(query: String) {
        var session = typed(query)
        session.press(.down)
        #expect(session.state.search.query == query && session.state.mode == .typing)
        #expect(session.state.listing.feed == .search(query: query))
        session.type("g")
        #expect(session.state.search.query == query + "g")
        session.press(.control("u"))
        session.send(.paste("/tmp/cat.gif"))
        session.press(.down)
        #expect(session.state.search.query == "/tmp/cat.gif" && session.state.mode == .typing)
        session.press(.escape)
        #expect(session.state.mode == .browsing && session.state.search.query.isEmpty)
    }

    @Test("A query that is typed on is not kept, so the listings before it stay within reach")
    func notParked() {
        var session = typed("incomprehensibilities")
        session.press(.escape)
        #expect(session.tiles.map(\.key.id) == ["0", "1", "2"])
        #expect(session.effects.allSatisfy { !$0.isStoreLoad && $0.loadTicket == nil })
    }
}

extension Session {
    /// Reports the first picture of a GIF of ``GIFReference/many(_:from:source:)``.
    fileprivate mutating func show(_ id: String) {
        let key = GIFKey(provider: "commons", id: id)
        guard let item = state.grid.item(key), let file = item.renditions.first else { return }
        send(.tile(key, .size(.init(width: file.width ?? 1, height: file.height ?? 1))))
    }
}
