import Base
import Pixels
import Testing

@testable import Playback

@Suite("The text that is drawn with the picture")
struct TextLayerTests {
    private let state = StatusLine.PlaybackState(isPaused: false, speed: 1, elapsed: 0, frame: 0)
    private let size = CellSize(columns: 60, rows: 30)

    private func terminal(bytesPerSecond: Int? = nil) -> VirtualTerminal {
        VirtualTerminal(traits: TerminalTraits(size: size), bytesPerSecond: bytesPerSecond)
    }

    private func layer() -> TextLayer {
        TextLayer(PlaybackLabel(title: "Cat"), PlaybackOptions(), requestsNotes: true, at: .ms(0))
    }

    private var layout: PaneLayout {
        PaneLayout(
            canvas: PixelSize(width: 8, height: 8), traits: TerminalTraits(size: size), options: PlaybackOptions())
    }

    /// Presents the text as the player does, with a picture or alone.
    private func present(
        _ layer: inout TextLayer, _ state: StatusLine.PlaybackState, _ layout: PaneLayout?, _ picture: String = "",
        on terminal: VirtualTerminal
    ) {
        let text = layer.update(state, layout, terminal.traits, waits: picture.isEmpty && !terminal.isDrained)
        guard !picture.isEmpty || text.count > 0 else { return }
        Array(picture.utf8).withUnsafeBytes { terminal.present($0, text) }
    }

    private func texts(_ terminal: VirtualTerminal) -> [String] {
        terminal.presented.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test("Without a picture, an empty note says what is awaited, in both languages, until the picture is there")
    func blank() {
        for (language, text) in [(Language.english, "waiting for Cat…"), (.german, "wartet auf Cat …")] {
            var options = PlaybackOptions()
            options.language = language
            var layer = TextLayer(PlaybackLabel(title: "Cat"), options, requestsNotes: true, at: .ms(0))
            let terminal = terminal()
            for (time, note) in [(500, nil), (1000, "1 kB"), (1500, "")] as [(Int64, String?)] {
                let isChanged = layer.updateNote(at: .ms(time), isBlank: true) { note }
                present(&layer, state, nil, on: terminal)
                let expected = note == "1 kB" ? "1 kB" : "2m\(text)"
                #expect(isChanged && texts(terminal).last?.contains(expected) == true)
            }
            let isChanged = layer.updateNote(at: .ms(2000), isBlank: true) { nil }
            let ends = layer.updateNote(at: .ms(2500)) { nil }
            let deadline = layer.deadline
            #expect(!isChanged && ends && deadline == nil)
        }
    }

    @Test("The outcome of an action has the line for itself, also against a note, and the label returns after it")
    func outcomeAlone() {
        let label = PlaybackLabel(title: "Cat", credit: String(repeating: "Author ", count: 20))
        var layer = TextLayer(label, PlaybackOptions(), requestsNotes: true, at: .ms(0))
        let terminal = terminal()
        layer.showOutcome("saved ~/Downloads/cat.gif", at: .ms(0))
        present(&layer, state, layout, on: terminal)
        #expect(texts(terminal).last?.contains("2msaved ~/Downloads/cat.gif\u{1B}") == true)
        let isChanged = layer.updateNote(at: .ms(3000)) { "saved ~/Downloads/cat.gif" }
        #expect(isChanged)
        present(&layer, state, layout, on: terminal)
        #expect(texts(terminal).last?.contains("Author") == true)
    }

    @Test("Without a picture, the text is sent only if it has changed or is no longer on the screen")
    func changes() {
        var layer = layer()
        let terminal = terminal()
        for _ in 0..<2 { present(&layer, state, layout, on: terminal) }
        #expect(texts(terminal).count == 1)
        layer.forgetScreen()
        present(&layer, state, layout, on: terminal)
        #expect(texts(terminal).count == 2 && texts(terminal).allSatisfy { $0.contains("Cat") })
    }

    @Test("A picture is sent in the same update as the text, even if the text has not changed")
    func picture() {
        var layer = layer()
        let terminal = terminal()
        for _ in 0..<2 {
            present(&layer, state, layout, "picture", on: terminal)
        }
        #expect(texts(terminal).map { $0.hasPrefix("picture") } == [true, true])
        #expect(texts(terminal).map { $0.contains("Cat") } == [true, false])
    }

    @Test("While the terminal is busy, changed text waits, and is sent with the next picture")
    func pending() {
        var layer = layer()
        let terminal = terminal(bytesPerSecond: 1)
        present(&layer, state, layout, on: terminal)
        var paused = state
        paused.isPaused = true
        present(&layer, paused, layout, on: terminal)
        let isPending = layer.isPending
        #expect(isPending && texts(terminal).count == 1)
        present(&layer, paused, layout, "picture", on: terminal)
        let isStillPending = layer.isPending
        #expect(!isStillPending && texts(terminal).last?.contains("paused") == true)
    }

    @Test("While the help is open, every update draws it; closeHelp() returns whether playback continues")
    func help() {
        var layer = layer()
        let terminal = terminal()
        layer.openHelp(resumesPlayback: true)
        let isOpen = layer.isHelpOpen
        for _ in 0..<2 { present(&layer, state, layout, on: terminal) }
        let resumes = layer.closeHelp()
        let isClosed = !layer.isHelpOpen
        layer.forgetScreen()
        present(&layer, state, layout, on: terminal)
        #expect(isOpen && resumes && isClosed)
        #expect(texts(terminal).map { $0.contains("quit") } == [true, true, false])
        layer.openHelp(resumesPlayback: false)
        let staysPaused = !layer.closeHelp()
        #expect(staysPaused)
    }
}
