import Base
import Playback
import Testing

@testable import TerminalIO

@Suite("What a terminal's answers tell of the line")
struct LineGaugeTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * Span.millisecond) }

    /// A gauge that sent a query at -500 ms and received the reply 20 ms later.
    private var begun: LineGauge {
        var gauge = LineGauge()
        gauge.noteQuestion(at: at(-500))
        _ = gauge.noteAnswer(at: at(-480), notBefore: at(-480))
        return gauge
    }

    @Test("A terminal that does not answer is asked once and holds up nothing")
    func silent() {
        var gauge = LineGauge()
        #expect(!gauge.shouldAsk(at: at(0)))
        gauge.noteQuestion(at: at(0))
        #expect(gauge.isOwed && !gauge.shouldAsk(at: at(5000)))
        #expect(!gauge.isBehind(at: at(5000)) && gauge.deadline == nil)
    }

    @Test("An answer that takes 50 ms longer than the quickest tells that the line is behind, until it comes")
    func behind() {
        var gauge = begun
        #expect(gauge.shouldAsk(at: at(30)) && !gauge.isOwed)
        gauge.noteQuestion(at: at(30))
        #expect(!gauge.isBehind(at: at(100)) && gauge.isBehind(at: at(101)))
        #expect(gauge.noteAnswer(at: at(900), notBefore: at(900)) == true)
        #expect(!gauge.isBehind(at: at(900)) && gauge.isProven)
    }

    @Test("A line that keeps up is asked twice a second, one that does not each time")
    func interval() {
        var gauge = begun
        gauge.noteQuestion(at: at(100))
        #expect(gauge.noteAnswer(at: at(130), notBefore: at(130)) == false)
        #expect(!gauge.shouldAsk(at: at(599)) && gauge.shouldAsk(at: at(600)))
        gauge.noteQuestion(at: at(600))
        #expect(gauge.noteAnswer(at: at(800), notBefore: at(800)) == true)
        #expect(gauge.shouldAsk(at: at(800)))
        gauge.noteQuestion(at: at(800))
        // A slow connection is behind until the terminal replies.
        #expect(gauge.isBehind(at: at(801)))
        #expect(gauge.noteAnswer(at: at(830), notBefore: at(830)) == true)
        gauge.noteQuestion(at: at(1300))
        #expect(!gauge.isBehind(at: at(1301)))
    }

    @Test("An answer that lay there while nobody looked makes no line long")
    func unseen() {
        var gauge = LineGauge()
        gauge.noteQuestion(at: at(0))
        #expect(gauge.noteAnswer(at: at(400), notBefore: at(5)) == false)
        gauge.noteQuestion(at: at(500))
        #expect(gauge.isBehind(at: at(560)))
    }

    @Test("A lost answer is given up, and nothing asked until it comes all the same")
    func lost() {
        var gauge = begun
        gauge.noteQuestion(at: at(100))
        #expect(gauge.deadline == at(3100))
        gauge.giveUp()
        #expect(!gauge.isBehind(at: at(4000)) && !gauge.shouldAsk(at: at(4000)) && gauge.isOwed)
        #expect(gauge.noteAnswer(at: at(5000), notBefore: at(5000)) == false)
        #expect(gauge.shouldAsk(at: at(5000)))
        gauge.noteQuestion(at: at(5000))
        #expect(gauge.deadline == at(15_000))
        // The late reply does not count as a round-trip time of the connection.
        #expect(gauge.isBehind(at: at(5100)))
    }

    @Test("Answers that nobody asked for do no harm")
    func unasked() {
        var gauge = begun
        for _ in 0..<5 { #expect(gauge.noteAnswer(at: at(50), notBefore: at(50)) == false) }
        #expect(!gauge.isOwed && gauge.shouldAsk(at: at(60)))
    }
}
