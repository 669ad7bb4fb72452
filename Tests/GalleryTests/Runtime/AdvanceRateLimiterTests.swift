import Base
import Testing

@testable import Gallery

@Suite("The rate of tile updates")
struct AdvanceRateLimiterTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * Span.millisecond) }

    /// Records the times of a screen. Composing began at 0 ms and ended at `composed` ms, and the terminal had received
    /// the whole screen at `received` ms.
    private func note(_ limiter: inout AdvanceRateLimiter, composed: Int64, received: Int64) {
        limiter.recordScreen(from: at(0), composed: at(composed), received: at(received))
    }

    @Test("Slow screens lower the update rate, and fast screens restore it")
    func adapts() {
        var limiter = AdvanceRateLimiter()
        limiter.recordAdvance(at: at(0))
        note(&limiter, composed: 11, received: 11)
        #expect(limiter.interval == 80 * Span.millisecond)
        #expect(limiter.next(after: at(10)) == at(80))
        note(&limiter, composed: 1, received: 41)
        #expect(limiter.interval == 160 * Span.millisecond)
        note(&limiter, composed: 1, received: 79)
        #expect(limiter.interval == 160 * Span.millisecond)
        note(&limiter, composed: 1, received: 2)
        note(&limiter, composed: 1, received: 2)
        #expect(limiter.interval == AdvanceRateLimiter.minInterval)
    }

    @Test("Screens that are drawn after key presses do not delay the next update")
    func keys() {
        var limiter = AdvanceRateLimiter()
        limiter.recordAdvance(at: at(0))
        for number in 1..<4 {
            let composed = at(Int64(number) * 10 + 1)
            limiter.recordScreen(from: at(Int64(number) * 10), composed: composed, received: composed)
        }
        #expect(limiter.next(after: at(5)) == at(40))
    }

    @Test("A slow connection stays idle for half of the time, and its screens have a lower fidelity")
    func slowConnection() {
        var limiter = AdvanceRateLimiter()
        for _ in 0..<8 { note(&limiter, composed: 1, received: 3001) }
        #expect(limiter.interval == 6 * Span.second && limiter.isConnectionSlow)
        note(&limiter, composed: 1, received: 101)
        #expect(limiter.isConnectionSlow)
        for _ in 0..<9 { note(&limiter, composed: 1, received: 2) }
        #expect(limiter.interval == AdvanceRateLimiter.minInterval && !limiter.isConnectionSlow)
    }

    @Test("If no update is pending, none is scheduled")
    func nothing() {
        #expect(AdvanceRateLimiter().next(after: nil) == nil)
    }

    @Test("The interval between updates never exceeds its maximum")
    func bounded() {
        var limiter = AdvanceRateLimiter()
        for _ in 0..<20 { note(&limiter, composed: 5000, received: 5000) }
        #expect(limiter.interval == AdvanceRateLimiter.maxInterval)
    }
}
