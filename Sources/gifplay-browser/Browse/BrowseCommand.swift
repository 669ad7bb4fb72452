import Application
import ArgumentParser
import Base
import Catalog
import FoundationEssentials
import Gallery
import Glibc
import Pixels
import TerminalIO

/// Runs the gallery, which is an animated grid of GIFs. With `--plain`, prints the listing as lines of text instead.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Browse GIFs in an animated gallery")

    @Argument(help: ArgumentHelp("Search terms (default: trending GIFs)", valueName: "query"))
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
        let environment = ProcessInfo.processInfo.environment
        let session = ServiceSession(try LoaderSettings(services, size: (width: 80, height: 48)))
        defer { session.close() }
        let listings = try ServiceListings(session)
        if plain {
            let listing = PlainListing(language: Language(environment: environment), sourceTitles: titles(session))
            return try PlainBrowse(listings: listings, listing: listing).print(feed)
        }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw CommandError("browse needs a terminal; to print lines instead: gifplay browse --plain")
        }
        let colors = ColorOptions(colors: colors, dither: dither).preference(session.settings.colors)
        if colors.depth != ColorDepth.none, session.settings.color != .always {
            try CommandError.throwIfColorIsRefused(
                "set color = \"always\" in the configuration; to print lines instead: gifplay browse --plain")
        }
        try CommandError.throwIfTerminalIsDumb("print lines: gifplay browse --plain")
        let status = try runSession(session, listings, environment, colors)
        if status != .success { throw CommandError("", status: status) }
    }

    private var feed: Feed {
        let query = terms.joined(separator: " ")
        return query.isEmpty ? .trending(source: nil) : .search(query: query)
    }

    private func runSession(
        _ session: ServiceSession, _ listings: ServiceListings, _ environment: [String: String],
        _ colors: ColorPreference
    ) throws -> ExitStatus {
        let terminal: Terminal
        do throws(TerminalError) {
            // Open the terminal before any thread is started. This call sets the signal mask, which threads inherit.
            terminal = try Terminal(
                screen: .full, reportsPointer: true, colors: colors, pausesWhenHidden: true)
        } catch {
            throw CommandError("the terminal cannot be used: \(error)")
        }
        let store = Result { () throws(CommandError) in try GalleryLibrary(history, session.settings) }
        let library = try? store.get()
        let runtime = GalleryRuntime(
            GalleryState(feed: feed, traits: terminal.traits, options: options(session, environment)),
            terminal: terminal,
            services: GalleryServices(
                listings: listings, media: ServiceMedia(loader: GIFLoader(session)),
                desktop: LocalDesktopActions(environment: environment), store: library, seconds: { time(nil) }))
        session.notices.listen { [notify = runtime.notify] in notify(GalleryMessage($0)) }
        library?.open(report: { [notify = runtime.notify] in notify(.storeFailed($0)) }, addMarks: runtime.addMarks)
        let end = runtime.run()
        terminal.leave()
        if let writing = runtime.pendingWrite { Self.wait(for: writing, atMost: 1_000) }
        if let problem = Self.storingProblem(store, runtime.unstoredMarks) { printError(problem) }
        if let failure = session.cachingFailure { printError(ErrorMessages.notCached(failure)) }
        switch end {
        case .quit: return .success
        case .interrupted(let signal): return .signal(signal)
        case .closed: return .signal(SIGHUP)
        }
    }

    /// Blocks until the task ends, but for at most this number of milliseconds.
    private static func wait(for task: Task<Void, Never>, atMost milliseconds: Int) {
        BackgroundValue {
            let (ends, end) = AsyncStream<Void>.makeStream()
            Task.detached {
                await task.value
                end.finish()
            }
            Task.detached {
                try? await SystemWaitClock().wait(milliseconds: milliseconds)
                end.finish()
            }
            for await _ in ends {}
        }.wait()
    }

    /// Returns the error message that lists the changes that were not stored; nil if all were stored.
    static func storingProblem(
        _ store: Result<GalleryLibrary, CommandError>, _ unstored: UnstoredMarks
    ) -> String? {
        let nothing = "; nothing of this session is stored"
        switch store {
        case .failure(let error): return error.message + nothing
        case .success(let library):
            let failure = library.failure
            if let failure, failure != .locked(path: library.path) { return ErrorMessages.describe(failure) + nothing }
            let counts = [
                (unstored.favourites, "favourites"), (unstored.viewed, "viewed"), (unstored.dismissed, "dismissed"),
            ]
            guard unstored.isEmpty else {
                let list = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
                return "\(library.path): not stored: \(list); the library was locked or could not be written"
            }
            return failure == nil ? nil : "\(library.path): locked by another program" + nothing
        }
    }

    private func titles(_ session: ServiceSession) -> [String: String] {
        // The title is only "Reddit", because the name of the community is displayed next to the title.
        let communities = session.settings.communities.names.map { ("r/" + $0, "Reddit") }
        return Dictionary(uniqueKeysWithValues: GIFSources.profiles.map { ($0.name, $0.title) } + communities)
    }

    private func options(_ session: ServiceSession, _ environment: [String: String]) -> GalleryOptions {
        var options = GalleryOptions()
        let profiles = GIFSources.profiles
        options.feeds = [.trending(source: nil)]
        if !session.settings.isOffline {
            let named = profiles.filter {
                $0.hasTrending && ($0.key == nil || session.settings.catalog.keys[$0.name] != nil)
            }
            options.feeds += named.map { .trending(source: $0.name) }
            options.feeds += session.settings.communities.names.map { .community($0) }
        }
        options.feeds += [.favourites, .history]
        options.sourceTitles = titles(session)
        options.language = Language(environment: environment)
        options.reducesMotion = reducedMotion
        options.isOffline = session.settings.isOffline
        options.mode = (mode ?? session.settings.mode ?? .half).mode
        return options
    }
}

extension GalleryMessage {
    fileprivate init(_ notice: Notices.Notice) {
        switch notice {
        case .keyRefused(let variable): self = .keyRefused(variable: variable)
        case .contactRequired: self = .contactRequired
        }
    }
}
