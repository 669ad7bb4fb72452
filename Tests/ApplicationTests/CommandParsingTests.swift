import Base
import Pixels
import Playback
import TestSupport
import Testing

@testable import Application

/// Tests the combinations of options that the commands refuse.
@Suite("Command parsing") struct CommandParsingTests {
    /// Returns the error message of `play`; nil if the arguments are accepted.
    private func playMessage(_ arguments: [String]) -> String? {
        thrown(Failure.self) { try PlayCommand.parse(arguments) }?.message
    }

    /// Returns the error message of `record`; nil if the arguments are accepted.
    private func recordMessage(_ arguments: [String]) -> String? {
        thrown(Failure.self) { try RecordCommand.parse(arguments) }?.message
    }

    @Test(
        "Options and arguments that contradict each other, or that nothing uses, are refused",
        arguments: [
            (["--search", "cat", "dog"], "--search cat: cannot be combined with 'dog'"),
            (["--search", "cat", "--file", "a.gif"], "--search cat: cannot be combined with 'a.gif'"),
            (["--search", "cat", "--files0", "-"], "--search cat: cannot be combined with '-'"),
            (
                ["--list", "/tmp/a.gif"],
                "/tmp/a.gif: --list lists search results, not files; 'gifplay info' describes files"
            ),
            (["--pick", "2", "--file", "a"], "--pick: chooses among search results, but 'a' is a file"),
            (
                ["--random-pick", "https://a/b"],
                "--random-pick: chooses among search results, but 'https://a/b' is a file"
            ),
            (["--json", "cat"], "--json: needs --list"), (["--format", "url", "cat"], "--format: needs --list"),
            (["--list", "--json", "--format", "url", "cat"], "--json: contradicts --format url"),
            (["--list", "--pick", "1", "cat"], "--pick: cannot be combined with --list"),
            (["--list", "--random-pick", "cat"], "--random-pick: cannot be combined with --list"),
            (["--pick", "1", "--random-pick", "cat"], "--pick: cannot be combined with --random-pick"),
            (["--list", "--leave", "cat"], "--list: cannot be combined with --leave"),
            (["--list", "--upload", "/dev/tty", "cat"], "--list: cannot be combined with --upload"),
            (["--leave", "--upload", "/dev/tty", "cat"], "--leave: cannot be combined with --upload"),
            (["--animate", "--list", "cat"], "--list: cannot be combined with --animate"),
            (["--list", "--sort", "size", "cat"], "--sort: no file or folder is named"),
            (["--follow", "/tmp", "--list"], "--follow /tmp: cannot be combined with '--list'"),
            (["--follow", "/tmp", "--list", "--json"], "--follow /tmp: cannot be combined with '--list'"),
            (["--follow", "/tmp", "--every", "9s"], "--follow /tmp: cannot be combined with '--every'"),
            (["--pick", "2"], "--pick: chooses among search results; add a query"),
            (["--sort", "size"], "--sort: no file or folder is named"),
            (["--sort", "size", "--search", "cat"], "--sort: no file or folder is named"),
            (["--search", "cat"], nil), (["--pick", "2", "dancing", "cat"], nil), (["--list", "cat"], nil),
            (["--leave", "--animate", "/tmp/a.gif"], nil), (["--upload", "/dev/tty", "--animate", "/tmp/a.gif"], nil),
            (["--sort", "size", "/tmp"], nil),
        ] as [([String], String?)])
    func combinations(arguments: [String], message: String?) {
        #expect(playMessage(arguments) == message)
    }

    @Test("'--pick' and '--random-pick' determine which result plays")
    func choice() throws {
        #expect(try PlayCommand.parse([]).given.choice == .first)
        #expect(try PlayCommand.parse(["--pick", "3", "cat"]).given.choice == .number(3))
        #expect(try PlayCommand.parse(["--random-pick"]).given.choice == .any)
        #expect(try PlayCommand.parse(["--list", "--json", "--format", "json"]).given.format == "json")
    }

    @Test("The number of a result is from 1 to 10000", arguments: ["0", "-1", "10001", "1.5", "x", ""])
    func pick(text: String) {
        #expect((try? OptionValue.resultNumber(text)) == nil && (try? OptionValue.resultNumber("10000")) == 10_000)
    }

    @Test(
        "A recording needs one GIF and a known format, and an asciicast that loops forever needs '--duration'",
        arguments: [
            (["--search", "cat", "dog", "-o", "a.cast"], "--search cat: cannot be combined with 'dog'"),
            (["cat", "-o", "a.gif"], "a.gif: the name does not end in .cast or .svg; rename it or use --format"),
            (["cat", "-o", "a.gif", "--format", "svg"], nil),
            (["cat", "-o", "-", "--loop", "forever"], "--loop forever: an asciicast needs an end; add --duration"),
            (["cat", "-o", "-", "--loop", "forever", "--duration", "9s"], nil),
            (["cat", "-o", "a.svg", "--loop", "forever"], nil),
        ] as [([String], String?)])
    func record(arguments: [String], message: String?) {
        #expect(recordMessage(arguments) == message)
    }

    @Test("The value of a short option can follow its letter")
    func joinedValues() throws {
        let play = try PlayCommand.parse(["-s30x8", "-l2", "-d10s", "-bfff", "cat"])
        let player = play.given.player
        #expect(play.invocation.operands == ["cat"] && player.loops == .times(2))
        #expect(player.size == CellSize(columns: 30, rows: 8))
        #expect(player.duration == 10_000_000_000 && player.background == CellColor(red: 255, green: 255, blue: 255))
        #expect(try RecordCommand.parse(["cat", "-oa.svg", "-s30x8"]).output == "a.svg")
    }

    @Test("The outcome of a command determines the exit status")
    func outcomes() {
        #expect(reportingErrors {} == .success)
        #expect(reportingErrors { () throws(Failure) in throw .reported } == .failure)
        #expect(reportingErrors { () throws(Failure) in throw .ended(by: 2) } == .signal(2))
    }

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

    @Test("Help for an unknown command is a usage error")
    func unknownTopic() {
        #expect(Gifplay.start(["help", "nonsense"]) == .usage)
    }

    @Test("The exit status of a signal is 128 plus its number, as in shells")
    func codes() {
        #expect([ExitStatus.success, .failure, .usage, .signal(2), .signal(15)].map(\.code) == [0, 1, 2, 130, 143])
    }

    @Test("The process can open as many files as the services need")
    func descriptors() {
        #expect(throws: Never.self) { try DescriptorLimit.check(for: "the services") }
    }
}

/// The settings of these options of `play`.
func playbackSettings(_ options: [String]) throws -> Settings {
    try Settings(given: Invocation(options))
}

extension PlayCommand {
    static func parse(_ arguments: [String]) throws -> PlayCommand { try PlayCommand(Invocation(arguments)) }
}

extension BrowseCommand {
    static func parse(_ arguments: [String]) throws -> BrowseCommand {
        try BrowseCommand(Invocation(["browse"] + arguments))
    }
}

extension RecordCommand {
    static func parse(_ arguments: [String]) throws -> RecordCommand {
        try RecordCommand(Invocation(["record"] + arguments))
    }
}
