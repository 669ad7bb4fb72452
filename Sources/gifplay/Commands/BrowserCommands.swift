import Application
import ArgumentParser

/// The commands that are in the other executable. Here they stand for the list of commands alone:
/// ``Browser`` hands over before anything is parsed.
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
