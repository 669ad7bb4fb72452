import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("The status line")
struct StatusLineTests {
    private func state(
        elapsed: Int64 = 0, length: Int64? = nil, paused: Bool = false, speed: Double = 1, frame: Int = 0,
        frames: Int? = nil
    ) -> StatusLine.PlaybackState {
        StatusLine.PlaybackState(
            isPaused: paused, speed: speed, elapsed: elapsed * Span.millisecond,
            length: length.map { $0 * Span.millisecond }, frame: frame, frames: frames)
    }

    private func line(_ title: String, _ detail: String = "", _ state: StatusLine.PlaybackState, width: Int) -> String {
        StatusLine(PlaybackLabel(title: title, detail: detail), .english).compose(state, width: width)
    }

    @Test("The title and detail are at the left, and the time is at the right")
    func content() {
        let line = line("Cat", "example.org", state(elapsed: 61_500, length: 125_600), width: 41)
        #expect(line == "Cat · example.org" + String(repeating: " ", count: 14) + "1:01/2:06")
    }

    @Test("An outcome displaces title, credit and position; only its own middle is cut", arguments: [80, 40, 20])
    func outcome(width: Int) {
        var state = state(elapsed: 1_000, paused: true)
        (state.note, state.isOutcome, state.isDamaged) = ("saved ~/Downloads/a long name.gif", true, true)
        let label = PlaybackLabel(title: "Title", credit: String(repeating: "Author ", count: 15), detail: "detail")
        let line = StatusLine(label, .english).compose(state, width: width)
        #expect(line == TerminalText.fittedTitle("saved ~/Downloads/a long name.gif", to: width - 1))
    }

    @Test("The line shows a speed other than 1, a lowered fidelity, and during a pause the frame number")
    func states() {
        #expect(line("a", "", state(speed: 1.25), width: 20).hasSuffix("×1.25 0:00"))
        #expect(line("a", "", state(speed: 2), width: 20).hasSuffix("×2 0:00"))
        var coarse = state(speed: 2)
        coarse.bound = 6
        #expect(line("a", "", coarse, width: 20).hasSuffix("±6 ×2 0:00"))
        #expect(line("a", "", state(paused: true, frame: 4), width: 20).hasSuffix("paused 5"))
        #expect(line("a", "", state(paused: true, frame: 4, frames: 9), width: 20).hasSuffix("paused 5/9"))
    }

    @Test("The status line never uses the last column", arguments: 1...60)
    func width(width: Int) {
        let titles = ["", "x", "A rather long title of a picture", "日本語のとても長い題名です", "e\u{301}e\u{301}", "🐈🐈🐈🐈🐈🐈"]
        for title in titles {
            for detail in ["", "https://example.org/a/long/link"] {
                for state in [state(), state(elapsed: 9_999_000, length: 9_999_000, paused: true, speed: 0.25)] {
                    let text = line(title, detail, state, width: width)
                    #expect(TerminalText.width(text) <= max(0, width - 1), "\(text)")
                }
            }
        }
    }

    @Test("A narrow status line omits first the detail and then the title, but shows the credit")
    func credit() {
        func line(_ title: String, _ credit: String, width: Int) -> String {
            let label = PlaybackLabel(title: title, credit: credit, detail: "https://example.org/gifs/1")
            return StatusLine(label, .english).compose(state(), width: width)
        }
        let title = "A very long title that a narrow pane has no room for"
        #expect(
            line(title, "Powered By GIPHY", width: 80)
                == title + " · Powered By GIPHY" + "    0:00")
        #expect(line(title, "Powered By GIPHY", width: 40) == "A very long t… · Powered By GIPHY  0:00")
        #expect(line(title, "Powered By GIPHY", width: 26) == "Powered By GIPHY     0:00")
        #expect(line(title, "Powered By GIPHY", width: 20) == "Powered By GIPHY")
        #expect(line("Cat", "Ada (CC BY-SA 4.0)", width: 42) == "Cat · Ada (CC BY-SA 4.0) · https:/…  0:00")
        #expect(line("Cat", "Ada (CC BY-SA 4.0)", width: 10) == "Ada (CC …")
        for width in 18...120 { #expect(line(title, "Powered By GIPHY", width: width).contains("Powered By GIPHY")) }
    }

    @Test("A note replaces the detail and is visible beside a long title")
    func note() {
        var state = state()
        state.note = "link copied"
        let label = PlaybackLabel(
            title: "A very long title that leaves no room", credit: "Ada (CC0)", detail: "https://example.org")
        #expect(
            StatusLine(label, .english).compose(state, width: 60)
                == "A very long title that lea… · Ada (CC0) · link copied  0:00")
    }

    @Test("A note that would be cut has the line for itself, unless a credit is required", arguments: [20, 40, 60])
    func longNote(width: Int) {
        var state = state()
        state.note = "429, too many requests; try again in 3600 s"
        let line = StatusLine(PlaybackLabel(title: "radar.gif", detail: "a.example"), .english)
        #expect(line.compose(state, width: width) == TerminalText.fitted(state.note, to: width - 1))
        let credited = StatusLine(PlaybackLabel(title: "radar.gif", credit: "Ada (CC0)"), .english)
        #expect(credited.compose(state, width: width).contains("Ada (CC0)"))
        #expect(line.compose(state, width: 80).hasPrefix("radar.gif · 429, too many requests; try again in 3600 s "))
    }

    @Test("The last two hints displace the detail, the others need free room, and the position stays")
    func hints() {
        let hints = ["n next", "/ search", "Esc back", "? keys"].map { KeyHint(.escape, $0) }
        let label = PlaybackLabel(
            title: "Cat", credit: "Ada", position: "3 of 40", detail: "https://example.org/gifs/1")
        func line(_ width: Int, note: String = "") -> String {
            var state = state()
            state.note = note
            return StatusLine(label, .english, hints: hints).compose(state, width: width)
        }
        #expect(
            line(91) == "Cat · Ada · 3 of 40 · https://example.org/gifs/1  n next  / search  Esc back  ? keys  0:00")
        #expect(line(70) == "Cat · Ada · 3 of 40 · https://example.org/gi…  Esc back  ? keys  0:00")
        #expect(line(46) == "Cat · Ada · 3 of 40    Esc back  ? keys  0:00")
        #expect(line(40) == "Cat · Ada · 3 of 40        ? keys  0:00")
        #expect(line(60, note: "loading…") == "Cat · Ada · 3 of 40 · loading…       Esc back  ? keys  0:00")
        for width in 1...120 { #expect(TerminalText.width(line(width)) <= max(0, width - 1)) }
    }

    @Test("Text that does not fit ends in an ellipsis, and the detail is shortened first")
    func fitting() {
        #expect(line("Title", "a very long detail", state(), width: 25) == "Title · a very lo…  0:00")
        #expect(line("A long title", "", state(), width: 15) == "A long …  0:00")
        #expect(TerminalText.fitted("日本語", to: 5) == "日本…")
        #expect(TerminalText.fitted("日本語", to: 4) == "日…")
        #expect(TerminalText.fitted("日本語", to: 6) == "日本語")
        #expect(TerminalText.fitted("abc", to: 0) == "")
    }

    @Test(
        "Control characters of a title never reach the terminal",
        arguments: [
            "\u{1B}[2J\u{1B}]0;owned\u{7}x", "a\nb\r\nc\td", "\u{9B}31mred", "\u{202E}evil\u{202C}",
            "zero\u{200B}\u{FEFF}width", "\u{0}\u{7F}\u{85}", "line\u{2028}break\u{2029}s", "\u{E000}private",
        ])
    func hostile(title: String) throws {
        let safe = SafeText.line(title)
        for scalar in safe.unicodeScalars {
            let category = scalar.properties.generalCategory
            #expect(![.control, .format, .lineSeparator, .paragraphSeparator, .privateUse].contains(category))
        }
        var session = Session(loops: .times(1), size: CellSize(columns: 30, rows: 8))
        session.label = PlaybackLabel(title: title, detail: title)
        let run = try session.play(ScriptedFrameSource.flat([10]))
        #expect(run.screenUpdates.first?.screen.text(row: 7).hasSuffix("0:00") == true)
    }

    // MARK: - On the screen

    private func session(rows: Int = 8, _ script: Script = []) -> Session {
        var session = Session(loops: .times(1), size: CellSize(columns: 30, rows: rows), script: script)
        session.label = PlaybackLabel(title: "Cat")
        return session
    }

    private func statusUpdates(_ run: Session.Run) -> [Int64] {
        run.screenUpdates.filter {
            $0.bytes.contains(UInt8(ascii: ":")) && String(decoding: $0.bytes, as: UTF8.self).contains("[0;2m")
        }
        .map(\.time)
    }

    @Test("The status line is in the last row below the picture")
    func position() throws {
        let run = try session().play(ScriptedFrameSource.flat([10]))
        let screen = try #require(run.screenUpdates.first?.screen)
        #expect(screen.text(row: 7) == "Cat                      0:00")
        for row in 0..<7 { #expect(screen.text(row: row).allSatisfy { " ▀▄█".contains($0) }) }
    }

    @Test("Panes with fewer than six rows have no status line", arguments: 1...7)
    func hidden(rows: Int) throws {
        let run = try session(rows: rows).play(ScriptedFrameSource.flat([10]))
        let screen = try #require(run.screenUpdates.first?.screen)
        #expect(screen.text(row: rows - 1).contains("Cat") == (rows >= 6))
    }

    @Test("The status line can be disabled")
    func leftOut() throws {
        var session = session()
        session.options.showsStatus = false
        let run = try session.play(ScriptedFrameSource.flat([10]))
        #expect(statusUpdates(run).isEmpty)
    }

    @Test("The status line is updated once a second if only the time changes")
    func updateInterval() throws {
        let run = try session().play(ScriptedFrameSource.flat(Array(repeating: 10, count: 35)))
        #expect(statusUpdates(run) == [0, 1000, 2000, 3000])
    }

    @Test("The status line shows the effect of a key immediately")
    func keys() throws {
        let script: Script = [
            .key("+", at: 250), .key(" ", at: 300), .key("x", at: 350), .key(".", at: 400), .key("q", at: 500),
        ]
        let run = try session(script).play(ScriptedFrameSource.flat(Array(repeating: 20, count: 9)))
        #expect(run.screenUpdates.last { $0.time == 250 }?.screen.text(row: 7).hasSuffix("×1.25 0:00") == true)
        #expect(run.screenUpdates.last { $0.time == 300 }?.screen.text(row: 7).hasSuffix("×1.25 paused 2") == true)
        #expect(run.screenUpdates.last { $0.time == 400 }?.screen.text(row: 7).hasSuffix("×1.25 paused 3") == true)
        #expect(statusUpdates(run).filter { $0 == 350 }.isEmpty)
    }

    @Test("The status line shows a time even before the first frame of the next loop iteration arrives")
    func betweenIterations() throws {
        var session = session([.key("+", at: 2500), .key("q", at: 2600)])
        session.options.loops = .forever
        let run = try session.play(StallingAfterFirstIteration(ScriptedFrameSource.flat([20, 200])))
        #expect(run.screenUpdates.last { $0.time == 2500 }?.screen.text(row: 7).hasSuffix("×1.25 0:00/0:02") == true)
    }

    @Test("In inline mode, the status line is in the cursor's row and is removed when playback ends")
    func inline() throws {
        var session = session()
        session.options.screen = .inline
        let run = try session.play(ScriptedFrameSource.flat([10]))
        #expect(run.screenUpdates.first?.screen.text(row: 7) == "Cat                      0:00")
        let last = try #require(run.screenUpdates.last?.screen)
        #expect(last.text(row: 7).isEmpty && last.row == 7 && last.column == 0)
        #expect(last[0, 0].upper == ScriptedFrameSource.color(of: 0))
    }
}

/// A source that returns the first loop iteration of the given source, and then only `.pending`.
private final class StallingAfterFirstIteration: FrameSource {
    private let source: any FrameSource
    private var hasEnded = false

    init(_ source: any FrameSource) {
        self.source = source
    }

    func next() -> FrameStep {
        guard !hasEnded else { return .pending }
        let step = source.next()
        if case .end = step { hasEnded = true }
        return step
    }

    func rewind() { source.rewind() }
}
