import Base
import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("The layout in each pane")
struct PaneTests {
    private static func gallery(_ columns: Int, _ rows: Int, _ feed: Feed = .search(query: "cats")) -> Session {
        Session(feed, CellSize(columns: columns, rows: rows), showing: GIFReference.many(300))
    }

    @Test(
        "Tiles, rows of text of a picture, and the line of feeds in panes of these sizes",
        arguments: [
            // (columns, rows) of the pane, (columns, rows) of tiles, rows of a picture, whether there are feeds
            (20, 5, 1, 1, 3, false), (30, 8, 2, 1, 4, false), (50, 10, 3, 1, 6, false), (160, 12, 7, 1, 8, false),
            (40, 12, 2, 1, 8, false), (100, 13, 4, 1, 9, false), (100, 14, 4, 1, 9, true), (240, 16, 8, 1, 11, true),
            (80, 24, 3, 2, 8, true), (120, 40, 4, 3, 10, true), (200, 60, 6, 4, 12, true), (240, 70, 8, 5, 11, true),
        ])
    func sizes(columns: Int, rows: Int, across: Int, down: Int, pictureRows: Int, hasFeeds: Bool) {
        var session = Self.gallery(columns, rows)
        let pane = session.state.grid.pane
        #expect(pane.columnCount == across && pane.content.count / pane.rowPitch == max(1, down))
        #expect(pane.box.rows == pictureRows && (pane.feeds != nil) == hasFeeds)
        for _ in 0..<5 {
            #expect(session.tiles.count == across * down)
            session.press(.pageDown)
        }
    }

    @Test("A strip has 7 or 8 tiles for any shape of the cells", arguments: [1.8, 1.875, 2, 2.17, 2.2])
    func strip(aspect: Double) {
        let pane = Pane(TerminalTraits(size: CellSize(columns: 160, rows: 12), cellAspect: aspect))
        #expect((7...8).contains(pane.columnCount) && pane.content.count == pane.rowPitch)
    }

    @Test("At least half of the width is used by tiles, and no tile is lower than a row of text, in each pane")
    func everySize() {
        for columns in stride(from: 8, through: 260, by: 7) {
            for rows in 1...70 {
                let pane = Pane(TerminalTraits(size: CellSize(columns: columns, rows: rows)))
                #expect(pane.columnCount * pane.pitch * 2 > columns && pane.box.rows >= 1)
                #expect(pane.content.upperBound <= max(1, rows - 1) && !pane.content.isEmpty)
            }
        }
    }

    @Test("'+' and '-' change the number of tiles in a strip, too")
    func zoom() {
        var session = Self.gallery(160, 12)
        session.press(.character("+"))
        #expect(session.tiles.count == 6)
        session.press(.character("-"), .character("-"))
        #expect(session.tiles.count == 8)
    }

    // MARK: - The status line

    @Test(
        "Fields are dropped from the right, and the title has at least 20 columns",
        arguments: [
            (80, "A title of 24 characters · no network; r tries again · Ada                1 of 9"),
            (66, "A title of 24 characters · no network; r tries again · Ada  1 of 9"),
            (62, "A title of 24 chara… · no network; r tries again · Ada  1 of 9"),
            (60, "A title of 24 characters · no network; r tries again · Ada"),
            (54, "A title of 24 chara… · no network; r tries again · Ada"),
            (52, "A title of 24 characters · no network; r tries again"),
            (48, "A title of 24 chara… · no network; r tries again"),
            (47, "no network; r tries again"), (20, "no network; r tries…"),
        ])
    func fields(room: Int, expected: String) {
        let line = TerminalText.statusLine(
            "A title of 24 characters", "no network; r tries again", "Ada", "1 of 9", room: room)
        let left = line.fields.filter { !$0.isEmpty }.joined(separator: " · ")
        let gap = room - TerminalText.width(left) - TerminalText.width(line.right)
        #expect(left + (line.right.isEmpty ? "" : String(repeating: " ", count: gap) + line.right) == expected)
    }

    @Test("The line never exceeds its room, and a title beside other fields is never below 20 columns")
    func everyWidth() {
        let texts = ["", "x", "a field of 22 columns.", "日本語のとても長い題名です", String(repeating: "long ", count: 30)]
        for room in 1...130 {
            for title in texts {
                for state in texts {
                    for credit in texts {
                        let line = TerminalText.statusLine(title, state, credit, "12 of 340", room: room)
                        let shown = line.fields.filter { !$0.isEmpty }
                        let width = TerminalText.width(shown.joined(separator: " · "))
                        #expect(width + (line.right.isEmpty ? 0 : TerminalText.width(line.right) + 2) <= room)
                        let least = min(20, TerminalText.width(title), room) - 1
                        #expect(shown.count < 2 || TerminalText.width(line.fields[0]) >= least)
                        #expect(state.isEmpty || !line.fields[1].isEmpty)
                    }
                }
            }
        }
    }

    @Test("In a pane of 50 columns, the state is complete in both languages", arguments: Language.allCases)
    func narrowState(language: Language) {
        var session = Session(.search(query: "cats"), CellSize(columns: 50, rows: 10)) { $0.language = language }
        session.open([.some("1", title: "A rather long title of a picture")], next: .page(1))
        session.answer(.failure(ScreenScenario.dead))
        let state = language(en: " · no network; r tries again", de: " · kein Netz; r: neuer Versuch")
        #expect(session.status.contains(state), "\(session.status)")
        #expect(session.status.hasPrefix(String("A rather long title of a picture".prefix(19))))
    }
}

@Suite("Credit in narrow panes")
struct CreditTests {
    private static let title = "A very long title of a picture that no narrow pane has any room for, whatever is tried"

    private func session(_ source: String, _ size: CellSize) -> Session {
        var reference = GIFReference.some("1", source: source, title: Self.title)
        if source == "commons" {
            reference.attribution = "\(Self.title) — Ada (CC BY-SA 4.0) · https://example.org/1"
        }
        var session = Session(.search(query: "cat"), size)
        session.open([reference] + GIFReference.many(3, from: 2, source: source))
        return session
    }

    @Test(
        "The gallery shows the mark of a source at every width and height, and other credits if there is room",
        arguments: [24, 40, 80], [5, 10, 24])
    func everyPane(columns: Int, rows: Int) {
        for (source, credits) in [("giphy", ["Powered By GIPHY"]), ("commons", ["Ada", "CC BY-SA 4.0"])]
        where source == "giphy" || columns == 80 {
            let session = session(source, CellSize(columns: columns, rows: rows))
            #expect(credits.allSatisfy(session.text.contains), "\(session.text)")
        }
    }

    @Test("A notice that does not fit beside 20 columns of the title has the line for itself")
    func notice() {
        var session = session("commons", CellSize(columns: 80, rows: 24))
        #expect(session.status.hasPrefix("A very long title of a ") && session.status.hasSuffix("  1 of 4"))
        #expect(session.status.contains("… · Ada · CC BY-SA 4.0 · Wikimedia Commons"))
        session.send(.reported(.saved(path: "/srv/" + String(repeating: "x/", count: 90) + "cat.gif")))
        #expect(session.status.hasPrefix("A very long title of a… · saved /srv/x/"))
        #expect(session.status.contains("…/cat.gif"))
        session.send(
            .reported(
                .openFailed(
                    .noProgram(tried: ["xdg-open"], link: "https://example.org/" + String(repeating: "y", count: 90)))))
        #expect(session.status.hasPrefix("not opened: xdg-open: not installed; the link is https://example.org/yyy"))
        #expect(session.status.hasSuffix("…") && !session.status.contains("1 of 4"))
    }
}

@Suite("Progress of downloads")
struct ProgressTests {
    private let key = GIFKey(provider: "commons", id: "0")

    @Test("A tile that takes longer than a second is marked; in place of its picture, it has one colour and no words")
    func tile() {
        var session = Session(.search(query: "cat"), showing: GIFReference.many(6))
        session.send(.tile(key, .loading(true)))
        #expect(session.text.contains("↓ Title 0"))
        #expect(!session.text.contains("900 B") && session.tiles.allSatisfy { $0.fill != .black })
        session.send(.tile(key, .loading(false)))
        #expect(session.text.contains(" Title 0") && !session.text.contains("↓"))
    }

    @Test("A damaged GIF is marked, and one that cannot be decoded says why, as in the large view")
    func damage() {
        for language in Language.allCases {
            var session = Session(.search(query: "cat"), showing: GIFReference.many(6)) { $0.language = language }
            session.send(.tile(key, .damaged))
            let damaged = language(en: "! damaged", de: "! beschädigt")
            #expect(session.text.contains("! Title 0") && session.status.contains(damaged))
            session.send(.tile(key, .broken(.interrupted)))
            #expect(session.text.contains(language(en: "failed: reading", de: "lesbar")))
        }
    }
}
