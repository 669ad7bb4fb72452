import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Draws each text of the player in both languages.
@Suite("The player in German")
struct GermanPlaybackTests {
    @Test("The help has no English text", arguments: [(20, 5), (80, 24), (200, 50)])
    func help(columns: Int, rows: Int) {
        let size = CellSize(columns: columns, rows: rows)
        let (english, german) = (KeySheet.lines(in: size, .english), KeySheet.lines(in: size, .german))
        let common = words(english.joined(separator: "\n")).intersection(words(german.joined(separator: "\n")))
        #expect(common.isSubset(of: ["Esc", "GIF", "Pause"]))
        #expect(german.first?.contains("Tasten") == true && german.count <= rows)
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

extension KeySheet {
    /// The text of the player's help.
    static func lines(in size: CellSize, _ language: Language) -> [String] {
        KeySheet(.all(in: .player, language), in: size, language, isPacked: true).lines.map { $0.map(\.text).joined() }
    }
}
