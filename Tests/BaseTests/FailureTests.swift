import Base
import Testing

@Suite struct FailureTests {
    private let failure = Failure(.transfer, "the server sent no data", short: "no data", de: "keine Daten")

    @Test("The first subject stays, and the message begins with it")
    func subject() {
        #expect(failure.of("a.gif").of("b.gif").message == "a.gif: the server sent no data")
        #expect(failure.of("a.gif").kind == .transfer && failure.message == "the server sent no data")
    }

    @Test("Words can be added before and after those of a failure, which stays of its kind")
    func words() {
        let recorded = failure.of("a.gif").prefixed(by: "KLIPY").adding("nothing is recorded")
        #expect(recorded.message == "a.gif: KLIPY: the server sent no data; nothing is recorded")
        #expect(recorded.kind == .transfer && recorded.text.short == "no data")
        #expect(recorded.adding("try later").message.hasSuffix("; nothing is recorded; try later"))
    }

    @Test("A hint is displayed with the words of a failure that has no short ones")
    func hint() {
        let missing = Failure("no such file", hint: "did you mean a.gif?")
        #expect(missing.text.short == "no such file; did you mean a.gif?" && missing.text.german == missing.text.short)
        var busy = failure
        (busy.hint, busy.waitSeconds) = ("use a proxy", 30)
        #expect(busy.text.short == "no data; retry in 30 s" && busy.text.german == "keine Daten; erneut in 30 Sek.")
        #expect(busy.message == "the server sent no data; retry after 30 s; use a proxy")
    }
}
