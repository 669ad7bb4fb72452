import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

/// The player as the gallery uses it, on a terminal that the gallery lends.
@Suite("A lent terminal")
struct LentTerminalTests {
    private struct Run {
        var end: PlaybackEnd
        var forwarded: [TerminalEvent]
        /// The frames that were shown, and the times in milliseconds.
        var frames: [Int]
        var times: [Int64]
        var loopTime: Int64
        var text: String
    }

    /// Plays a GIF of five frames of 200 ms, at the end of which the terminal closes.
    /// - Parameter forward: called with each event for the lender.
    private func play(
        _ view: KeyViews, start: Int64 = 0, source: ScriptedFrameSource? = nil,
        _ script: Script, outcome: String? = nil, note: String? = nil,
        size: CellSize = CellSize(columns: 70, rows: 24), hints: [KeyHint] = [],
        forward: (TerminalEvent, Player) -> PlaybackEnd? = { _, _ in nil }
    ) -> Run {
        withoutActuallyEscaping(forward) { forward in
            let terminal = VirtualTerminal(
                traits: TerminalTraits(size: size),
                script: script + [.at(3_000, .signal(15))])
            var options = PlaybackOptions()
            (options.view, options.loops, options.hints) = (view, .forever, hints)
            options.help = .all(in: view, .english)
            var run = Run(end: .quit, forwarded: [], frames: [], times: [], loopTime: 0, text: "")
            var player: Player?
            let delegate = ScriptedDelegate { $0.note = { note } }
            delegate.outcome = { outcome.map { ActionResult(note: $0) } }
            delegate.event = { event in
                run.forwarded.append(event)
                return player.flatMap { forward(event, $0) }
            }
            let new = Player(
                source: source
                    ?? ScriptedFrameSource(delays: [20, 20, 20, 20, 20], canvas: .init(width: 8, height: 8)),
                terminal: terminal, options: options, label: PlaybackLabel(title: "Cat", credit: "Ada"),
                start: start * Span.millisecond, delegate: delegate
            ) { trace in
                guard case .shown(let time, _, let frame, _, _, _) = trace else { return }
                run.frames.append(frame)
                run.times.append(time.nanoseconds / Span.millisecond)
            }
            player = new
            run.end = new.run()
            player = nil
            run.loopTime = new.loopTime / Span.millisecond
            run.text = terminal.presented.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
            return run
        }
    }

    private static let keys: [Key] =
        (0x20...0x7E).map { .character(Character(Unicode.Scalar($0))) }
        + [.enter, .tab, .backTab, .backspace, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .escape]

    @Test("In the large view, the player has the keys that control playback, and its lender gets all others")
    func keys() {
        for key in Self.keys {
            let run = play(.large, [.at(500, .key(key))])
            let row = KeyTable.rows(in: .large).first { $0.keys.contains { $0.key == key } }
            let isOwn = row?.group == .play || key == .character("?")
            #expect(run.forwarded == (isOwn ? [] : [.key(key)]), "\(key)")
        }
    }

    @Test("In the screensaver, the player acts on the GIF, and its lender gets all other keys, clicks and pastes")
    func screensaver() {
        for event in Self.keys.map(TerminalEvent.key) + [
            .paste("x"), .pointer(PointerEvent(.press, row: 1, column: 1)),
        ] {
            let run = play(.screensaver, [.at(500, event)]) { _, _ in .quit }
            var isAction = false
            if case .key(let key) = event, case .act = KeyTable.command(of: key, in: .screensaver) { isAction = true }
            #expect(run.end == (isAction ? .interrupted(signal: 15) : .quit), "\(event)")
        }
    }

    @Test("The lender gets wake-ups, can end playback, and its outcome is displayed")
    func events() {
        let events: [TerminalEvent] = [
            .wake, .key(.tab), .paste("x"), .pointer(PointerEvent(.wheelDown, row: 1, column: 1)),
        ]
        let run = play(.large, events.map { .at(500, $0) }, outcome: "saved")
        #expect(run.forwarded == events && run.text.contains("2msaved\u{1B}"))
        let left = play(.large, [.at(700, .key(.escape))]) { _, _ in .finished }
        #expect(left.end == .finished && left.loopTime == 700)
    }

    @Test("Over the help, '/' is forwarded, and any other key or click only closes the help")
    func help() {
        for (event, isForwarded) in [
            (TerminalEvent.key(.character("/")), true), (.key(.character("q")), false), (.key(.character("n")), false),
            (.pointer(PointerEvent(.press, row: 1, column: 1)), false),
        ] {
            let run = play(.large, [.key("?", at: 300), .at(400, event), .at(500, .key(.tab))])
            #expect(run.forwarded == (isForwarded ? [event] : []) + [.key(.tab)], "\(event)")
            #expect(run.text.contains("back to the grid"))
            // Playback continues at its place.
            #expect(run.frames.prefix(4) == [0, 1, 1, 2] || run.frames.prefix(3) == [0, 1, 2], "\(run.frames)")
        }
    }

    @Test("Playback can start within the loop")
    func start() {
        let run = play(.large, start: 470, [])
        #expect(run.frames.prefix(4) == [2, 3, 4, 0] && run.times.prefix(4) == [0, 130, 330, 530])
        #expect(play(.large, start: 1_470, []).frames.prefix(2) == [2, 3])
    }

    @Test("A seek to the first picture that takes longer than 30 ms shows the frame that it has reached")
    func slowStart() {
        // Each frame needs 10 ms.
        let pending = Dictionary(uniqueKeysWithValues: (1..<20).map { ($0, 1) })
        let source = ScriptedFrameSource(
            delays: Array(repeating: 10, count: 20), canvas: .init(width: 8, height: 8), pending: pending)
        let run = play(.large, start: 1_520, source: source, (1..<20).map { .at(Int64($0) * 10, .wake) })
        #expect(run.frames == [3, 15] && run.times == [30, 150], "\(run.times)")
        let fast = ScriptedFrameSource(
            delays: Array(repeating: 10, count: 20), canvas: .init(width: 8, height: 8), pending: [1: 1, 2: 1])
        let quick = play(.large, start: 250, source: fast, [.at(10, .wake), .at(20, .wake)])
        #expect(quick.frames.first == 2 && quick.times.first == 20)
    }

    @Test("Before the first picture, the reason for the wait replaces the tiles")
    func waiting() {
        for (view, isCleared) in [(KeyViews.large, true), (.player, false)] {
            let source = ScriptedFrameSource(delays: [20], canvas: .init(width: 8, height: 8), pending: [0: 9])
            let run = play(view, source: source, [], note: "loading…")
            #expect(run.text.contains("Cat · Ada · loading…"))
            #expect(run.text.ranges(of: "\u{1B}[2J").count == (isCleared ? 1 : 0))
        }
    }

    @Test("A step or a seek says so while the frames are loading")
    func loading() {
        for key in [Key.character("."), .right] {
            let source = ScriptedFrameSource(delays: [10, 10], canvas: .init(width: 8, height: 8), pending: [1: 99])
            let run = play(.large, source: source, [.at(500, .key(key))])
            #expect(run.frames == [0] && run.text.contains("loading…"), "\(key)")
        }
    }

    @Test("The large view has a status line in every pane of two rows, the player in panes of six rows")
    func smallPanes() {
        for (view, least) in [(KeyViews.large, 2), (.screensaver, 2), (.player, 6)] {
            for rows in 1...7 {
                let run = play(view, [], size: CellSize(columns: 20, rows: rows))
                #expect(run.text.contains("Cat · Ada") == (rows >= least), "\(rows) rows")
            }
        }
    }

    @Test("A click on a hint presses its key; a click beside it, and on another row, goes to the lender")
    func hints() {
        let hints = [
            KeyHint(.character("s"), "s save"), KeyHint(.escape, "Esc back"), KeyHint(.character("?"), "? keys"),
        ]
        for (row, column, expected) in [
            (23, 39, .key(.character("s"))), (23, 44, .key(.character("s"))), (23, 45, nil), (23, 46, nil),
            (23, 47, .key(.escape)), (23, 54, .key(.escape)), (23, 0, nil), (23, 69, nil), (22, 47, nil),
        ] as [(Int, Int, TerminalEvent?)] {
            let click = TerminalEvent.pointer(PointerEvent(.press, row: row, column: column))
            let run = play(.large, [.at(500, click)], hints: hints)
            #expect(run.text.contains("s save  Esc back  ? keys  0:00"))
            #expect(run.forwarded == [expected ?? click], "\(row) \(column)")
        }
        let help = play(.large, [.at(500, .pointer(PointerEvent(.press, row: 23, column: 57)))], hints: hints)
        #expect(help.forwarded.isEmpty && help.text.contains("back to the grid"))
        let wheel = TerminalEvent.pointer(PointerEvent(.wheelUp, row: 23, column: 47))
        #expect(play(.large, [.at(500, wheel)], hints: hints).forwarded == [wheel])
    }

    @Test("Another file of the same GIF continues at the same time, in a pause too", arguments: [false, true])
    func otherFile(isPaused: Bool) {
        // The second file is larger, and its first frames have other delays.
        let small = ScriptedFrameSource(delays: [20, 20, 20, 20, 20], canvas: .init(width: 8, height: 8))
        let large = ScriptedFrameSource(delays: [25, 25, 25, 25], canvas: .init(width: 16, height: 16))
        let source = ChangingSource(small)
        let script: Script = (isPaused ? [.key(" ", at: 650)] : []) + [.at(700, .wake)]
        let terminal = VirtualTerminal(
            traits: TerminalTraits(size: CellSize(columns: 40, rows: 12)), script: script + [.at(1_300, .signal(15))])
        var options = PlaybackOptions()
        (options.view, options.loops) = (.large, .forever)
        var shown: [[Int64]] = []
        var player: Player?
        let delegate = ScriptedDelegate()
        delegate.event = { _ in
            source.present = large
            player?.changeFile()
            return nil
        }
        let new = Player(
            source: source, terminal: terminal, options: options, label: PlaybackLabel(title: ""), delegate: delegate
        ) { trace in
            guard case .shown(let time, _, let frame, _, _, _) = trace else { return }
            shown.append([Int64(frame), time.nanoseconds / Span.millisecond])
        }
        player = new
        _ = new.run()
        player = nil
        #expect(shown.prefix(4) == [[0, 0], [1, 200], [2, 400], [3, 600]])
        let next = shown.first { $0[1] >= 700 }
        // At 650 and 700 ms, the third frame of the second file is due, which begins at 500 ms.
        #expect(next == [2, 700], "\(shown)")
        #expect(shown.contains([3, 750]) == !isPaused, "\(shown)")
    }

    @Test("A changed label is drawn at once")
    func label() {
        let run = play(.large, [.at(500, .key(.character("f")))]) { _, player in
            player.setLabel(PlaybackLabel(title: "★ Cat"))
            return nil
        }
        #expect(run.text.contains("★ Cat"))
    }

    @Test("The left part of the status line leads to the page of the GIF")
    func link() {
        let run = play(.large, [.at(500, .wake)], hints: [KeyHint(.escape, "Esc back")]) { _, player in
            player.setLabel(PlaybackLabel(title: "Cat", link: "https://example.org/1"))
            return nil
        }
        let link = "\u{1B}]8;;https://example.org/1\u{1B}\\Cat\u{1B}]8;;\u{1B}\\   "
        #expect(run.text.contains(link))
    }

    @Test("Ctrl-L draws the whole picture again")
    func redraw() {
        let run = play(.large, [.at(500, .key(.control("l")))])
        #expect(run.forwarded.isEmpty && run.frames.prefix(4) == [0, 1, 2, 2])
        #expect(run.text.ranges(of: "\u{1B}[2J").count == 2)
    }
}

/// A source whose file changes.
private final class ChangingSource: FrameSource {
    var present: ScriptedFrameSource

    init(_ first: ScriptedFrameSource) { present = first }

    func next() -> FrameStep { present.next() }

    func rewind() { present.rewind() }
}
