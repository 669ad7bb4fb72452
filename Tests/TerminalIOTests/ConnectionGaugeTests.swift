import Base
import Playback
import Testing

@testable import TerminalIO

@Suite("Replies of the terminal as a measure of the connection")
struct ConnectionGaugeTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * Span.millisecond) }

    /// A gauge that sent a query at -500 ms and received the reply 20 ms later.
    private var begun: ConnectionGauge {
        var gauge = ConnectionGauge()
        gauge.recordQuery(at: at(-500))
        _ = gauge.recordReply(at: at(-480), notBefore: at(-480))
        return gauge
    }

    @Test("A terminal that does not reply is queried once and delays nothing")
    func silent() {
        var gauge = ConnectionGauge()
        #expect(!gauge.shouldQuery(at: at(0)))
        gauge.recordQuery(at: at(0))
        #expect(gauge.isReplyPending && !gauge.shouldQuery(at: at(5000)))
        #expect(!gauge.isBehind(at: at(5000)) && gauge.deadline == nil)
    }

    @Test("The connection is behind while a reply takes 50 ms longer than the fastest reply")
    func behind() {
        var gauge = begun
        #expect(gauge.shouldQuery(at: at(30)) && !gauge.isReplyPending)
        gauge.recordQuery(at: at(30))
        #expect(!gauge.isBehind(at: at(100)) && gauge.isBehind(at: at(101)))
        #expect(gauge.recordReply(at: at(900), notBefore: at(900)) == true)
        #expect(!gauge.isBehind(at: at(900)) && gauge.hasRepliedRepeatedly)
    }

    @Test("A fast connection is queried twice a second, and a slow one for every frame")
    func interval() {
        var gauge = begun
        gauge.recordQuery(at: at(100))
        #expect(gauge.recordReply(at: at(130), notBefore: at(130)) == false)
        #expect(!gauge.shouldQuery(at: at(599)) && gauge.shouldQuery(at: at(600)))
        gauge.recordQuery(at: at(600))
        #expect(gauge.recordReply(at: at(800), notBefore: at(800)) == true)
        #expect(gauge.shouldQuery(at: at(800)))
        gauge.recordQuery(at: at(800))
        // A slow connection is behind until the terminal replies.
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

    @Test("After a reply is lost, the gauge stops waiting, and no query is sent until the reply arrives")
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
        // The late reply does not count as a round-trip time of the connection.
        #expect(gauge.isBehind(at: at(5100)))
    }

    @Test("Unrequested replies are ignored")
    func unrequested() {
        var gauge = begun
        for _ in 0..<5 { #expect(gauge.recordReply(at: at(50), notBefore: at(50)) == false) }
        #expect(!gauge.isReplyPending && gauge.shouldQuery(at: at(60)))
    }
}
