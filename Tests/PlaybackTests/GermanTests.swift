import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Draws each text of the player in both languages.
@Suite("The player in German")
struct GermanTests {
    @Test("The help has no English text", arguments: [(20, 5), (80, 24), (200, 50)])
    func help(columns: Int, rows: Int) {
        let size = CellSize(columns: columns, rows: rows)
        let (english, german) = (KeyHelp.lines(in: size, .english), KeyHelp.lines(in: size, .german))
        #expect(
            words(english.joined(separator: "\n")).intersection(words(german.joined(separator: "\n"))).isSubset(of: [
                "Esc", "GIF",
            ]))
        #expect(german.contains { $0.contains("n p") } && german.count <= rows)
        #expect(german.allSatisfy { TerminalText.width($0) <= columns })
    }

    @Test("The status line has no English text")
    func status() {
        var state = StatusLine.PlaybackState(isPaused: false, speed: 1.25, elapsed: 0, length: nil, frame: 0)
        (state.isDamaged, state.hasKeyHint) = (true, true)
        let label = PlaybackLabel(title: "A")
        #expect(StatusLine(label, .german).compose(state, width: 50).hasSuffix("? Tasten  beschädigt ×1.25 0:00"))
    }
}
