import Catalog
import Playback
import Testing

@testable import Gallery

@Suite("The search field")
struct SearchFieldTests {
    /// Returns the text of the search field after these keys. The field initially contains `start`.
    private func text(_ start: String, _ keys: [Key]) -> String {
        var session = Session(.search(query: start), showing: GIFReference.many(1))
        // The key End keeps the old query.
        session.press(.character("/"), .end)
        for key in keys { session.send(.key(key)) }
        return String(session.lines[0].dropFirst(2))
    }

    @Test("Keys edit the query as in a shell")
    func edits() {
        #expect(text("cat", [.character("s")]) == "cats")
        #expect(text("cat", [.left, .character("r")]) == "cart")
        #expect(text("cat", [.home, .delete]) == "at")
        #expect(text("cat", [.control("a"), .character("s"), .control("e"), .character("s")]) == "scats")
        #expect(text("cat", [.backspace, .backspace]) == "c")
        #expect(text("cat", [.right, .right, .delete]) == "cat")
        #expect(text("big red cat", [.control("w")]) == "big red")
        #expect(text("big red cat", [.control("w"), .control("w")]) == "big")
        #expect(text("big red cat", [.left, .left, .left, .control("u")]) == "cat")
        #expect(text("big red cat", [.home, .control("k")]) == " search GIFs")
        #expect(text("cat", [.character("é"), .character("猫"), .backspace]) == "caté")
    }

    @Test("In the search field, command letters are inserted as text")
    func letters() {
        #expect(text("", "hjklqdDur?s/".map { .character($0) }) == "hjklqdDur?s/")
        var session = Session(showing: GIFReference.many(3))
        session.type("/q")
        #expect(!session.all.contains(.quit(signal: nil)))
    }

    @Test("A pasted text is inserted at the cursor, with spaces in place of line breaks and without control characters")
    func paste() {
        var session = Session(.search(query: "big cat"), showing: GIFReference.many(1))
        session.press(.character("/"), .left, .left, .left)
        session.send(.paste("red\r\nq\u{1B}[2J\n"))
        #expect(session.state.search.query == "big red qcat")
        #expect(!session.all.contains(.quit(signal: nil)))
    }

    @Test(
        "Of a pasted hyperlink of a terminal, the field gets the address",
        arguments: ["https://h.test/a.gif", "file:///tmp/a%20b.gif"], ["\u{1B}\\", "\u{07}"])
    func hyperlink(address: String, end: String) {
        var session = Session(.search(query: "cat"), showing: GIFReference.many(1))
        session.send(.paste("look \u{1B}]8;id=1;\(address)\(end)a cat\u{1B}]8;;\(end) now"))
        #expect(session.state.search.query == "look \(address) now")
    }

    @Test("In the gallery, a paste begins a new query, which only Enter sends; in the large view, it has no effect")
    func pasteInGallery() {
        var session = Session(.search(query: "cat"), showing: GIFReference.many(3))
        session.send(.paste("q\nred panda"))
        #expect(session.lines[0] == "/ q red panda" && session.state.view().cursor != nil)
        session.wait(milliseconds: 60_000)
        #expect(!session.effects.contains { $0.isSent })
        session.press(.enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "q red panda")) })
        session = Session(.search(query: "cat"), showing: GIFReference.many(3))
        session.send(.paste("x"))
        session.press(.escape, .enter)
        #expect(session.state.mode.isFull)
        session.send(.paste("q"))
        #expect(session.state.mode.isFull && session.state.search.query == "cat")
    }

    @Test(
        "Nothing of a pasted text is sent before Enter, wherever it is pasted and whatever keys follow",
        arguments: [
            "/home/me/secret plan.gif", "'/a b.gif' '/c.gif'", "C:\\a.gif", "red panda", "https://h.test/a.gif",
        ])
    func pasteIsNotTyped(text: String) {
        let ways: [[GalleryEvent]] = [
            [.paste(text)], [.key(.character("/")), .paste(text)], [.paste(text), .key(.backspace)],
            [.paste(text), .key(.character("x")), .key(.left), .key(.delete)], [.paste(text), .paste(text)],
            [.key(.character("/")), .key(.character("a")), .paste(text), .key(.home), .key(.character("b"))],
        ]
        for events in ways {
            var session = Session(.search(query: "cat"), showing: GIFReference.many(3))
            for event in events { session.send(event) }
            let count = session.all.count
            session.wait(milliseconds: 60_000)
            #expect(!session.all[count...].contains { $0.isSent }, "\(events)")
            session.press(.enter)
            #expect(session.effects.contains { $0.isSent }, "\(events)")
        }
    }

    @Test("After a pasted text is deleted or replaced, typing starts a search as usual")
    func typedAfterPaste() {
        for keys in [[Key.control("u")], [.escape, .character("/")]] {
            var session = Session(.search(query: "cat"), showing: GIFReference.many(3))
            session.send(.paste("/home/me"))
            for key in keys { session.press(key) }
            session.type("panda")
            session.wait(milliseconds: 60_000)
            #expect(session.all.contains { $0.isLoad(of: .search(query: "panda")) }, "\(keys)")
        }
    }

    @Test("A link that a mail has wrapped is pasted without its line break")
    func pasteWrapped() {
        var session = Session(.search(query: "cat"), showing: GIFReference.many(1))
        session.send(.paste("https://h.test/a/\nb.gif\n"))
        #expect(session.state.search.query == "https://h.test/a/b.gif")
    }

    @Test("The search field holds at most 2,000 characters, so that a link fits")
    func bound() {
        var session = Session(.search(query: "cat"), showing: GIFReference.many(1))
        session.press(.character("/"))
        session.send(.paste(String(repeating: "a", count: 100_000)))
        #expect(session.state.search.query.count == 2_000)
        session.press(.character("b"))
        #expect(session.state.search.query.count == 2_000)
    }

    @Test("Control characters are never inserted")
    func controlCharacters() {
        #expect(text("cat", [.character("\u{1B}"), .character("\u{202E}"), .other, .control("x")]) == "cat")
    }

    @Test("Esc, Enter and Down leave the search field", arguments: [Key.escape, .enter, .down])
    func leaves(_ key: Key) {
        var session = Session(showing: GIFReference.many(3))
        session.press(.character("/"))
        #expect(session.state.view().cursor != nil)
        session.press(key)
        #expect(session.state.view().cursor == nil)
        session.press(.character("q"))
        #expect(session.effects == [.quit(signal: nil)])
    }

    @Test("The cursor stays visible in a query that is longer than the field")
    func longQuery() {
        var session = Session(.search(query: String(repeating: "cat ", count: 40)), .init(columns: 40, rows: 12))
        session.open(GIFReference.many(3))
        session.press(.character("/"))
        for key in [Key.end, .home, .left, .end, .left] {
            session.press(key)
            let cursor = session.state.view().cursor
            #expect(cursor?.row == 0 && (2..<40).contains(cursor?.column ?? -1))
        }
    }

    @Test(
        "At the start, the gallery has the keyboard focus, so the key 'q' quits",
        arguments: [Feed.trending(source: nil), .search(query: "cat"), .favourites])
    func start(_ feed: Feed) {
        var session = Session(feed)
        session.send(.opened)
        #expect(session.state.view().cursor == nil)
        session.press(.character("q"))
        #expect(session.effects == [.quit(signal: nil)])
    }

    @Test("The key '/' selects the old query, and the first letter or a paste replaces it")
    func selection() {
        func query(_ events: GalleryEvent...) -> String {
            var session = Session(.search(query: "big cat"), showing: GIFReference.many(1))
            session.press(.character("/"))
            #expect(session.state.view().runs.contains { $0.text == "big cat" && $0.style.contains(.reversed) })
            for event in events { session.send(event) }
            #expect(!session.state.view().runs.contains { $0.text == "big cat" && $0.style.contains(.reversed) })
            return String(session.state.search.field.text)
        }
        #expect(query(.key(.character("d")), .key(.character("o"))) == "do")
        #expect(query(.paste("red panda")) == "red panda")
        for key in [Key.backspace, .delete] { #expect(query(.key(key)) == "") }
        #expect(query(.key(.end), .key(.character("s"))) == "big cats")
        #expect(query(.key(.home), .key(.character("a"))) == "abig cat")
        #expect(query(.key(.left), .key(.character("r"))) == "big cart")
        #expect(query(.key(.escape)) == "big cat")
    }

    @Test("A letter or digit that is not a command types nothing; for four seconds, the status line says how to search")
    func unknownLetters() {
        for letter in "abeinpwxzABCNZéβ猫7" {
            var session = Session(.search(query: "cat"), showing: GIFReference.many(3))
            session.press(.character(letter))
            #expect(session.lines[0] == "/ cat" && session.state.view().cursor == nil, "\(letter)")
            #expect(session.status.contains("press / to search") && session.effects.isEmpty, "\(letter)")
            session.wait(milliseconds: 4_000)
            #expect(!session.status.contains("press / to search"))
            session.press(.character(letter), .character("/"))
            #expect(!session.status.contains("press / to search"))
        }
    }

    @Test("The notice about an unknown key names the last one")
    func refusesEach() {
        var session = Session(.search(query: "cat"), showing: GIFReference.many(3))
        session.press(.character("x"), .character("e"))
        #expect(session.status.contains("e: no command · press / to search"))
        session.press(.other)
        #expect(session.status.contains(" · no command · press / to search"))
        session.wait(milliseconds: 3_000)
        #expect(!session.status.contains("press / to search"))
        session.press(.character("x"))
        #expect(session.status.contains("x: no command"))
        session.press(.down, .character("x"))
        #expect(session.status.contains("press / to search"))
        session.press(.down)
        #expect(!session.status.contains("press / to search"))
        session.press(.down, .character("x"))
        #expect(session.status.contains("press / to search"))
    }

    @Test("Letters that are commands and spaces type nothing")
    func commandsStay() {
        for letter in "hjklgGDdursyYofm +-1" {
            var session = Session(showing: GIFReference.many(3))
            session.press(.character(letter))
            #expect(session.state.view().cursor == nil && !session.status.contains("press /"), "\(letter)")
        }
    }

    @Test(
        "If a feed or a search has nothing to look at, the search field has the focus, and its keys work as usual",
        arguments: [Feed.trending(source: nil), .search(query: "qqqq"), .favourites, .history])
    func focusWithoutItems(_ feed: Feed) {
        func empty() -> Session {
            var session = Session(feed, stored: nil)
            session.answer(.success(ResultPage(items: [])))
            return session
        }
        var session = empty()
        #expect(session.state.view().cursor?.row == 0)
        session.type("quokka")
        #expect(session.lines[0].hasPrefix("/ quokka") && !session.all.contains(.quit(signal: nil)))
        session = empty()
        session.press(.tab)
        #expect(session.state.listing.feed != feed && session.state.view().cursor == nil)
        // An empty feed that the user has chosen with Tab leaves the keys to the gallery.
        session.answerStore(nil)
        session.answer(.success(ResultPage(items: [])))
        #expect(session.state.mode == .browsing)
        session.press(.character("q"))
        #expect(session.effects == [.quit(signal: nil)])
        // Esc leaves the field, and then the gallery.
        session = empty()
        session.press(.escape)
        #expect(session.state.view().cursor == nil && !session.all.contains(.quit(signal: nil)))
        session.press(.character("q"))
        #expect(session.effects == [.quit(signal: nil)])
    }

    @Test("Without results, Enter on the same query keeps the focus; after a failure or dismissals, there is no focus")
    func noFocus() {
        var session = Session(.search(query: "qqqq"), showing: [])
        session.press(.enter)
        #expect(session.state.mode.isTyping)
        session = Session(.search(query: "cat"), failing: .outage)
        #expect(session.state.mode == .browsing)
        session = Session(.search(query: "cat"), showing: GIFReference.many(2))
        session.press(.character("D"))
        #expect(session.state.mode == .browsing && session.text.contains("u: undo"))
    }
}

extension GalleryEffect {
    /// Whether a service gets the query.
    fileprivate var isSent: Bool {
        switch self {
        case .load(.search, _, _, _): true
        case .suggest(let prefix, _): !prefix.isEmpty
        default: false
        }
    }
}
