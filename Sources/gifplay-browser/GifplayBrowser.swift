import Application
import ArgumentParser

/// The program for the commands that need the library. `gifplay browse`, `gifplay library` and `gifplay doctor`
/// replace their process with this program. The player starts this program's hidden command `share`.
struct GifplayBrowser: ParsableCommand {
    static let configuration = CommandConfiguration(
        // Use the name that the user typed, as in 'gifplay browse', and not the name of this program.
        commandName: "gifplay", abstract: "Browse GIFs in the terminal", version: Product.version,
        subcommands: [BrowseCommand.self, LibraryCommand.self, DoctorCommand.self, ShareCommand.self])
}
