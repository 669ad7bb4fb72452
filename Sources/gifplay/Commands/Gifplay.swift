import ArgumentParser

/// The command with its subcommands; what is named without one is played.
struct Gifplay: ParsableCommand {
    static let version = "0.1.0"
    /// Where the operators of services find out who makes this: Wikimedia's policy asks for it in the
    /// user agent. A placeholder until the project has a public address; the user's own contact joins it.
    static let contact = "https://gifplay.example"

    static let configuration = CommandConfiguration(
        commandName: "gifplay",
        abstract: "Plays animated GIFs in the terminal.",
        usage: """
            gifplay [<options>] [<what> ...]
            gifplay info <file> ... [--json]
            gifplay samples
            gifplay sources [--check]
            gifplay cache [--clear]
            """,
        discussion: """
            gifplay "dancing cat"    finds a GIF by words and plays it
            gifplay cat.gif          plays a file, a folder's GIFs, or '-', standard input
            gifplay https://…/a.gif  plays an address while it arrives
            gifplay                  plays one at random, the next after 10 seconds

            'gifplay help play' lists the options. While a GIF plays: q and Esc quit,
            space pauses, . and , step, arrows seek, + and - change the speed, n and p
            go to the next and the previous, r to another at random.

            Exit status: 0 played or quit, 1 could not play, 2 usage, 128+n signal n.
            """,
        version: version,
        subcommands: [
            PlayCommand.self, InfoCommand.self, SamplesCommand.self, SourcesCommand.self, CacheCommand.self,
        ],
        defaultSubcommand: PlayCommand.self)

    /// Parses the process's arguments and runs what they say.
    static func runReportingErrors() -> Exit {
        do {
            var command = try parseAsRoot()
            try command.run()
            return .success
        } catch let complaint as Complaint {
            if !complaint.sentence.isEmpty { complain(complaint.sentence) }
            return complaint.exit
        } catch {
            return report(error)
        }
    }

    /// Help goes to standard output, what was wrong with the arguments to standard error.
    private static func report(_ error: any Error) -> Exit {
        let text = fullMessage(for: error)
        if exitCode(for: error) == .success {
            print(text)
            return .success
        }
        writeError(text + "\n")
        return .usage
    }
}
