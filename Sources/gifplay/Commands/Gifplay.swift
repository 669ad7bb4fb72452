import Application
import ArgumentParser

/// The root command; `play` is the default subcommand.
struct Gifplay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gifplay",
        abstract: "Plays animated GIFs in the terminal.",
        usage: """
            gifplay [<options>] [<what> ...]
            gifplay info <file> ... [--json]
            gifplay samples
            gifplay sources [--check]
            gifplay cache [--clear]
            gifplay browse [<words> ...]
            gifplay library
            """,
        discussion: """
            gifplay "dancing cat"    finds a GIF by words and plays it
            gifplay cat.gif          plays a file, a folder's GIFs, or '-', standard input
            gifplay https://…/a.gif  plays an address while it arrives
            gifplay                  plays one at random, the next after 10 seconds

            'gifplay help play' lists the options. While a GIF plays: q and Esc quit,
            space pauses, . and , step, arrows seek, + and - change the speed, n and p
            go to the next and the previous, r to another at random, y copies the link of
            its page, o opens the page, / opens the browser.

            Exit status: 0 played or quit, 1 could not play, 2 usage, 128+n signal n.
            """,
        version: Product.version,
        subcommands: [
            PlayCommand.self, InfoCommand.self, SamplesCommand.self, SourcesCommand.self, CacheCommand.self,
            BrowseCommand.self, LibraryCommand.self, VersionCommand.self,
        ],
        defaultSubcommand: PlayCommand.self)

    /// Runs the command that the arguments name, in this process or in `gifplay-browser`.
    static func start(_ arguments: [String]) -> Exit {
        guard let others = Browser.arguments(for: arguments) else { return parseAndRun(arguments) }
        do throws(Complaint) {
            try Browser.run(others)
            return .failure
        } catch {
            complain(error.sentence)
            return error.exit
        }
    }

    /// Parses `play`, the most frequent command, without the command tree. ArgumentParser inspects all options of
    /// every command in the tree by reflection: with the tree a start takes 33 million instructions to the first
    /// frame, without it 22 million.
    private static func parseAndRun(_ arguments: [String]) -> Exit {
        let first = arguments.first == "play" ? arguments.dropFirst() : arguments[...]
        if arguments.first == "help", let topic = arguments.dropFirst().first, !Subcommands.names.contains(topic) {
            return reportingErrors {
                throw Complaint.usage("\(topic): no such command; 'gifplay help' lists the commands")
            }
        }
        guard !Subcommands.names.contains(first.first ?? ""), let command = try? PlayCommand.parse(Array(first)) else {
            // Another command, a request for help, or an error, which only the whole tree can report.
            return runReportingErrors()
        }
        return reportingErrors { try command.run() }
    }
}
