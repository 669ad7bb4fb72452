import Application
import ArgumentParser

/// The root command; `play` is the default subcommand.
struct Gifplay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gifplay",
        abstract: "Play animated GIFs in the terminal",
        usage: """
            gifplay [<options>] [<argument> ...]
            gifplay info <file> ... [--json]
            gifplay samples
            gifplay sources
            gifplay cache [--clear]
            gifplay browse [<query> ...]
            gifplay library
            gifplay record [<argument>] -o <path>
            gifplay doctor [--json]
            """,
        discussion: """
            gifplay "dancing cat"    search for a GIF and play it
            gifplay cat.gif          play a file, all GIFs in a folder, or '-', standard input
            gifplay https://…/a.gif  play a URL while it downloads
            gifplay                  play random GIFs, a new one every 10 seconds

            'gifplay help play' lists the options. Keys while a GIF plays: q or Esc quits,
            space pauses, . and , step, arrows seek, + and - change the speed, n and p
            show the next and the previous GIF, r shows a random one, y copies the link of
            its page, o opens the page, / opens the gallery, ? lists the keys.

            Exit status: 0 played or quit, 1 could not play, 2 usage, 128+N signal N.
            """,
        version: Product.version,
        subcommands: [
            PlayCommand.self, InfoCommand.self, SamplesCommand.self, SourcesCommand.self, CacheCommand.self,
            BrowseCommand.self, LibraryCommand.self, RecordCommand.self, DoctorCommand.self, VersionCommand.self,
        ],
        defaultSubcommand: PlayCommand.self)

    /// Runs the command that the arguments name, in this process or in `gifplay-browser`.
    static func start(_ arguments: [String]) -> ExitStatus {
        guard let others = BrowserProgram.arguments(for: arguments) else { return parseAndRun(arguments) }
        do throws(CommandError) {
            try BrowserProgram.run(others)
            return .failure
        } catch {
            printError(error.message)
            return error.status
        }
    }

    /// Parses the arguments and runs the command. Parses `play`, the most frequent command, without the command tree,
    /// because ArgumentParser inspects all options of every command in the tree by reflection. With the tree, a start
    /// takes 33 million instructions to the first frame; without it, 22 million.
    private static func parseAndRun(_ arguments: [String]) -> ExitStatus {
        // ArgumentParser can print only a constant version, but libcurl's version is known only after it is loaded.
        if arguments == ["--version"] { return reportingErrors { VersionCommand().run() } }
        let first = arguments.first == "play" ? arguments.dropFirst() : arguments[...]
        if arguments.first == "help", let topic = arguments.dropFirst().first, !Subcommands.names.contains(topic) {
            return reportingErrors {
                throw CommandError.usage("\(topic): no such command; 'gifplay help' lists the commands")
            }
        }
        guard !Subcommands.names.contains(first.first ?? ""), let command = try? PlayCommand.parse(Array(first)) else {
            // Only the whole command tree handles other commands, requests for help, and errors.
            return runReportingErrors()
        }
        return reportingErrors { try command.run() }
    }
}
