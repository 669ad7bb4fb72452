import Catalog
import Pixels
import Testing

@testable import Gallery

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
