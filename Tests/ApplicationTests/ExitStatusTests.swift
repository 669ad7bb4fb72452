import Base
import Testing

@testable import Application

@Suite struct ExitStatusTests {
    @Test("The exit status of a signal is 128 plus its number, as in shells")
    func codes() {
        #expect([ExitStatus.success, .failure, .usage, .signal(2), .signal(15)].map(\.code) == [0, 1, 2, 130, 143])
    }

    @Test("An error in the command line has the exit status 'usage', and any other error has 'failure'")
    func errors() {
        let usage = Failure.usage("--x: unknown option")
        #expect(usage.status == .usage && usage.message == "--x: unknown option")
        #expect(Failure("a").status == .failure)
    }

    @Test("The process can open as many files as the services need")
    func descriptors() {
        #expect(throws: Never.self) { try DescriptorLimit.check(for: "the services") }
    }
}
