import Base
import Catalog
import Testing

@testable import Gallery

@Suite("Screensaver")
struct ScreensaverTests {
    private var tickets = Tickets()
    private var screensaver = Screensaver()

    private func time(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * Span.second) }

    /// Starts the screensaver at 10 s. The request for its first GIF gets ticket 1.
    private mutating func start() {
        screensaver.schedule(at: time(10))
        _ = screensaver.update(at: time(10), until: time(20), &tickets)
    }

    @Test("The screensaver requests a random GIF when its start time is reached")
    mutating func starts() {
        screensaver.schedule(at: time(10))
        screensaver.schedule(at: time(20))
        #expect(screensaver.deadline == time(10))
        let early = screensaver.update(at: time(9), until: time(19), &tickets)
        let effects = screensaver.update(at: time(10), until: time(20), &tickets)
        #expect(early.isEmpty && effects == [.loadRandom(ticket: 1)])
        #expect(screensaver.deadline == nil && screensaver.shown == nil)
    }

    @Test("The previous GIF keeps playing while the next one loads, and after a failed load")
    mutating func keepsPlaying() {
        start()
        screensaver.receive(.success(.some("a")), ticket: 1, until: time(20))
        #expect(screensaver.shown?.id == "a" && screensaver.deadline == time(20))
        let effects = screensaver.update(at: time(20), until: time(30), &tickets)
        #expect(screensaver.shown?.id == "a" && effects == [.loadRandom(ticket: 2)])
        screensaver.receive(.failure(.nothingFound), ticket: 2, until: time(30))
        #expect(screensaver.shown?.id == "a" && screensaver.deadline == time(30))
    }

    @Test("If loading the first GIF fails, another GIF is requested later")
    mutating func triesAgain() {
        start()
        screensaver.receive(.failure(.nothingFound), ticket: 1, until: time(20))
        #expect(screensaver.shown == nil && screensaver.deadline == time(20))
    }

    @Test("A response with an unknown ticket is ignored")
    mutating func outdated() {
        start()
        screensaver.receive(.success(.some("a")), ticket: 7, until: time(20))
        #expect(screensaver.shown == nil)
    }

    @Test("A GIF that arrives after the screensaver was stopped is the first one when it starts again")
    mutating func lateGIF() {
        start()
        _ = screensaver.stop()
        screensaver.receive(.success(.some("a")), ticket: 1, until: time(20))
        #expect(screensaver.shown == nil && screensaver.deadline == nil)
        screensaver.schedule(at: time(40))
        let effects = screensaver.update(at: time(40), until: time(50), &tickets)
        #expect(effects.isEmpty && screensaver.shown?.id == "a" && screensaver.deadline == time(50))
        let next = screensaver.update(at: time(50), until: time(60), &tickets)
        #expect(next == [.loadRandom(ticket: 2)])
    }

    @Test("Stopping the screensaver cancels its pending request")
    mutating func stops() {
        start()
        let effects = screensaver.stop()
        #expect(effects == [.cancel(ticket: 1)] && screensaver == Screensaver())
        let again = screensaver.stop()
        #expect(again.isEmpty)
    }
}
