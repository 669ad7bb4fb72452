import Base
import Testing

@testable import Catalog

@Suite("Source health") struct SourceHealthTests {
    private let clock = ManualClock()
    private let health: SourceHealth

    init() { health = SourceHealth(now: { [clock] in clock.now }) }

    private func seconds(_ part: CoolDowns.Part) -> Int? { health.coolDown(of: part)?.seconds }

    @Test("The first cool-down of a host takes a minute; each further one takes twice the time, up to ten minutes")
    func host() {
        for expected in [60, 120, 240, 480, 600, 600] {
            health.update { $0.recordFailure(ofHost: "h", Failure("403"), at: $1) }
            // The failure of a request that began before the cool-down changes nothing.
            health.update { $0.recordFailure(ofHost: "h", Failure("timed out"), at: $1) }
            #expect(seconds(.host("h")) == expected && health.coolDown(of: .host("h"))?.reason == Failure("403"))
            clock.advance(.seconds(expected - 1))
            #expect(!health.isUsable(.host("h")) && health.isUsable(.host("h:8443")))
            clock.advance(.seconds(1))
            #expect(health.isUsable(.host("h")))
        }
        health.update { coolDowns, _ in coolDowns.recordSuccess(of: .host("h")) }
        health.update { $0.recordFailure(ofHost: "h", Failure("403"), at: $1) }
        #expect(seconds(.host("h")) == 60)
    }

    @Test("The fourth failed file in succession sets the files of a service aside for a minute")
    func files() {
        for _ in 0..<3 { health.update { $0.recordFailedFile(of: "a", Failure("404"), at: $1) } }
        health.update { coolDowns, _ in coolDowns.recordSuccess(of: .files("a")) }
        for _ in 0..<3 { health.update { $0.recordFailedFile(of: "a", Failure("404"), at: $1) } }
        #expect(health.isUsable(.files("a")))
        health.update { $0.recordFailedFile(of: "a", Failure("404"), at: $1) }
        #expect(seconds(.files("a")) == 60 && health.isUsable(.files("b")))
        // The service can still list GIFs.
        #expect(health.isUsable(.listings("a")))
        clock.advance(.seconds(60))
        #expect(health.isUsable(.files("a")))
    }

    @Test("If there are no other files, those set aside are tried again, and the next failure sets them aside again")
    func retry() {
        for _ in 0..<4 { health.update { $0.recordFailedFile(of: "a", Failure("404"), at: $1) } }
        health.update { $0.recordFailure(ofHost: "h", Failure("403"), at: $1) }
        health.update { coolDowns, _ in coolDowns.retryFiles() }
        #expect(health.isUsable(.files("a")) && !health.isUsable(.host("h")))
        health.update { $0.recordFailedFile(of: "a", Failure("404"), at: $1) }
        #expect(!health.isUsable(.files("a")))
    }

    @Test("All cool-downs can be ended")
    func endCoolDowns() {
        health.recordFailure(.outage, of: "a")
        health.update { $0.recordFailure(ofHost: "h", Failure("403"), at: $1) }
        #expect(health.coolDown(of: .listings("a"))?.reason == .outage)
        health.endCoolDowns()
        #expect(health.isUsable(.listings("a")) && health.isUsable(.host("h")))
    }

    @Test("A service that failed in the last run is queried last for the remaining time; the log is read once")
    func lastRun() {
        let count = Monitor(0)
        let health = SourceHealth(
            now: { [clock] in clock.now },
            lastRun: {
                count.withLock { $0 += 1 }
                return ["a": 20]
            })
        clock.advance(.seconds(1))
        #expect(health.isQueriedLast("a") && !health.isQueriedLast("b") && health.isUsable(.listings("a")))
        clock.advance(.seconds(20))
        #expect(!health.isQueriedLast("a") && count.withLock { $0 } == 1)
    }

    @Test("Failures of services are logged for the next run, but not outcomes that say nothing about their health")
    func log() {
        let logged = Monitor<[Failure]>([])
        let health = SourceHealth(log: { failure in logged.withLock { $0.append(failure) } })
        let unrelated: [Failure] = [
            .cancelled, .nothingFound, .notOffered, .noKey(variable: "K"), .coolingDown(seconds: 3),
            .outOfTime, .cancelled,
        ]
        for reason in unrelated { health.recordFailure(reason, of: "a") }
        #expect(logged.withLock { $0 }.isEmpty)
        let failures = [
            Failure.outage.of("a"),
            // A service that refuses one query may answer another one in this run.
            Failure.refused(status: 414, message: nil, retryAfterSeconds: nil).of("b"),
        ]
        for failure in failures { health.recordFailure(failure, of: failure.source) }
        #expect(logged.withLock { $0 } == failures)
        #expect(!health.isUsable(.listings("a")) && health.isUsable(.listings("b")))
    }
}
