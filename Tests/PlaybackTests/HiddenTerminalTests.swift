import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("A terminal that nobody sees")
struct HiddenTerminalTests {
    /// A virtual terminal that is busy for one second after each update until it is seen.
    private final class HiddenTerminal: PlaybackTerminal {
        let inner: VirtualTerminal
        private let end: Instant
        private var nextUpdate: Instant?

        init(until end: Instant, _ script: [VirtualTerminal.ScriptedEvent]) {
            let size = CellSize(columns: 8, rows: 4)
            inner = VirtualTerminal(traits: TerminalTraits(size: size), script: script)
            self.end = end
        }

        var now: Instant { inner.now }
        var traits: TerminalTraits { inner.traits }
        var waker: @Sendable () -> Void { inner.waker }
        var isHidden: Bool { now < end }
        var isDrained: Bool { nextUpdate == nil }

        func wait(until deadline: Instant?) -> TerminalEvent {
            let event = inner.wait(until: .earliest(deadline, nextUpdate.map { min($0, end) }))
            guard event == .deadline, let nextUpdate, now >= nextUpdate || !isHidden else { return event }
            self.nextUpdate = nil
            return .drained
        }

        func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
            inner.present(picture, text)
            nextUpdate = isHidden ? now + Span.second : nil
        }
    }

    @Test("Frames are dropped, not drawn worse, and the frame that is due is shown once the terminal is seen")
    func rate() {
        for cacheBytes in [0, 1 << 20] {
            let terminal = HiddenTerminal(until: .ms(6550), [.key("+", at: 3500), .key("q", at: 8000)])
            var options = PlaybackOptions()
            (options.loops, options.loopCacheBytes) = (.forever, cacheBytes)
            var shown: [(time: Int64, frame: Int)] = []
            let source = ScriptedFrameSource(
                delays: Array(repeating: 10, count: 13), canvas: PixelSize(width: 8, height: 8))
            let player = Player(source: source, terminal: terminal, options: options, label: PlaybackLabel(title: "")) {
                guard case .shown(let time, _, let frame, _, _, let fidelity) = $0 else { return }
                shown.append((time.milliseconds, frame))
                #expect(fidelity == (frame == 0 ? .exact : .standard))
            }
            #expect(player.run() == .quit && terminal.now == .ms(8000))
            let hidden = shown.filter { $0.time < 6550 }.map(\.time)
            #expect(zip(hidden, hidden.dropFirst()).allSatisfy { $1 - $0 >= 1000 } && hidden.count >= 5)
            let seen = shown.filter { $0.time >= 6550 }.map(\.time)
            #expect(seen.first == 6550 && seen.count > 16, "\(seen)")
        }
    }
}
