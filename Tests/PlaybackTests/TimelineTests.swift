import Base
import Testing

@testable import Playback

@Suite("The timeline")
struct TimelineTests {
    @Test("A media time maps to an instant, and this instant maps back to the media time")
    func mapping() {
        let timeline = Timeline(start: .ms(50), media: 0, speed: 1)
        #expect(timeline.instant(of: 0) == .ms(50))
        #expect(timeline.instant(of: 700 * Span.millisecond) == .ms(750))
        #expect(timeline.media(at: .ms(750)) == 700 * Span.millisecond)
    }

    @Test("A new speed applies from the time of its change")
    func speed() {
        var timeline = Timeline(start: .ms(0), speed: 1)
        timeline.setSpeed(2, at: .ms(100))
        #expect(timeline.instant(of: 300 * Span.millisecond) == .ms(200))
        timeline.setSpeed(0.5, at: .ms(150))
        #expect(timeline.media(at: .ms(150)) == 200 * Span.millisecond)
        #expect(timeline.instant(of: 300 * Span.millisecond) == .ms(350))
    }

    @Test("A held timeline does not advance, and continues from the same position when it is released")
    func hold() {
        var timeline = Timeline(start: .ms(0), speed: 1)
        timeline.hold(at: .ms(30))
        #expect(timeline.media(at: .ms(900)) == 30 * Span.millisecond)
        timeline.setSpeed(2, at: .ms(950))
        #expect(timeline.media(at: .ms(960)) == 30 * Span.millisecond)
        timeline.release(at: .ms(1000))
        #expect(timeline.media(at: .ms(1010)) == 50 * Span.millisecond)
    }

    @Test("An instant that overflows becomes the latest possible instant")
    func overflow() {
        let timeline = Timeline(start: .ms(1000), speed: 0.1)
        #expect(timeline.instant(of: .max / 2).nanoseconds == .max)
    }
}
