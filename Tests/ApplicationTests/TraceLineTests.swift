import Base
import Playback
import Testing

@testable import Application

@Suite struct TraceLineTests {
    @Test("A shown frame is printed with its time, its bytes and its fidelity", arguments: [false, true])
    func shown(isReplayed: Bool) {
        let time = Instant(nanoseconds: 12_034_567_890)
        let trace = PlaybackTrace.shown(
            time, iteration: 1, frame: 2, bytes: 345, isReplayed: isReplayed, .standard)
        let verb = isReplayed ? "replayed" : "shown"
        #expect(TraceLine.text(trace) == "12.034567 iteration 1 frame 2 \(verb) 345 bytes ±1")
    }

    @Test("Dropped frames and the end of playback are printed with their times")
    func others() {
        let dropped = PlaybackTrace.dropped(Instant(nanoseconds: 50 * Span.millisecond), iteration: 0, frame: 7)
        #expect(TraceLine.text(dropped) == "0.050000 iteration 0 frame 7 dropped")
        let ended = PlaybackTrace.ended(Instant(nanoseconds: 0), .finished)
        #expect(TraceLine.text(ended) == "0.000000 ended: finished")
    }
}
