import Application
import ArgumentParser

/// Commands of `gifplay-browser`. They are declared here only for the help, because ``BrowserProgram``
/// starts `gifplay-browser` before the arguments are parsed.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Browse GIFs in an animated gallery")

    func run() throws { try BrowserProgram.run() }
}

struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Show and manage favourites, history and dismissed GIFs")

    func run() throws { try BrowserProgram.run() }
}

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check terminal, libraries, configuration, stored files and sources")

    func run() throws { try BrowserProgram.run() }
}
