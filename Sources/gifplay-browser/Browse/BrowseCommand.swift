import Application
import ArgumentParser
import Catalog
import FoundationEssentials
import Gallery
import Glibc
import TerminalIO

/// Runs the gallery, which is an animated grid of GIFs. With `--plain`, prints the listing as lines of text instead.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Browse GIFs in an animated gallery")

    @Argument(help: ArgumentHelp("Search terms (default: trending GIFs)", valueName: "query"))
    var terms: [String] = []

    @Flag(help: "Animate only the selected GIF; no random GIFs when idle")
    var reducedMotion = false

    @Flag(help: "Print the results line by line, for screen readers and scripts")
    var plain = false

    @OptionGroup(title: "Services") var services: ServiceOptions
    @OptionGroup(title: "Library") var history: HistoryOptions

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let loader = GIFLoader(try LoaderSettings(services, size: (width: 80, height: 48)))
        defer { loader.close() }
        let listings = try ServiceListings(loader)
        if plain {
            let listing = PlainListing(language: Language(environment: environment), sourceTitles: titles(loader))
            return try PlainBrowse(listings: listings, listing: listing).print(feed)
        }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw CommandError("browse needs a terminal; to print lines instead: gifplay browse --plain")
        }
        if loader.settings.color != .always, let value = environment["NO_COLOR"], !value.isEmpty {
            throw CommandError(
                "NO_COLOR is set; to draw anyway, set color = \"always\" in the configuration; to print lines instead: "
                    + "gifplay browse --plain")
        }
        try CommandError.throwIfTerminalIsDumb("print lines: gifplay browse --plain")
        let status = try runSession(loader, listings, environment)
        if status != .success { throw CommandError("", status: status) }
    }

    private var feed: Feed {
        let query = terms.joined(separator: " ")
        return query.isEmpty ? .trending(source: nil) : .search(query: query)
    }

    private func runSession(
        _ loader: GIFLoader, _ listings: ServiceListings, _ environment: [String: String]
    ) throws -> ExitStatus {
        let terminal: Terminal
        do throws(TerminalError) {
            // Open the terminal before any thread is started. This call sets the signal mask, which threads inherit.
            terminal = try Terminal(screen: .full, reportsPointer: true)
        } catch {
            throw CommandError("the terminal cannot be used: \(error)")
        }
        let store = GalleryLibrary(history, loader.settings)
        let runtime = GalleryRuntime(
            GalleryState(feed: feed, traits: terminal.traits, options: options(loader, environment)),
            terminal: terminal,
            services: GalleryServices(
                listings: listings, media: ServiceMedia(loader: loader),
                desktop: LocalDesktopActions(environment: environment), store: store.library, seconds: { time(nil) }))
        loader.notices.listen { [notify = runtime.notify] in notify(GalleryMessage($0)) }
        let end = runtime.run()
        terminal.leave()
        if let writing = runtime.pendingWrite { BackgroundValue { await writing.value }.wait() }
        if let failure = store.failure { printError(failure) }
        if let failure = loader.cachingFailure { printError(ErrorMessages.notCached(failure)) }
        switch end {
        case .quit: return .success
        case .interrupted(let signal): return .signal(signal)
        case .closed: return .signal(SIGHUP)
        }
    }

    private func titles(_ loader: GIFLoader) -> [String: String] {
        // The title is only "Reddit", because the name of the community is displayed next to the title.
        let communities = loader.settings.communities.names.map { ("r/" + $0, "Reddit") }
        return Dictionary(uniqueKeysWithValues: GIFSources.profiles.map { ($0.name, $0.title) } + communities)
    }

    private func options(_ loader: GIFLoader, _ environment: [String: String]) -> GalleryOptions {
        var options = GalleryOptions()
        let profiles = GIFSources.profiles
        options.feeds = [.trending(source: nil)]
        if !loader.settings.isOffline {
            let named = profiles.filter {
                $0.hasTrending && ($0.key == nil || loader.settings.catalog.keys[$0.name] != nil)
            }
            options.feeds += named.map { .trending(source: $0.name) }
            options.feeds += loader.settings.communities.names.map { .community($0) }
        }
        options.feeds += [.favourites, .history]
        options.sourceTitles = titles(loader)
        options.language = Language(environment: environment)
        options.reducesMotion = reducedMotion
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
