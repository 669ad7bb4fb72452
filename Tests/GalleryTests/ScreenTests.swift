import Gallery
import Pixels
import Testing

@Suite("Screens")
struct ScreenTests {
    @Test("a new screen is empty")
    func empty() {
        let screen = Screen(size: CellSize(columns: 3, rows: 2))
        #expect(screen.runs.isEmpty && screen.tiles.isEmpty && screen.cursor == nil)
    }
}
