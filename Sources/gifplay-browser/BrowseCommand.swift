import Application
import ArgumentParser

/// Looks through GIFs in a wall of them, playing.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Looks through GIFs in a wall of them, playing.")

    @Argument(help: "Words to search; nothing shows what is watched now.")
    var words: [String] = []

    @OptionGroup(title: "Services") var services: ServiceOptions

    @OptionGroup(title: "Memory") var memory: MemoryOptions

    func run() throws {
        throw Complaint("browse will show a wall of GIFs; it is not there yet")
    }
}
