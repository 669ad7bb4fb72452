import Base
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("A tile's film")
struct TileFilmTests {
    private func frame(_ number: Int, pixels: Int = 4, delay: Int64 = 100 * Span.millisecond) -> TileFrame {
        TileFrame(
            pixels: Array(repeating: CellColor(red: UInt8(number), green: 0, blue: 0), count: pixels), delay: delay)
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * Span.millisecond) }

    /// A playhead as a class, so that an expectation can advance it.
    private final class Head {
        var head = Playhead()
        var frame: Int { head.frame }

        func advance(_ film: TileFilm, to now: Instant) -> Bool { head.advance(film, to: now) }
        func nextLook(_ film: TileFilm) -> Instant? { head.nextLook(film) }
    }

    @Test("a loop that fits is kept and goes round without end")
    func keptLoop() {
        var film = TileFilm()
        for number in 0..<3 { film.append(frame(number)) }
        film.endPass()
        #expect(film.loop == 3)
        #expect(film.frame(4)?.pixels.first?.red == 1)
    }

    @Test("of a long one what was shown is let go, and it is no loop")
    func longFilm() {
        var film = TileFilm()
        for number in 0..<8 { film.append(frame(number, pixels: 256 << 10)) }
        film.release(before: 6)
        #expect(film.frame(5) == nil && film.frame(6)?.pixels.first?.red == 6)
        film.endPass()
        #expect(film.loop == nil)
        film.append(frame(8, pixels: 1))
        #expect(film.frame(8)?.pixels.first?.red == 8)
    }

    @Test("frames stand for their time, however rarely one looks")
    func deadlines() {
        var film = TileFilm()
        for number in 0..<4 { film.append(frame(number)) }
        film.endPass()
        let head = Head()
        #expect(head.advance(film, to: at(1000)))
        #expect(!head.advance(film, to: at(1099)))
        #expect(head.nextLook(film) == at(1100))
        #expect(head.advance(film, to: at(1100)) && head.frame == 1)
        // This update is late by one and a half frames: it drops frame 2, but the next deadline does not change.
        #expect(head.advance(film, to: at(1350)) && head.frame == 3)
        #expect(head.nextLook(film) == at(1400))
    }

    @Test("a film that was not there in time goes on from when it is")
    func stalled() {
        var film = TileFilm()
        film.append(frame(0))
        let head = Head()
        _ = head.advance(film, to: at(0))
        #expect(!head.advance(film, to: at(5000)) && head.nextLook(film) == nil)
        film.append(frame(1))
        film.append(frame(2))
        #expect(head.advance(film, to: at(5000)) && head.frame == 1)
        #expect(head.nextLook(film) == at(5100))
    }

    @Test("a still stands")
    func still() {
        var film = TileFilm()
        for number in 0..<2 { film.append(frame(number)) }
        let head = Head()
        head.head.isStill = true
        #expect(head.advance(film, to: at(0)))
        #expect(!head.advance(film, to: at(900)) && head.nextLook(film) == nil)
    }
}

@Suite("The pace of tiles")
struct PaceTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * Span.millisecond) }

    /// Notes a screen that was started at 0 ms, was composed at `made`, and was completely sent to the terminal at
    /// `taken`; both in milliseconds.
    private func note(_ pace: inout Pace, made: Int64, taken: Int64) {
        pace.noteScreen(from: at(0), made: at(made), taken: at(taken))
    }

    @Test("screens that take long make moves rarer, quick ones bring the rate back")
    func adapts() {
        var pace = Pace()
        pace.noteMove(at: at(0))
        note(&pace, made: 11, taken: 11)
        #expect(pace.interval == 80 * Span.millisecond)
        #expect(pace.next(after: at(10)) == at(80))
        note(&pace, made: 1, taken: 41)
        #expect(pace.interval == 160 * Span.millisecond)
        note(&pace, made: 1, taken: 79)
        #expect(pace.interval == 160 * Span.millisecond)
        note(&pace, made: 1, taken: 2)
        note(&pace, made: 1, taken: 2)
        #expect(pace.interval == Pace.shortest)
    }

    @Test("screens that keys ask for put no move off")
    func keys() {
        var pace = Pace()
        pace.noteMove(at: at(0))
        for number in 1..<4 {
            pace.noteScreen(
                from: at(Int64(number) * 10), made: at(Int64(number) * 10 + 1), taken: at(Int64(number) * 10 + 1))
        }
        #expect(pace.next(after: at(5)) == at(40))
    }

    @Test("a line that takes seconds for a screen is free half of the time, and gets coarser pictures")
    func slowLine() {
        var pace = Pace()
        for _ in 0..<8 { note(&pace, made: 1, taken: 3001) }
        #expect(pace.interval == 6 * Span.second && pace.isLineSlow)
        note(&pace, made: 1, taken: 101)
        #expect(pace.isLineSlow)
        for _ in 0..<9 { note(&pace, made: 1, taken: 2) }
        #expect(pace.interval == Pace.shortest && !pace.isLineSlow)
    }

    @Test("nothing to come is no move")
    func nothing() {
        #expect(Pace().next(after: nil) == nil)
    }

    @Test("the rate never falls below the slowest")
    func bounded() {
        var pace = Pace()
        for _ in 0..<20 { note(&pace, made: 5000, taken: 5000) }
        #expect(pace.interval == Pace.longest)
    }
}
