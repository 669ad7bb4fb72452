import Base
import Catalog
import Library
import Pixels
import Playback
import Testing

@testable import Gallery

/// The terminal that the gallery lends to the player.
@Suite("The player of the gallery")
struct GalleryPlayerTests {
    /// A player that passes on events in place of playing.
    private final class ScriptedPlayer: GalleryPlayer {
        /// The events while each GIF plays. The last GIF ends by itself.
        var events: [[TerminalEvent]]
        var ends: [PlaybackEnd] = []
        /// The event that ends the screensaver.
        var leaving: TerminalEvent?
        var notes: [String] = []
        private(set) var played: [String] = []
        private(set) var randomCount = 0

        init(_ events: [[TerminalEvent]] = []) { self.events = events }

        func play(
            _ reference: GIFReference, tileSize size: PixelSize, from start: Int64, in gallery: GalleryRuntime
        ) -> (end: PlaybackEnd, time: Int64) {
            played.append(reference.id)
            for event in events.isEmpty ? [] : events.removeFirst() {
                let continues = gallery.handle(event, whilePlaying: reference)
                if let note = gallery.takeOutcome()?.note { notes.append(note) }
                if !continues { return (.finished, 0) }
            }
            return (ends.isEmpty ? .finished : ends.removeFirst(), 0)
        }

        func playRandom(in gallery: GalleryRuntime) -> (end: PlaybackEnd, event: TerminalEvent?, shown: GIFReference?) {
            randomCount += 1
            notes.append(gallery.perform(.favourite, on: .some("shown")).note)
            return (.quit, leaving, .some("shown"))
        }
    }

    private func run(
        _ player: ScriptedPlayer, in feed: Feed = .search(query: "cats"), _ script: [VirtualTerminal.ScriptedEvent]
    ) -> (end: GalleryEnd, state: GalleryState) {
        let runtime = runtime(player, feed, script)
        return (runtime.run(), runtime.state)
    }

    private func runtime(
        _ player: ScriptedPlayer, _ feed: Feed, _ script: [VirtualTerminal.ScriptedEvent] = []
    ) -> GalleryRuntime {
        let terminal = VirtualTerminal(traits: TerminalTraits(size: CellSize(columns: 80, rows: 24)), script: script)
        let state = GalleryState(feed: feed, items: GIFReference.many(9), traits: terminal.traits)
        return GalleryRuntime(state, terminal: terminal, services: .doubles(), player: player)
    }

    private static let escape = TerminalEvent.key(.escape)
    private static func at(_ milliseconds: Int64, _ event: TerminalEvent) -> VirtualTerminal.ScriptedEvent {
        .init(at: Instant(nanoseconds: milliseconds * Span.millisecond), event)
    }

    @Test("Enter plays the selected GIF, 'n', 'p' and the wheel change it, and Esc is back in the grid")
    func walk() {
        let player = ScriptedPlayer([
            [.key(.character("n"))], [.wake, .key(.pageDown)], [.key(.character("p"))],
            [.pointer(PointerEvent(.wheelDown, row: 5, column: 5))], [Self.escape],
        ])
        let (end, state) = run(
            player, [Self.at(10, .key(.right)), Self.at(20, .key(.enter)), Self.at(30, .signal(15))])
        #expect(player.played == ["1", "2", "3", "2", "3"] && end == .interrupted(signal: 15))
        #expect(state.mode == .browsing && state.grid.selected?.id == "3")
    }

    @Test("Notices while a GIF plays are displayed by the player, and not again in the grid")
    func notices() {
        let player = ScriptedPlayer([[.key(.character("p")), .key(.character("x")), Self.escape]])
        let (_, state) = run(player, [Self.at(10, .key(.enter)), Self.at(20, .signal(15))])
        #expect(player.notes == ["first GIF", "x: no command · press / to search"] && state.notices.note == nil)
    }

    @Test("A key typed right after Enter goes to the player")
    func typedAhead() {
        let player = ScriptedPlayer([[Self.escape]])
        let keys: [TerminalEvent] = [.key(.enter), .key(.character(" ")), .key(.down)]
        let (_, state) = run(player, keys.map { Self.at(10, $0) } + [Self.at(20, .signal(15))])
        // The scripted player has read no key, so these are still in the terminal when it returns.
        #expect(player.played == ["0"] && state.grid.selected?.id != "0")
    }

    @Test("What ends the player for other reasons ends the gallery, or is back in the grid")
    func ends() {
        for (playerEnd, expected) in [
            (PlaybackEnd.interrupted(signal: 2), GalleryEnd.interrupted(signal: 2)), (.closed, .closed),
            (.finished, .interrupted(signal: 15)), (.failed(.empty), .interrupted(signal: 15)),
        ] {
            let player = ScriptedPlayer()
            player.ends = [playerEnd]
            let (end, _) = run(player, [Self.at(10, .key(.enter)), Self.at(20, .signal(15))])
            #expect(end == expected && player.played == ["0"])
        }
    }

    @Test(
        "The screensaver performs actions in the gallery; Enter opens its GIF, a key acts in the grid, a click does not"
    )
    func screensaver() {
        for (event, played, selected) in [
            (TerminalEvent.key(.enter), ["shown"], "shown"), (.key(.right), [], "1"),
            (.pointer(PointerEvent(.press, row: 5, column: 30)), [], "0"),
        ] as [(TerminalEvent, [String], String)] {
            let player = ScriptedPlayer([[Self.escape]])
            player.leaving = event
            let (_, state) = run(player, in: .trending(source: nil), [Self.at(90_000, .signal(15))])
            #expect(player.randomCount == 1 && player.played == played && state.grid.selected?.id == selected)
            #expect(state.facts.marks(of: GIFReference.some("shown").key).isFavourite)
        }
    }

    @Test("The label has the mark and the position of the GIF")
    func label() {
        let runtime = runtime(ScriptedPlayer(), .search(query: "x"))
        runtime.feed(.opened)
        let own = PlaybackLabel(title: "Cat", credit: "Ada", detail: "example.org")
        let detail = "example.org · 400×300 1.2 MB · today"
        let complete = PlaybackLabel(title: "Cat", credit: "Ada", position: "1 of 9", detail: detail)
        #expect(runtime.complete(own) == complete)
        runtime.feed(.key(.character("f")))
        #expect(runtime.complete(own).title == "★ Cat")
    }
}
