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

    /// Parses the arguments and runs the command. Parses the command that they name without the command tree, because
    /// ArgumentParser inspects all options of every command in the tree by reflection. With the tree, a start takes 33
    /// million instructions to the first frame; without it, 22 million.
    static func start(_ arguments: [String]) -> ExitStatus {
        // ArgumentParser can print only a constant version, but libcurl's version is known only after it is loaded.
        if arguments == ["--version"] || arguments == ["-V"] { return reportingErrors { VersionCommand().run() } }
        if arguments.first == "help", let topic = arguments.dropFirst().first, !Subcommands.names.contains(topic) {
            return reportingErrors {
                throw CommandError.usage("\(topic): no such command; 'gifplay help' lists the commands")
            }
        }
        guard var command = parsedAlone(arguments) else {
            // Only the whole command tree handles requests for help, and errors.
            return runReportingErrors { try Subcommands.refuseMisplaced(in: arguments) }
        }
        return reportingErrors { try command.run() }
    }

    /// Returns nil for errors, and for requests for help, which ArgumentParser parses as a command of its own.
    private static func parsedAlone(_ arguments: [String]) -> (any ParsableCommand)? {
        let named = configuration.subcommands.first { $0.configuration.commandName == arguments.first }
        let parser = named ?? PlayCommand.self
        guard arguments.first != "help",
            let command = try? parser.parseAsRoot(named == nil ? arguments : Array(arguments.dropFirst()))
        else { return nil }
        let known = [parser] + parser.configuration.subcommands
        return known.contains { $0 == type(of: command) } ? command : nil
    }
}
