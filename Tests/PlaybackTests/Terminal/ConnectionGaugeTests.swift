import Base
import Testing

@testable import Playback

@Suite("Measuring the connection by the terminal's replies")
struct ConnectionGaugeTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * Span.millisecond) }

    /// A gauge that sent queries at -1000 ms and -500 ms and received each reply 20 ms later.
    private var begun: ConnectionGauge {
        var gauge = ConnectionGauge()
        for time in [-1000, -500] as [Int64] {
            gauge.recordSent(0, hasQuery: true, at: at(time))
            gauge.recordReply(at: at(time + 20), notBefore: at(time + 20))
        }
        return gauge
    }

    @Test("A terminal that does not reply is queried only once and gets 4 kB per second for 5 s")
    func silent() {
        var gauge = ConnectionGauge()
        #expect(!gauge.shouldQuery(at: at(0)) && gauge.allowance == .max)
        gauge.recordSent(0, hasQuery: true, at: at(0))
        gauge.recordSent(30_000, hasQuery: false, at: at(1))
        #expect(gauge.isReplyPending && gauge.isBehind(at: at(99)) && gauge.deadline == at(100))
        let (first, second) = (gauge.handleMissingReply(at: at(100)), gauge.handleMissingReply(at: at(3400)))
        #expect(!first && !second && gauge.isBehind(at: at(3400)) && gauge.deadline == at(3500))
        _ = gauge.handleMissingReply(at: at(3500))
        #expect(!gauge.isBehind(at: at(3500)) && gauge.allowance == ConnectionGauge.firstWindow + 14_000 - 30_000)
        let repeatsQuery = gauge.handleMissingReply(at: at(5000))
        #expect(!repeatsQuery)
        #expect(!gauge.isBehind(at: at(7000)) && !gauge.shouldQuery(at: at(7000)) && gauge.deadline == nil)
        #expect(gauge.allowance == .max)
    }

    @Test("A local terminal that has not replied for a second gets everything, and does not delay the end of a session")
    func silentLocally() {
        var gauge = ConnectionGauge()
        gauge.firstReplyTimeout = ConnectionGauge.localReplyTimeout
        gauge.recordSent(30_000, hasQuery: true, at: at(0))
        let isQueried = gauge.handleMissingReply(at: at(999))
        #expect(!isQueried && gauge.allowance < 5_000 && gauge.lastReplyDeadline == at(1000))
        let isQueriedLater = gauge.handleMissingReply(at: at(1000))
        #expect(!isQueriedLater && gauge.allowance == .max && gauge.deadline == nil)
    }

    @Test("The first reply ends the grants")
    func firstReply() {
        var gauge = ConnectionGauge()
        gauge.recordSent(0, hasQuery: true, at: at(0))
        _ = gauge.handleMissingReply(at: at(1000))
        #expect(gauge.allowance == ConnectionGauge.firstWindow + 4_000)
        gauge.recordReply(at: at(1001), notBefore: at(1001))
        #expect(gauge.allowance == ConnectionGauge.firstWindow)
    }

    @Test("The connection is behind if a reply takes over 200 ms longer than the fastest reply")
    func behind() {
        var gauge = begun
        #expect(gauge.shouldQuery(at: at(30)) && !gauge.isReplyPending)
        gauge.recordSent(100, hasQuery: true, at: at(30))
        #expect(!gauge.isBehind(at: at(250)) && gauge.isBehind(at: at(251)))
        gauge.recordReply(at: at(900), notBefore: at(900))
        #expect(!gauge.isBehind(at: at(900)))
    }

    @Test("After a late reply, fewer bytes may be sent without a reply; after quick replies, more bytes may be sent")
    func window() {
        var gauge = begun
        gauge.recordSent(15_000, hasQuery: true, at: at(0))
        #expect(gauge.isBehind(at: at(1)) && gauge.allowance == ConnectionGauge.firstWindow - 15_000)
        // The rate is 7,500 bytes per second (15,000 bytes in 2 s), and the window holds at least 0.22 s of output.
        gauge.recordReply(at: at(2000), notBefore: at(2000))
        #expect((1650...2100).contains(gauge.window), "\(gauge.window)")
        // A query is due after a quarter of the window.
        #expect(gauge.shouldQuery(at: at(2001), adding: gauge.queryDistance))
        gauge.recordSent(2000, hasQuery: true, at: at(2001))
        gauge.recordReply(at: at(2022), notBefore: at(2022))
        // 2,000 bytes in 21 ms are 95,000 bytes per second, but one reply at most doubles the window.
        #expect(gauge.window == 4096, "\(gauge.window)")
    }

    @Test("Pictures get half a window, and nothing while a quarter is in transit; a quick connection has no limit")
    func pictures() {
        #expect(ConnectionGauge().pictureAllowance == nil)
        var gauge = begun
        #expect(gauge.pictureAllowance == ConnectionGauge.firstWindow / 2)
        gauge.recordSent(4_000, hasQuery: false, at: at(0))
        #expect(gauge.pictureAllowance == ConnectionGauge.firstWindow / 2 - 4_000)
        gauge.recordSent(1_000, hasQuery: true, at: at(1))
        #expect(gauge.pictureAllowance == 0)
        gauge.recordReply(at: at(300), notBefore: at(300))
        #expect(gauge.pictureAllowance == gauge.window / 2 && gauge.window < ConnectionGauge.firstWindow)
        for time in stride(from: Int64(1_000), to: 3_000, by: 100) {
            gauge.recordSent(60_000, hasQuery: true, at: at(time))
            gauge.recordReply(at: at(time + 20), notBefore: at(time + 20))
        }
        #expect(gauge.window > 64 << 10 && gauge.pictureAllowance == nil)
    }

    @Test("A query is sent every 500 ms on a fast connection, and after a quarter of the window on a slow one")
    func interval() {
        var gauge = begun
        gauge.recordSent(10, hasQuery: true, at: at(100))
        gauge.recordReply(at: at(121), notBefore: at(121))
        #expect(!gauge.shouldQuery(at: at(599)) && gauge.shouldQuery(at: at(600)))
        #expect(gauge.shouldQuery(at: at(130), adding: gauge.window / 4))
        #expect(!gauge.shouldQuery(at: at(130), adding: gauge.window / 4 - 1))
    }

    @Test("A reply that arrived in time but was read late does not count as slow")
    func unreadReply() {
        var gauge = ConnectionGauge()
        gauge.recordSent(0, hasQuery: true, at: at(0))
        gauge.recordReply(at: at(400), notBefore: at(5))
        gauge.recordSent(10, hasQuery: true, at: at(500))
        #expect(gauge.isBehind(at: at(710)))
    }

    @Test("A terminal that replies only once delays the output for 6 s")
    func singleReply() {
        var gauge = ConnectionGauge()
        gauge.recordSent(0, hasQuery: true, at: at(0))
        gauge.recordReply(at: at(20), notBefore: at(20))
        #expect(gauge.shouldQuery(at: at(30)))
        gauge.recordSent(100, hasQuery: true, at: at(30))
        #expect(gauge.deadline == at(6030) && gauge.isBehind(at: at(6000)))
        let repeatsQuery = gauge.handleMissingReply(at: at(6030))
        #expect(!repeatsQuery)
        #expect(!gauge.isBehind(at: at(6030)) && !gauge.shouldQuery(at: at(7000)))
        // A late reply begins the measurement again.
        gauge.recordReply(at: at(9000), notBefore: at(9000))
        #expect(gauge.shouldQuery(at: at(9600)) && gauge.window == ConnectionGauge.firstWindow)
    }

    @Test("If a terminal stops replying after several replies, output waits, and a query is sent every 10 s")
    func lostReply() {
        var gauge = begun
        gauge.recordSent(100, hasQuery: true, at: at(100))
        #expect(gauge.deadline == at(10_100))
        let repeatsQuery = gauge.handleMissingReply(at: at(10_100))
        #expect(repeatsQuery)
        gauge.recordSent(0, hasQuery: true, at: at(10_100))
        #expect(gauge.isBehind(at: at(10_101)) && gauge.isBehind(at: at(20_000)))
        // The first reply ends the wait. No query follows for one second, because more replies can arrive.
        gauge.recordReply(at: at(21_000), notBefore: at(21_000))
        #expect(!gauge.isBehind(at: at(21_001)) && !gauge.shouldQuery(at: at(21_999), adding: 1_000_000))
        gauge.recordReply(at: at(21_010), notBefore: at(21_010))
        #expect(gauge.shouldQuery(at: at(22_000)) && gauge.unacknowledged == 0)
    }

    @Test("At the end of a session, gifplay waits for a reply for at most 2 s after the query")
    func lastReply() {
        var gauge = ConnectionGauge()
        #expect(gauge.lastReplyDeadline == at(0))
        gauge.recordSent(0, hasQuery: true, at: at(0))
        #expect(gauge.lastReplyDeadline == at(2000))
        gauge.recordReply(at: at(20), notBefore: at(20))
        gauge.recordSent(0, hasQuery: true, at: at(100))
        #expect(gauge.lastReplyDeadline == at(2100))
    }

    @Test("If the first reply is slow, output pauses until a query without other bytes has measured the round trip")
    func calibration() {
        var gauge = ConnectionGauge()
        gauge.recordSent(0, hasQuery: true, at: at(0))
        gauge.recordSent(10_000, hasQuery: false, at: at(1))
        gauge.recordReply(at: at(1100), notBefore: at(1100))
        #expect(gauge.shouldQuery(at: at(1100)) && gauge.allowance == ConnectionGauge.firstWindow - 10_000)
        gauge.recordSent(4000, hasQuery: true, at: at(1100))
        gauge.recordSent(4000, hasQuery: false, at: at(1200))
        gauge.recordReply(at: at(1500), notBefore: at(1500))
        // The reply to the first query shows that the 4,000 bytes in transit have arrived. The second query then
        // measures the round trip.
        for time in [1500, 1900] as [Int64] {
            #expect(gauge.allowance == 0 && gauge.isBehind(at: at(time)))
            #expect(gauge.shouldQuery(at: at(time), isPeriodic: false))
            gauge.recordSent(0, hasQuery: true, at: at(time))
            gauge.recordReply(at: at(time + 300), notBefore: at(time + 300))
        }
        // The rate is 12,700 bytes per second (14,000 bytes in 1.1 s), and the window holds 0.8 s of output.
        #expect((9_900...10_400).contains(gauge.window), "\(gauge.window)")
        #expect(gauge.allowance == gauge.window && !gauge.isBehind(at: at(2200)))
    }

    @Test("Replies without a query are ignored")
    func unrequested() {
        var gauge = begun
        for _ in 0..<5 { gauge.recordReply(at: at(50), notBefore: at(50)) }
        #expect(!gauge.isReplyPending && gauge.shouldQuery(at: at(60)) && !gauge.isBehind(at: at(60)))
    }
}
