import Testing

@testable import Application

@Suite("Play command") struct PlayCommandTests {
    @Test("All arguments together form one query, and so does the value of '--search'")
    func query() throws {
        #expect(try PlayCommand.parse(["dancing", "cat"]).query == "dancing cat")
        #expect(try PlayCommand.parse(["--search", "dancing cat"]).query == "dancing cat")
    }

    @Test("Files can be given as arguments, with '--file', and in a list with '--files0'")
    func files() throws {
        let command = try PlayCommand.parse(["a.gif", "--file", "b", "--file", "c", "--files0", "-"])
        #expect(command.invocation.operands == ["a.gif"])
        #expect(command.given.files == ["b", "c"] && command.given.files0 == "-")
        #expect(command.given.choice == .first && !command.given.listsResults && !command.given.isOffline)
    }

    @Test("The arguments after '--' are not options")
    func terminator() throws {
        #expect(
            try PlayCommand.parse(["--bare", "--", "--list", "-x.gif"]).invocation.operands == ["--list", "-x.gif"])
    }

    @Test("Help for an unknown command is a usage error")
    func unknownTopic() {
        #expect(Gifplay.start(["help", "nonsense"]) == .usage)
    }
}
