import Base
import Testing

@Suite(.timeLimit(.minutes(5))) struct MonitorTests {
    @Test("A thread stops waiting when another thread sets the expected value")
    func waiting() throws {
        let step = Monitor(0)
        let isStarted = DetachedThread.start {
            _ = step.wait { $0 == 1 ? true : nil }
            step.withLock { $0 = 2 }
        }
        try #require(isStarted)
        step.withLock { $0 = 1 }
        #expect(step.wait { $0 == 2 ? $0 : nil } == 2)
    }

    @Test("Threads change the value one at a time")
    func exclusion() throws {
        let count = Monitor((sum: 0, ended: 0))
        for _ in 0..<4 {
            let isStarted = DetachedThread.start {
                for _ in 0..<1_000 { count.withLock { $0.sum += 1 } }
                count.withLock { $0.ended += 1 }
            }
            try #require(isStarted)
        }
        #expect(count.wait { $0.ended == 4 ? $0.sum : nil } == 4_000)
    }

    @Test("The lock is released if the closure throws an error")
    func failure() {
        struct Refusal: Error {}
        let value = Monitor(1)
        #expect(throws: Refusal.self) { try value.withLock { _ throws(Refusal) in throw Refusal() } }
        #expect(value.withLock { $0 } == 1)
    }
}
