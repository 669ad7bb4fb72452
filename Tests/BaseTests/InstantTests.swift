import Base
import Testing

@Suite struct InstantTests {
    private func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test("The earlier of two instants is returned, and nil is ignored")
    func earliest() {
        #expect(Instant.earliest(nil, nil) == nil)
        #expect(Instant.earliest(at(2), nil) == at(2) && Instant.earliest(nil, at(2)) == at(2))
        #expect(Instant.earliest(at(2), at(1)) == at(1))
    }

    @Test("Adding a duration that would overflow gives the latest possible instant")
    func overflow() {
        #expect(at(5) + .max == at(.max))
        #expect(at(5) + Span.millisecond - at(5) == Span.millisecond)
    }

    @Test("The monotonic clock does not go backwards")
    func monotonic() {
        let first = Instant.monotonic
        #expect(first.nanoseconds > 0 && Instant.monotonic >= first)
    }
}
