import Base
import Pixels
import Playback
import Testing

@testable import Application

/// Tests the combinations of options that the commands refuse.
@Suite("Command parsing") struct CommandParsingTests {
    /// Returns the error message of `play`; nil if the arguments are accepted.
    private func playMessage(_ arguments: [String]) -> String? {
        do { _ = try PlayCommand.parse(arguments) } catch { return (error as? Failure)?.message }
        return nil
    }

    /// Returns the error message of `record`; nil if the arguments are accepted.
    private func recordMessage(_ arguments: [String]) -> String? {
        do { _ = try RecordCommand.parse(arguments) } catch { return (error as? Failure)?.message }
        return nil
    }

    @Test("A query that is given with --search cannot be combined with other arguments")
    func search() {
        #expect(playMessage(["--search", "cat", "dog"]) == "--search cat: cannot be combined with 'dog'")
        #expect(playMessage(["--search", "cat", "--file", "a.gif"]) == "--search cat: cannot be combined with 'a.gif'")
        #expect(playMessage(["--search", "cat", "--files0", "-"]) == "--search cat: cannot be combined with '-'")
        #expect(playMessage(["--search", "cat"]) == nil)
        #expect(
            recordMessage(["--search", "cat", "dog", "-o", "a.cast"]) == "--search cat: cannot be combined with 'dog'")
    }

    @Test("Options for search results are refused if an argument names a file")
    func results() {
        #expect(
            playMessage(["--list", "/nonexistent/a.gif"])
                == "/nonexistent/a.gif: --list lists search results, not files; 'gifplay info' describes files")
        #expect(
            playMessage(["--pick", "2", "--file", "a"]) == "--pick: chooses among search results, but 'a' is a file")
        #expect(
            playMessage(["--random-pick", "https://a.example/b"])
                == "--random-pick: chooses among search results, but 'https://a.example/b' is a file")
        #expect(playMessage(["--pick", "2", "dancing", "cat"]) == nil && playMessage(["--list", "cat"]) == nil)
    }

    @Test(
        "Options that contradict each other are refused",
        arguments: [
            (["--json"], "--json: needs --list"), (["--format", "url"], "--format: needs --list"),
            (["--list", "--json", "--format", "url"], "--json: contradicts --format url"),
            (["--list", "--pick", "1"], "--pick: cannot be combined with --list"),
            (["--list", "--random-pick"], "--random-pick: cannot be combined with --list"),
            (["--pick", "1", "--random-pick"], "--pick: cannot be combined with --random-pick"),
            (["--list", "--leave"], "--list: cannot be combined with --leave"),
            (["--list", "--upload", "/dev/tty"], "--list: cannot be combined with --upload"),
            (["--leave", "--upload", "/dev/tty"], "--leave: cannot be combined with --upload"),
            (["--animate", "--list"], "--list: cannot be combined with --animate"),
            (["--list", "--sort", "size"], "--sort: no file or folder is named"),
        ])
    func contradictions(arguments: [String], message: String) {
        #expect(playMessage(arguments + ["cat"]) == message)
    }

    @Test("An option that nothing uses is refused, but --animate beside --leave and --upload is not")
    func unusedOptions() {
        for (arguments, message) in [
            (["--follow", "/tmp", "--list"], "--follow /tmp: cannot be combined with '--list'"),
            (["--follow", "/tmp", "--list", "--json"], "--follow /tmp: cannot be combined with '--list'"),
            (["--follow", "/tmp", "--every", "9s"], "--follow /tmp: cannot be combined with '--every'"),
            (["--pick", "2"], "--pick: chooses among search results; add a query"),
            (["--sort", "size"], "--sort: no file or folder is named"),
            (["--sort", "size", "--search", "cat"], "--sort: no file or folder is named"),
        ] { #expect(playMessage(arguments) == message) }
        for allowed in [["--leave", "--animate"], ["--upload", "/dev/tty", "--animate"], ["--sort", "size", "/tmp"]] {
            #expect(playMessage(allowed + (allowed.contains("/tmp") ? [] : ["/tmp/a.gif"])) == nil)
        }
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

    @Test("A recording needs a known format, and an asciicast that loops forever needs '--duration'")
    func record() {
        #expect(
            recordMessage(["cat", "-o", "a.gif"])
                == "a.gif: the name does not end in .cast or .svg; rename it or use --format")
        #expect(recordMessage(["cat", "-o", "a.gif", "--format", "svg"]) == nil)
        #expect(
            recordMessage(["cat", "-o", "-", "--loop", "forever"])
                == "--loop forever: an asciicast needs an end; add --duration")
        #expect(recordMessage(["cat", "-o", "-", "--loop", "forever", "--duration", "9s"]) == nil)
        #expect(recordMessage(["cat", "-o", "a.svg", "--loop", "forever"]) == nil)
    }

    @Test("The value of a short option can follow its letter")
    func joinedValues() throws {
        let play = try PlayCommand.parse(["-s30x8", "-l2", "-d10s", "-bfff", "cat"])
        let player = play.given.player
        #expect(
            play.invocation.operands == ["cat"] && player.size == CellSize(columns: 30, rows: 8)
                && player.loops == .times(2))
        #expect(player.duration == 10_000_000_000 && player.background == CellColor(red: 255, green: 255, blue: 255))
        #expect(try RecordCommand.parse(["cat", "-oa.svg", "-s30x8"]).output == "a.svg")
    }

    @Test("The outcome of a command determines the exit status")
    func outcomes() {
        #expect(reportingErrors {} == .success)
        #expect(reportingErrors { () throws(Failure) in throw .reported } == .failure)
        #expect(reportingErrors { () throws(Failure) in throw .ended(by: 2) } == .signal(2))
    }
}
