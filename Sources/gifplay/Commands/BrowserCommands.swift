import Application
import ArgumentParser

/// Commands of the other executable. They are declared here only so that the help lists them: ``Browser`` hands over
/// to that executable before the arguments are parsed.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Looks through GIFs in a wall of them, playing.")

    func run() throws { try Browser.run() }
}

struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Tells what browsing keeps: favourites, history, what was dismissed.")

    func run() throws { try Browser.run() }
}
