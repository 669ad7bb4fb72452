import Application
import ArgumentParser

/// The commands that need the library; `gifplay browse` and `gifplay library` become this program.
struct GifplayBrowser: ParsableCommand {
    static let configuration = CommandConfiguration(
        // As the user calls it: 'gifplay browse'.
        commandName: "gifplay", abstract: "Looks through GIFs in the terminal.", version: Product.version,
        subcommands: [BrowseCommand.self, LibraryCommand.self, ShareCommand.self])
}
