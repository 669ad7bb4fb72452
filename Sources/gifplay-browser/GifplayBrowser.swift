import Application
import ArgumentParser

/// The commands that need the library. `gifplay browse` and `gifplay library` replace their process by this program.
struct GifplayBrowser: ParsableCommand {
    static let configuration = CommandConfiguration(
        // The name that the user typed: 'gifplay browse'.
        commandName: "gifplay", abstract: "Browse GIFs in the terminal", version: Product.version,
        subcommands: [BrowseCommand.self, LibraryCommand.self, ShareCommand.self])
}
