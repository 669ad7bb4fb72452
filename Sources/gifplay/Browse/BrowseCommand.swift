import Application
import ArgumentParser
import Gallery
import Glibc
import Pixels

/// Runs the gallery, which is an animated grid of GIFs. With `--plain`, prints the listing as lines of text instead.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Browse GIFs in an animated gallery")

    @Argument(help: ArgumentHelp("Search terms (default: trending GIFs)", valueName: "query"))
    var terms: [String] = []

    @Flag(help: "Animate only the selected GIF; no random GIFs when idle")
    var reducedMotion = false

    @Option(
        mode: "Characters of the pictures: 'half' blocks, or sharper 'quadrant', 'sextant' or 'octant', if the "
            + "terminal's font has them")
    var mode: PlaybackChange?

    @Flag(help: "Print the results line by line, for screen readers and scripts")
    var plain = false

    @Option(help: .color)
    var color: ColorRule?

    @Option(colors: "depth")
    var colors: PlaybackChange?

    @Option(dither: "pattern")
    var dither: PlaybackChange?

    @OptionGroup(title: "Services") var services: ServiceOptions
    @OptionGroup(title: "Library") var history: HistoryOptions

    func run() throws {
        try DescriptorLimit.check(for: "browse")
        var settings = try Settings(services)
        settings.playback.apply([mode, colors, dither])
        settings.playback.colorRule = color ?? settings.playback.colorRule
        let session = ServiceSession(settings.services)
        defer { session.close() }
        let query = terms.joined(separator: " ")
        let gallery = GallerySession(
            session: session, feed: query.isEmpty ? .trending(source: nil) : .search(query: query),
            mode: settings.playback.player.mode, colors: settings.playback.colors,
            keepsHistory: !history.noHistory, reducesMotion: reducedMotion)
        if plain { return try gallery.printLines() }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw CommandError("browse needs a terminal; to print lines instead: gifplay browse --plain")
        }
        try settings.playback.throwIfColorIsRefused()
        try CommandError.throwIfTerminalIsDumb("print lines: gifplay browse --plain")
        let (end, messages) = try gallery.run()
        for message in messages { printError(message) }
        switch end {
        case .quit: return
        case .interrupted(let signal): throw CommandError("", status: .signal(signal))
        case .closed: throw CommandError("", status: .signal(SIGHUP))
        }
    }
}

struct HistoryOptions: ParsableArguments {
    @Flag(help: "Store only favourites and dismissed GIFs")
    var noHistory = false
}
