import Base
import Playback
import Testing

@testable import TerminalIO

@Suite("Measuring the connection by the terminal's replies")
struct ConnectionGaugeTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * Span.millisecond) }

    /// A gauge that sent a query at -500 ms and received the reply 20 ms later.
    private var begun: ConnectionGauge {
        var gauge = ConnectionGauge()
        gauge.recordQuery(at: at(-500))
        _ = gauge.recordReply(at: at(-480), notBefore: at(-480))
        return gauge
    }

    @Test("A terminal that does not reply is queried only once and does not delay the output")
    func silent() {
        var gauge = ConnectionGauge()
        #expect(!gauge.shouldQuery(at: at(0)))
        gauge.recordQuery(at: at(0))
        #expect(gauge.isReplyPending && !gauge.shouldQuery(at: at(5000)))
        #expect(!gauge.isBehind(at: at(5000)) && gauge.deadline == nil)
    }

    @Test("The connection is behind if a reply takes over 50 ms longer than the fastest reply")
    func behind() {
        var gauge = begun
        #expect(gauge.shouldQuery(at: at(30)) && !gauge.isReplyPending)
        gauge.recordQuery(at: at(30))
        #expect(!gauge.isBehind(at: at(100)) && gauge.isBehind(at: at(101)))
        #expect(gauge.recordReply(at: at(900), notBefore: at(900)) == true)
        #expect(!gauge.isBehind(at: at(900)) && gauge.hasRepliedRepeatedly)
    }

    @Test("Updates end with a query twice a second on a fast connection, and always on a slow one")
    func interval() {
        var gauge = begun
        gauge.recordQuery(at: at(100))
        #expect(gauge.recordReply(at: at(130), notBefore: at(130)) == false)
        #expect(!gauge.shouldQuery(at: at(599)) && gauge.shouldQuery(at: at(600)))
        gauge.recordQuery(at: at(600))
        #expect(gauge.recordReply(at: at(800), notBefore: at(800)) == true)
        #expect(gauge.shouldQuery(at: at(800)))
        gauge.recordQuery(at: at(800))
        // A slow connection counts as behind until the terminal replies.
        #expect(gauge.isBehind(at: at(801)))
        #expect(gauge.recordReply(at: at(830), notBefore: at(830)) == true)
        gauge.recordQuery(at: at(1300))
        #expect(!gauge.isBehind(at: at(1301)))
    }

    @Test("A reply that arrived in time but was read late does not count as slow")
    func unreadReply() {
        var gauge = ConnectionGauge()
        gauge.recordQuery(at: at(0))
        #expect(gauge.recordReply(at: at(400), notBefore: at(5)) == false)
        gauge.recordQuery(at: at(500))
        #expect(gauge.isBehind(at: at(560)))
    }

    @Test("After the gauge stops waiting for a late reply, no query is sent until that reply arrives")
    func lost() {
        var gauge = begun
        gauge.recordQuery(at: at(100))
        #expect(gauge.deadline == at(3100))
        gauge.stopWaiting()
        #expect(!gauge.isBehind(at: at(4000)) && !gauge.shouldQuery(at: at(4000)) && gauge.isReplyPending)
        #expect(gauge.recordReply(at: at(5000), notBefore: at(5000)) == false)
        #expect(gauge.shouldQuery(at: at(5000)))
        gauge.recordQuery(at: at(5000))
        #expect(gauge.deadline == at(15_000))
        // The late reply did not change the measured round-trip time.
        #expect(gauge.isBehind(at: at(5100)))
    }

    @Test("Replies without a query are ignored")
    func unrequested() {
        var gauge = begun
        for _ in 0..<5 { #expect(gauge.recordReply(at: at(50), notBefore: at(50)) == false) }
        #expect(!gauge.isReplyPending && gauge.shouldQuery(at: at(60)))
    }
}
