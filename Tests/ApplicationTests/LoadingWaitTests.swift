import Base
import Pixels
import Playback
import Testing

@testable import Application

@Suite("Loading wait")
struct LoadingWaitTests {
    private let traits = TerminalTraits(size: CellSize(columns: 20, rows: 5))

    /// Waits until the script of the terminal ends the wait.
    private func wait(_ terminal: VirtualTerminal, _ options: [String] = [], _ text: String = "loading…") throws
        -> PlaybackEnd?
    {
        LoadingWait(terminal: terminal, options: try playbackSettings(options).player).wait(for: { false }, text)
    }

    private func times(_ terminal: VirtualTerminal) -> [Int64] {
        terminal.presented.map { $0.time.nanoseconds / Span.millisecond }
    }

    private func text(_ terminal: VirtualTerminal) -> [String] {
        terminal.presented.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test("The waiting text appears in the last row after 300 ms, and again after a resize")
    func resize() throws {
        let taller = TerminalTraits(size: CellSize(columns: 20, rows: 9))
        let resize = VirtualTerminal.ScriptedEvent(
            at: Instant(nanoseconds: 500 * Span.millisecond), .changed, traits: taller)
        let terminal = VirtualTerminal(traits: traits, script: [resize, .key("q", at: 600)])
        #expect(try wait(terminal, [], "loading a very long title") == .quit && times(terminal) == [300, 500])
        #expect(text(terminal)[0].contains("\u{1B}[5;H") && text(terminal)[1].contains("\u{1B}[9;H"))
        #expect(!text(terminal)[0].contains("title"))
    }

    @Test("The waiting text is not sent while the terminal is busy")
    func busy() throws {
        let terminal = VirtualTerminal(traits: traits, bytesPerSecond: 100, script: [.key("q", at: 5_000)])
        let before = [UInt8](repeating: 0x20, count: 100)
        before.withUnsafeBytes { terminal.present($0, UnsafeRawBufferPointer(start: nil, count: 0)) }
        #expect(try wait(terminal) == .quit && times(terminal) == [0, 1_000])
    }

    @Test("A wait that times out returns nil")
    func timeout() throws {
        let terminal = VirtualTerminal(traits: traits, script: [.key("q", at: 5_000)])
        let wait = LoadingWait(terminal: terminal, options: try playbackSettings([]).player)
        #expect(wait.wait(for: { false }, "loading…", timeout: Span.second) == nil)
        #expect(times(terminal) == [300] && terminal.now.nanoseconds == Span.second)
    }

    @Test("With '--inline', the waiting text is removed when the wait ends, for whatever reason")
    func inline() throws {
        let isTrue: (VirtualTerminal) -> Bool = { $0.now.nanoseconds >= 400 * Span.millisecond }
        let cases: [([VirtualTerminal.ScriptedEvent], Int64?, (VirtualTerminal) -> Bool)] = [
            ([.key("q", at: 500)], nil, { _ in false }), ([], Span.second, { _ in false }),
            ([.at(400, .wake)], nil, isTrue),
        ]
        for (script, timeout, condition) in cases {
            let terminal = VirtualTerminal(traits: traits, script: script)
            let wait = LoadingWait(terminal: terminal, options: try playbackSettings(["--inline"]).player)
            _ = wait.wait(for: { condition(terminal) }, "loading…", timeout: timeout)
            #expect(text(terminal).count == 2 && text(terminal).last == "\r\u{1B}[K")
        }
    }

    @Test("With '--bare', nothing is displayed during a wait", arguments: [["--bare"], ["--bare", "--inline"]])
    func bare(arguments: [String]) throws {
        let terminal = VirtualTerminal(traits: traits, script: [.key("q", at: 5_000)])
        #expect(try wait(terminal, arguments) == .quit && terminal.presented.isEmpty)
    }

    @Test("If its condition is already true, a wait ends without using the terminal")
    func immediate() throws {
        let terminal = VirtualTerminal(traits: traits, script: [.key("q", at: 0)])
        let wait = LoadingWait(terminal: terminal, options: try playbackSettings([]).player)
        #expect(wait.wait(for: { true }, "loading…") == nil)
        #expect(terminal.presented.isEmpty && terminal.now.nanoseconds == 0)
    }

    @Test("The keys 'q', Escape, '/' and Ctrl-C, signals and a closed terminal end a wait early")
    func endings() throws {
        let cases: [(TerminalEvent, PlaybackEnd)] = [
            (.key(.character("q")), .quit), (.key(.escape), .quit), (.key(.character("/")), .browse),
            (.key(.control("c")), .interrupted(signal: 2)), (.signal(15), .interrupted(signal: 15)), (.closed, .closed),
        ]
        for (event, end) in cases {
            let terminal = VirtualTerminal(traits: traits, script: [.at(100, event)])
            #expect(try wait(terminal) == end)
            #expect(terminal.now.nanoseconds == 100 * Span.millisecond && terminal.presented.isEmpty)
        }
    }

    @Test("Other keys and pasted text end a wait only with '--screensaver'", arguments: [true, false])
    func otherKeys(isScreensaver: Bool) throws {
        let expected: PlaybackEnd = isScreensaver ? .quit : .interrupted(signal: 15)
        for event in [TerminalEvent.key(.character("x")), .key(.left), .paste("q"), .key(.character(" "))] {
            let terminal = VirtualTerminal(traits: traits, script: [.at(100, event), .at(900, .signal(15))])
            #expect(try wait(terminal, isScreensaver ? ["--screensaver"] : []) == expected, "\(event)")
        }
    }

    @Test("'?' shows the keys, a key that cannot switch and one without a command say so; a switch ends the wait")
    func answers() throws {
        let wide = TerminalTraits(size: CellSize(columns: 120, rows: 5))
        let terminal = VirtualTerminal(traits: wide, script: zip("?xp n", 1...).map { .key($0, at: 100 * Int64($1)) })
        let end = LoadingWait(terminal: terminal, options: try playbackSettings([]).player).wait(
            for: { false }, "loading…", refusal: { $0 == .previous ? "first GIF" : nil })
        #expect(end == .switchItem(.next) && times(terminal) == [100, 200, 300, 400])
        let notes = [
            "n p next, previous GIF · r random GIF · Esc q quit", "x: no command", "first GIF",
            "not loaded yet · ?: keys",
        ]
        for (text, note) in zip(text(terminal), notes) { #expect(text.contains(note)) }
    }

    @Test(
        "'?' names as many of the keys that work now as fit, and cuts no word",
        arguments: [
            (80, "n p next, previous GIF · r random GIF · Esc q quit · / type a query\u{1B}"),
            (30, "previous GIF\u{1B}"), (12, "mEsc q quit\u{1B}"),
        ])
    func keysThatFit(columns: Int, line: String) throws {
        let narrow = TerminalTraits(size: CellSize(columns: columns, rows: 5))
        for refused in [nil, PlaybackEnd.ItemSwitch.random] {
            let terminal = VirtualTerminal(traits: narrow, script: [.key("?", at: 100), .key("q", at: 200)])
            let wait = LoadingWait(terminal: terminal, options: try playbackSettings([]).player)
            _ = wait.wait(for: { false }, "loading…", refusal: { $0 == refused ? "no random GIF" : nil })
            let expected = refused == nil ? line : line.replacing("r random GIF · ", with: "")
            #expect(text(terminal)[0].contains(expected), "\(text(terminal))")
        }
    }

    @Test("The condition of a wait is checked again after each wake-up")
    func wake() throws {
        let terminal = VirtualTerminal(traits: traits, script: [.at(100, .wake), .at(200, .wake), .key("q", at: 900)])
        var checks = 0
        let end = LoadingWait(terminal: terminal, options: try playbackSettings([]).player).wait(
            for: {
                checks += 1
                return checks == 3
            }, "loading…")
        #expect(end == nil && checks == 3 && terminal.now.nanoseconds == 200 * Span.millisecond)
    }

    @Test("Control characters in the waiting text are not sent to the terminal")
    func hostileText() throws {
        let terminal = VirtualTerminal(traits: traits, script: [.key("q", at: 500)])
        #expect(try wait(terminal, [], "a\u{1B}[2Jb\u{7}") == .quit)
        #expect(text(terminal).count == 1 && text(terminal)[0].contains("ab") && !text(terminal)[0].contains("[2J"))
    }
}
