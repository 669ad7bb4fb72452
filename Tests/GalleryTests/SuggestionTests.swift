import Base
import Catalog
import Playback
import Testing

@testable import Gallery

@Suite("Suggestions below the search field")
struct SuggestionTests {
    /// Returns a gallery in which the user has typed "cat" and whose request for suggestions is answered.
    private func typed(_ answer: [String], columns: Int = 80, rows: Int = 24) -> Session {
        var session = Session(.trending(source: nil), .init(columns: columns, rows: rows))
        session.open(GIFReference.many(12))
        session.type("/cat")
        session.wait(milliseconds: 150)
        if let ticket = session.suggestion?.ticket { session.send(.suggested(ticket: ticket, answer)) }
        return session
    }

    @Test("At most five suggestions stand below the field, without the typed query and without duplicates")
    func shown() {
        let session = typed(["cat video", "Cat", "cats", "CATS", "cat\u{7}fish", "catwalk", "cat nap", "caterpillar"])
        #expect(session.lines[0].hasPrefix("/ cat"))
        #expect(session.lines[1...5] == ["  cat video", "  cats", "  catfish", "  catwalk", "  cat nap"])
        #expect(!session.text.contains("caterpillar") && session.status.contains("↓ suggestions"))
    }

    @Test("Down and Up choose a suggestion, and Enter searches for it at once")
    func chosen() {
        var session = typed(["cat video", "cats"])
        session.press(.down, .down, .down, .up)
        #expect(session.reversed == ["cat video"])
        session.press(.enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "cat video")) })
        #expect(session.lines[0] == "/ cat video" && session.state.view().cursor == nil)
        session = typed(["cat video", "cats"])
        session.press(.down, .up, .enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "cat")) })
        // A click takes a suggestion too.
        session = typed(["cat video", "cats"])
        session.send(.pointer(PointerEvent(.press, row: 2, column: 3)))
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "cats")) })
    }

    @Test("Typing keeps the suggestions that match, and Esc closes all and cancels their request")
    func narrowed() throws {
        var session = typed(["cat video", "cats", "catwalk"])
        let ticket = try #require(session.suggestion?.ticket)
        session.type("s")
        #expect(session.effects.contains(.cancel(ticket: ticket)) && session.state.suggestedQueries.isEmpty)
        session.press(.backspace)
        session.wait(milliseconds: 150)
        let second = try #require(session.suggestion?.ticket)
        session.send(.suggested(ticket: ticket, ["late"]))
        #expect(session.state.suggestedQueries.isEmpty)
        session.send(.suggested(ticket: second, ["cat video", "catwalk"]))
        session.type("w")
        #expect(session.state.suggestedQueries == ["catwalk"])
        session.wait(milliseconds: 150)
        let third = try #require(session.suggestion?.ticket)
        session.press(.escape)
        #expect(session.effects.contains(.cancel(ticket: third)) && !session.text.contains("catwalk"))
        session.send(.suggested(ticket: third, ["catwalk"]))
        #expect(!session.text.contains("catwalk"))
    }

    @Test("Suggestions are requested when typing pauses for 150 ms, and not for an empty field")
    func debounced() {
        var session = Session(.trending(source: nil), showing: GIFReference.many(3))
        session.type("/do")
        session.wait(milliseconds: 149)
        #expect(session.suggestion == nil)
        session.type("g")
        session.wait(milliseconds: 150)
        #expect(session.suggestion?.prefix == "dog" && session.all.count { $0.isSuggest } == 1)
        session.press(.control("u"))
        session.wait(milliseconds: 1_000)
        #expect(session.all.count { $0.isSuggest } == 1)
    }

    @Test("After a search without results, the suggestions are similar queries")
    func similarQueries() throws {
        var session = Session(.search(query: "dancng"), showing: [])
        let first = try #require(session.state.suggestedQueries.first)
        #expect(session.text.contains(first) && session.state.view().cursor != nil)
        session.press(.down, .enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: first)) })
    }

    @Test("After a search without results, earlier queries and the built-in GIFs are offered too")
    func earlierQueries() throws {
        var session = Session(.search(query: "xyzzy"), .init(columns: 80, rows: 40), showing: [])
        let request = try #require(session.suggestion)
        #expect(request.prefix.isEmpty && session.text.contains("nothing found"))
        session.send(.suggested(ticket: request.ticket, ["xyzzy", "dogs", "big cats"]))
        #expect(session.state.suggestedQueries == ["dogs", "big cats"])
        #expect(session.text.contains("  dogs") && session.text.contains("built-in GIFs"))
        #expect(session.tiles.count >= 3 && session.tiles.allSatisfy { $0.key.provider == "samples" })
        session.press(.down, .down, .enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "big cats")) })
        session.answer(.success(ResultPage(items: [])))
        session.press(.escape, .down, .enter)
        #expect(session.state.grid.selected?.provider == "samples" && session.state.mode.isFull)
    }

    @Test("In a pane without a row for the field, the suggestions stand above it", arguments: 1...6)
    func small(rows: Int) {
        let session = typed(["cat video", "cats"], columns: 20, rows: rows)
        #expect(session.status.hasPrefix("/ cat"))
        if rows > 2 { #expect(session.lines[rows - 3].hasPrefix("  cat video")) }
    }
}

extension Session {
    /// The latest request for suggestions.
    fileprivate var suggestion: (prefix: String, ticket: Int)? {
        all.lazy.compactMap { if case .suggest(let prefix, let ticket) = $0 { (prefix, ticket) } else { nil } }.last
    }

    /// The reversed texts below the search field.
    fileprivate var reversed: [String] {
        state.view().runs.filter { $0.style.contains(.reversed) && (1...5).contains($0.position.row) }
            .map { $0.text.split(separator: " ").joined(separator: " ") }
    }
}

extension GalleryEffect {
    fileprivate var isSuggest: Bool { if case .suggest = self { true } else { false } }
}

@Suite("Links and files in the gallery")
struct OpenLinkTests {
    /// A file that exists.
    private static let path = "/etc/passwd"

    private func gallery(_ feed: Feed) -> Session {
        Session(feed, showing: GIFReference.many(5)) { $0.feeds = [feed, .favourites] }
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

    @Test("While a link is slow, the reason takes the place of the former tiles; it is no part of a later failure")
    func slow() {
        var session = gallery(.random)
        session.send(.paste("https://h.test/a.gif"))
        session.press(.enter)
        #expect(session.tiles.contains { $0.isPrevious })
        session.send(.asking(ticket: session.lastLoad ?? 0, source: "waiting for h.test…"))
        #expect(session.status.hasPrefix("waiting for h.test…") && !session.tiles.contains { $0.isPrevious })
        session.answer(.failure(.timedOut(host: "h.test", milliseconds: 9_000)))
        #expect(session.text.contains("server timed out") && !session.text.contains("waiting"))
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
