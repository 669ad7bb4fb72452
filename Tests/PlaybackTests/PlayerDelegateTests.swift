import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("The delegate of the player")
struct PlayerDelegateTests {
    private func run(
        _ source: ScriptedFrameSource, _ delegate: ScriptedDelegate, script: Script = [],
        change: (inout PlaybackOptions) -> Void = { _ in }
    ) -> (end: PlaybackEnd, terminal: VirtualTerminal) {
        let terminal = VirtualTerminal(traits: TerminalTraits(size: CellSize(columns: 60, rows: 10)), script: script)
        var options = PlaybackOptions()
        change(&options)
        let label = PlaybackLabel(title: "Cat", detail: "somewhere")
        let player = Player(source: source, terminal: terminal, options: options, label: label, delegate: delegate)
        return (player.run(), terminal)
    }

    private func text(_ terminal: VirtualTerminal) -> [(time: Instant, text: String)] {
        terminal.presented.map { ($0.time, String(decoding: $0.bytes, as: UTF8.self)) }
    }

    @Test("A note is requested twice a second and replaces the detail unless the note is nil or empty")
    func notes() {
        var notes: [String?] = ["", "1 kB of 3 kB", "2 kB of 3 kB", nil]
        var requestCount = 0
        let delegate = ScriptedDelegate()
        delegate.note = {
            requestCount += 1
            return notes.isEmpty ? "never" : notes.removeFirst()
        }
        let (end, terminal) = run(.flat([500]), delegate)
        #expect(end == .finished && requestCount == 4)
        let written = text(terminal)
        #expect(written.first?.text.contains("Cat · somewhere") == true)
        #expect(written.first { $0.text.contains("1 kB of") }?.time == .ms(1000))
        #expect(written.first { $0.text.contains("2 kB of") }?.time == .ms(1500))
        #expect(written.last { $0.text.contains("Cat · somewhere") }?.time == .ms(2000))
    }

    @Test("As soon as a note exists, the status line appears, even before the first frame")
    func early() {
        let delegate = ScriptedDelegate { $0.note = { "40 B of 9 kB" } }
        let (_, terminal) = run(.flat([10], pending: [0: 3]), delegate, script: [.at(1200, .wake)])
        let written = text(terminal)
        #expect(written.first?.time == .ms(500) && written.first?.text.contains("\u{1B}[10;H") == true)
        #expect(written.dropFirst().first?.time == .ms(1200))
        #expect(written.dropFirst().first?.text.contains("40 B of 9 kB") == true)
    }

    @Test("Frames keep their times while notes change")
    func keepsTime() {
        var count = 0
        let delegate = ScriptedDelegate()
        delegate.note = {
            count += 1
            return "note \(count)"
        }
        let (_, terminal) = run(.flat([30, 30, 30, 30]), delegate)
        let pictures = text(terminal).filter {
            $0.text.contains("m▀") || $0.text.contains("m ") || $0.text.contains("█")
        }
        #expect(pictures.map(\.time).starts(with: [.ms(0)]))
        #expect(terminal.now == .ms(1200))
    }

    @Test("The key 'y' copies the link, the key 'o' opens it, and the result is displayed for three seconds")
    func link() {
        var actions: [ItemAction] = []
        let delegate = ScriptedDelegate()
        delegate.action = { action in
            actions.append(action)
            return action == .copyLink
                ? ActionResult(sequence: Array("\u{1B}]52;c;eA==\u{7}".utf8), note: "link copied")
                : ActionResult(note: "opening in the browser…")
        }
        let (end, terminal) = run(.flat([1400]), delegate, script: [.key("y", at: 1000), .key("o", at: 7000)])
        #expect(end == .finished && actions == [.copyLink, .open])
        let written = text(terminal)
        #expect(written.first { $0.text.contains("\u{1B}]52;c;eA==\u{7}") }?.time == .ms(1000))
        #expect(written.first { $0.text.contains("2mlink copied\u{1B}") }?.time == .ms(1000))
        #expect(written.first { $0.time > .ms(1000) && $0.text.contains("Cat · somewhere") }?.time == .ms(4000))
        #expect(written.first { $0.text.contains("opening in the browser") }?.time == .ms(7000))
    }

    @Test("After a link action has ended, the player's next wake-up replaces the action's first note by its outcome")
    func linkOutcome() {
        var outcomes: [String?] = [nil, "not opened: no browser"]
        let delegate = ScriptedDelegate { $0.action = { _ in ActionResult(note: "opening…") } }
        delegate.outcome = { outcomes.isEmpty ? nil : outcomes.removeFirst().map { ActionResult(note: $0) } }
        let script: Script = [.key("o", at: 1000), .at(1500, .wake), .at(2000, .wake)]
        let written = text(run(.flat([1000]), delegate, script: script).terminal)
        #expect(written.first { $0.text.contains("2mopening…\u{1B}") }?.time == .ms(1000))
        #expect(written.first { $0.text.contains("2mnot opened: no browser\u{1B}") }?.time == .ms(2000))
        #expect(written.first { $0.time > .ms(2000) && $0.text.contains("Cat · somewhere") }?.time == .ms(5000))
    }

    @Test("The keys 'y' and 'o' do nothing without an action")
    func noLink() {
        let (end, terminal) = run(.flat([200]), ScriptedDelegate(), script: [.key("y", at: 500), .key("o", at: 600)])
        #expect(end == .finished && terminal.presented.count { $0.time == .ms(500) || $0.time == .ms(600) } == 0)
    }

    @Test("Playback continues beyond its duration until mayEnd returns true, which is called only after a wake-up")
    func mayEnd() {
        var answers = [false, false, true]
        let delegate = ScriptedDelegate { $0.end = { answers.removeFirst() } }
        let script = [300, 630].map { VirtualTerminal.ScriptedEvent(at: .ms($0), .wake) }
        let (end, terminal) = run(.flat([10, 10], loopCount: 0), delegate, script: script) {
            $0.duration = 150 * Span.millisecond
        }
        #expect(end == .finished && answers.isEmpty)
        #expect(terminal.now == .ms(630))
    }

    @Test("If the wake-up arrives during a pause, playback ends after the pause")
    func mayEndAfterPause() {
        var answers = [false, true]
        let delegate = ScriptedDelegate { $0.end = { answers.removeFirst() } }
        let script: Script = [.key(" ", at: 200), .init(at: .ms(300), .wake), .key(" ", at: 900)]
        let (end, terminal) = run(.flat([10, 10], loopCount: 0), delegate, script: script) {
            $0.duration = 150 * Span.millisecond
        }
        #expect(end == .finished && terminal.now == .ms(900))
    }

    @Test("A still is refused only if refusesStills is set, and an animation is never refused")
    func stills() {
        #expect(run(.flat([10]), ScriptedDelegate()) { $0.refusesStills = true }.end == .still)
        #expect(run(.flat([10, 10]), ScriptedDelegate()) { $0.refusesStills = true }.end == .finished)
        #expect(run(.flat([10]), ScriptedDelegate()).end == .finished)
    }

    @Test("The key 'd' shows the next GIF if there is one, and otherwise only a note")
    func dismiss() {
        for hasNext in [true, false] {
            let delegate = ScriptedDelegate { $0.switchRefusal = { _ in hasNext ? nil : "no other GIF" } }
            delegate.action = { ActionResult(note: $0 == .dismiss ? "dismissed" : "", showsNext: $0 == .dismiss) }
            let (end, terminal) = run(.flat([1400]), delegate, script: [.key("d", at: 1000)])
            #expect(end == (hasNext ? .switchItem(.next) : .finished))
            #expect(hasNext || text(terminal).contains { $0.text.contains("dismissed") })
        }
    }

    @Test("The key 'm' draws the picture with other characters at once, says so, and reports it for the next GIFs")
    func drawing() {
        var reported: [Drawing] = []
        let delegate = ScriptedDelegate()
        delegate.drawing = { reported.append($0) }
        let (_, terminal) = run(.flat([9000]), delegate, script: (1...4).map { .key("m", at: $0 * 1000) })
        let grids: [SubcellGrid] = [.quadrant, .sextant, .octant]
        #expect(reported == grids.map { Drawing(.subcells($0)) } + [Drawing(.half)])
        for (second, name) in [(1, "quadrants"), (2, "sextants"), (3, "octants"), (4, "half-blocks")]
            as [(Int64, String)]
        {
            let update = text(terminal).first { $0.time >= .ms(second * 1000) && $0.text.contains("\u{1B}[2J") }
            #expect(update?.time == .ms(second * 1000) && update?.text.contains(name) == true, "\(name)")
        }
    }

    @Test("A key without a command is reported")
    func unknownKey() {
        var keys: [Key] = []
        let delegate = ScriptedDelegate()
        delegate.keyRefusal = {
            keys.append($0)
            return "no command"
        }
        let (_, terminal) = run(
            .flat([1400]), delegate, script: [.key("x", at: 100), .key(" ", at: 200), .key(" ", at: 300)])
        #expect(keys == [.character("x")] && text(terminal).contains { $0.text.contains("no command") })
    }
}

/// Answers with closures.
final class ScriptedDelegate: PlayerDelegate {
    var note: () -> String? = { nil }
    var end: () -> Bool = { true }
    var action: (ItemAction) -> ActionResult? = { _ in nil }
    var outcome: () -> ActionResult? = { nil }
    var switchRefusal: (PlaybackEnd.ItemSwitch) -> String? = { _ in nil }
    var keyRefusal: (Key) -> String? = { _ in nil }
    var drawing: (Drawing) -> Void = { _ in }
    var event: (TerminalEvent) -> PlaybackEnd? = { _ in nil }
    var bytes: () -> [UInt8]? = { nil }

    init(_ change: (ScriptedDelegate) -> Void = { _ in }) { change(self) }

    func currentNote() -> String? { note() }
    func mayEnd() -> Bool { end() }
    func perform(_ action: ItemAction) -> ActionResult? { self.action(action) }
    func takeOutcome() -> ActionResult? { outcome() }
    func refusal(of key: Key) -> String? { keyRefusal(key) }
    func refusal(of kind: PlaybackEnd.ItemSwitch) -> String? { switchRefusal(kind) }
    func choose(_ drawing: Drawing) { self.drawing(drawing) }
    func handle(_ event: TerminalEvent) -> PlaybackEnd? { self.event(event) }
    var file: [UInt8]? { bytes() }
}
