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
        "The gallery and the full view show the credit at every width and height",
        arguments: [24, 40, 80], [5, 10, 24])
    func everyPane(columns: Int, rows: Int) {
        for (source, credit) in [("giphy", "Powered By GIPHY"), ("commons", "Ada (CC BY-SA 4.0)")] {
            var session = session(source, CellSize(columns: columns, rows: rows))
            #expect(session.text.contains(credit), "\(session.text)")
            session.press(.enter)
            #expect(session.text.contains(credit), "\(session.text)")
        }
    }

    @Test("At 80 columns, the title is shortened, and the author and the licence stay complete")
    func shortened() {
        let session = session("commons", CellSize(columns: 80, rows: 24))
        let line = session.lines.first { $0.contains("CC BY-SA 4.0") } ?? ""
        #expect(line == "A very long title of a picture that no narrow pane has any… — Ada (CC BY-SA 4.0)")
    }
}
