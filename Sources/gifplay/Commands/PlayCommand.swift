import Application
import ArgumentParser
import Glibc
import Pixels
import TerminalIO

/// Plays files, standard input, or search results.
struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        // With a super command, ArgumentParser skips its check for requests of completion scripts, which takes 4
        // percent of the instructions before the first frame. The command tree handles these requests, like all other
        // arguments that `play` cannot parse.
        _superCommandName: "gifplay", abstract: "Play files, URLs or search results")

    @Argument(
        help: ArgumentHelp(
            "Files, folders, URLs, '-' for standard input, or a query (default: random GIFs)", valueName: "argument"))
    var arguments: [String] = []

    @Option(help: ArgumentHelp("Play this file even if its name looks like a URL or option", valueName: "path"))
    var file: [String] = []

    @Option(help: ArgumentHelp("Search for this query even if a file has that name", valueName: "query"))
    var search: String?

    @OptionGroup(title: "Services") var services: ServiceOptions
    @OptionGroup(title: "Results") var results: ResultOptions
    @OptionGroup var play: PlayOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions

    func validate() throws {
        if let search, !arguments.isEmpty || !file.isEmpty {
            let other = (arguments + file).first ?? ""
            throw ValidationError("--search \(search): cannot be combined with '\(other)'")
        }
        let names = file + arguments.filter { PlaylistResolver.isNamed($0) }
        guard let name = names.first else { return }
        if results.list {
            throw ValidationError("\(name): --list lists search results, not files; 'gifplay info' describes files")
        }
        if let chooser = results.chooser {
            throw ValidationError("\(chooser): chooses among search results, but '\(name)' is a file")
        }
    }

    func run() throws {
        let loader = GIFLoader(try settings())
        var play = play
        play.every = play.every ?? loader.settings.switchInterval.map { DurationValue(nanoseconds: $0) }
        defer { loader.close() }
        if results.list {
            if search == nil { try Subcommands.refuseMisspelt(arguments) }
            return try ResultList(options: results, loader: loader).print(query)
        }
        let (list, errors) = try PlaylistResolver(
            arguments: arguments, files: file, search: search, loader: loader, choice: results.choice
        ).playlist()
        try checkColor(play.color ?? loader.settings.color ?? .auto)
        defer { for error in errors { printError(error.message) } }
        if list.isEndless || list.isOfResults || list.count > 0 { try start(list, play, loader) }
        if !errors.isEmpty { throw CommandError("") }
    }

    /// Returns the settings. Ignores a broken configuration file if all items are local, so that a local file still
    /// plays.
    private func settings() throws -> LoaderSettings {
        func settings(_ use: ConfigurationUse) throws(CommandError) -> LoaderSettings {
            try LoaderSettings(services, size: pixels, maximumBytes: limits.maxBytes?.count, configuration: use)
        }
        do throws(CommandError) {
            return try settings(.required)
        } catch {
            let isLocal = PlaylistResolver.isLocal(arguments: arguments, files: file, search: search)
            guard isLocal, !results.list else { throw error }
            printError("\(error.message); the configuration is ignored")
            return try settings(.ignored)
        }
    }

    private func start(_ list: Playlist, _ play: PlayOptions, _ loader: GIFLoader) throws {
        let plain = PlainOutput(options: play, limits: limits.limits, loader: loader)
        if play.virtualTime { return try plain.trace(list) }
        guard isatty(STDOUT_FILENO) == 1 else { return try plain.write(list) }
        try CommandError.throwIfTerminalIsDumb("write a still to a file: gifplay … > still.ans")
        switch try Slideshow(list, options: play, limits: limits.limits, loader: loader).play() {
        case .exit(.success): return
        case .exit(let status): throw CommandError("", status: status)
        case .browser:
            loader.close()
            try BrowserProgram.run(["browse"] + services.arguments)
        }
    }

    private var query: String { search ?? arguments.joined(separator: " ") }

    /// The size of the picture in half-block pixels, used to choose among a GIF's renditions.
    private var pixels: (width: Int, height: Int) {
        var window = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        let pane = isKnown ? CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : PlainOutput.defaultSize
        let size = play.size?.size ?? pane
        return (size.columns, size.rows * 2)
    }

    private func checkColor(_ rule: ColorRule) throws {
        guard rule == .auto, let value = getenv("NO_COLOR"), value.pointee != 0 else { return }
        throw CommandError(
            "NO_COLOR is set; to draw anyway, use --color always, or color = \"always\" in the configuration"
        )
    }
}
