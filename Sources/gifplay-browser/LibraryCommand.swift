import Application
import ArgumentParser

/// Tells what browsing keeps.
struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Tells what browsing keeps: favourites, history, what was dismissed.")

    func run() throws {
        throw Complaint("library will tell what is kept; it is not there yet")
    }
}
