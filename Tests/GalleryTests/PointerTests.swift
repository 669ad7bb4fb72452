import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("The mouse")
struct PointerTests {
    private func gallery() -> Session {
        var session = Session(.search(query: "cats"))
        session.open((0..<30).map { .some("\($0)") })
        return session
    }

    @Test("A click selects a tile, a second click opens the large view, and a third click closes it")
    func click() {
        var session = gallery()
        session.send(.pointer(PointerEvent(.press, row: 6, column: 60)))
        #expect(session.selected == "2")
        session.send(.pointer(PointerEvent(.press, row: 6, column: 60)))
        #expect(session.large == "2")
        session.send(.pointer(PointerEvent(.press, row: 6, column: 60)))
        #expect(session.large == nil && session.selected == "2")
    }

    @Test("A click beside the hints of the large view does not close it", arguments: [(80, 24), (40, 5), (160, 12)])
    func besideHints(columns: Int, rows: Int) {
        var session = gallery()
        session.resize(columns, rows)
        session.press(.enter)
        for column in [0, columns / 2, columns - 1] {
            session.send(.pointer(PointerEvent(.press, row: rows - 1, column: column)))
            #expect(session.large == "0")
        }
        session.send(.pointer(PointerEvent(.press, row: rows - 2, column: 5)))
        #expect(session.large == nil)
    }

    @Test("A notch of the wheel scrolls one row of tiles; the selection stays on the screen")
    func wheel() {
        var session = gallery()
        let before = session.tiles.first?.position.row ?? 0
        session.send(.pointer(PointerEvent(.wheelDown, row: 6, column: 6)))
        #expect(session.tiles.first?.key.id == "3" && session.tiles.first?.position.row == before)
        for _ in 0..<30 { session.send(.pointer(PointerEvent(.wheelDown, row: 6, column: 6))) }
        #expect(session.selected != "0" && session.state.view().runs.contains { $0.style == .selected })
        for _ in 0..<60 { session.send(.pointer(PointerEvent(.wheelUp, row: 6, column: 6))) }
        #expect(session.tiles.first?.position.row == before)
    }

    @Test("The wheel changes the GIF in the large view")
    func wheelInFull() {
        var session = gallery()
        session.press(.enter)
        session.send(.pointer(PointerEvent(.wheelDown, row: 6, column: 6)))
        #expect(session.large == "1")
        session.send(.pointer(PointerEvent(.wheelUp, row: 6, column: 6)))
        #expect(session.large == "0")
    }

    @Test("A click on the search field or on a feed activates it, and a click on an empty area does nothing")
    func searchFieldAndFeeds() {
        var session = gallery()
        session.send(.pointer(PointerEvent(.press, row: 0, column: 10)))
        #expect(session.state.view().cursor != nil)
        let column = session.lines[1].unicodeScalars.count { _ in true } - 3
        session.send(.pointer(PointerEvent(.press, row: 1, column: column)))
        #expect(session.lines[1].contains("[Dismissed]"))
        let before = session.state.view()
        session.send(.pointer(PointerEvent(.press, row: 2, column: 79)))
        session.send(.pointer(PointerEvent(.press, row: 500, column: 900)))
        #expect(session.state.view() == before)
    }
}
