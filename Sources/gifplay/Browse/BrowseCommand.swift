import Application
import ArgumentParser
import Gallery
import Glibc
import Pixels

/// Runs the gallery, which is an animated grid of GIFs. With `--plain`, prints the listing as lines of text instead.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Browse GIFs in an animated gallery")

    @Argument(
        help: ArgumentHelp("Search terms (default: trending GIFs, or random GIFs without a key)", valueName: "query"))
    var terms: [String] = []

    @Flag(help: "Animate only the selected GIF; no random GIFs when idle")
    var reducedMotion = false

    @Option(
        help: ArgumentHelp(
            "Characters of the pictures: 'half' blocks, or sharper 'quadrant', 'sextant' or 'octant', if the "
                + "terminal's font has them (default: half)", valueName: "mode"),
        completion: ModeValue.completion, transform: ModeValue.parse)
    var mode: ModeValue?

    @Flag(help: "Print the results line by line, for screen readers and scripts")
    var plain = false

    @Option(help: ColorOptions.colorHelp)
    var color: ColorRule?

    @Option(
        help: ColorOptions.colorsHelp, completion: ColorsValue.completion,
        transform: { try ColorsValue.parse($0).rawValue })
    var colors: String?

    @Option(
        help: ColorOptions.ditherHelp, completion: DitherValue.completion,
        transform: { try DitherValue.parse($0).rawValue })
    var dither: String?

    @OptionGroup(title: "Services") var services: ServiceOptions
    @OptionGroup(title: "Library") var history: HistoryOptions

    func run() throws {
        try DescriptorLimit.check(for: "browse")
        let session = ServiceSession(try LoaderSettings(services, size: GallerySession.rendition))
        defer { session.close() }
        let query = terms.joined(separator: " ")
        let gallery = GallerySession(
            session: session, feed: query.isEmpty ? GallerySession.firstFeed(session.settings) : .search(query: query),
            mode: (mode ?? session.settings.mode ?? .half).mode,
            colors: ColorOptions(colors: colors, dither: dither).preference(session.settings.colors),
            keepsHistory: !history.noHistory, reducesMotion: reducedMotion)
        if plain { return try gallery.printLines() }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw CommandError("browse needs a terminal; to print lines instead: gifplay browse --plain")
        }
        if gallery.colors.depth != ColorDepth.none, (color ?? session.settings.color) != .always {
            try CommandError.throwIfColorIsRefused()
        }
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
