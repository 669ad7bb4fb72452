import Application
import ArgumentParser

/// The command with its subcommands; what is named without one is played.
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

    /// Runs what the arguments say, here or in the browser.
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

    /// Most often something is played. Through the tree of commands, where all options of each are looked at by
    /// reflection, a start takes 33 million instructions to the first frame; this way 22.
    private static func parseAndRun(_ arguments: [String]) -> Exit {
        let first = arguments.first == "play" ? arguments.dropFirst() : arguments[...]
        if arguments.first == "help", let topic = arguments.dropFirst().first, !Subcommands.names.contains(topic) {
            return reportingErrors {
                throw Complaint.usage("\(topic): no such command; 'gifplay help' lists the commands")
            }
        }
        guard !Subcommands.names.contains(first.first ?? ""), let command = try? PlayCommand.parse(Array(first)) else {
            // Another command, a question, or a mistake, which the whole tree knows how to tell.
            return runReportingErrors()
        }
        return reportingErrors { try command.run() }
    }
}
