import Application
import ArgumentParser
import Catalog
import FoundationEssentials
import Gallery
import Glibc
import TerminalIO

/// Runs the gallery, an animated grid of GIFs, or prints it as lines with `--plain`.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Looks through GIFs in a wall of them, playing.")

    @Argument(help: "Words to search; nothing shows what is watched now.")
    var words: [String] = []

    @Flag(help: "Stills; only the selected GIF moves, and nothing comes by itself.")
    var reducedMotion = false

    @Flag(help: "Lists line by line, without moving the cursor: for screen readers and scripts.")
    var plain = false

    @OptionGroup(title: "Services") var services: ServiceOptions
    @OptionGroup(title: "Memory") var memory: MemoryOptions

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let online = Online(try OnlineSettings(services, size: (width: 80, height: 48)))
        defer { online.close() }
        let listings = try ServiceListings(online)
        if plain {
            let listing = PlainListing(language: Language(environment: environment), sourceTitles: titles(online))
            return try PlainBrowse(listings: listings, listing: listing).print(feed)
        }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw Complaint("browse needs a terminal; --plain lists line by line wherever the output goes")
        }
        if online.settings.color != .always, let value = environment["NO_COLOR"], !value.isEmpty {
            throw Complaint(
                "NO_COLOR is set, and pictures consist of color; --plain lists line by line, and color = \"always\" in "
                    + "the configuration draws")
        }
        try Complaint.ifTerminalIsDumb("list line by line: gifplay browse --plain")
        let exit = try session(online, listings, environment)
        if exit != .success { throw Complaint("", exit: exit) }
    }

    private var feed: Feed {
        let words = words.joined(separator: " ")
        return words.isEmpty ? .trending(source: nil) : .search(words: words)
    }

    private func session(
        _ online: Online, _ listings: ServiceListings, _ environment: [String: String]
    ) throws -> Exit {
        let terminal: Terminal
        do throws(TerminalError) {
            // Open the terminal before anything starts a thread: it sets the signal mask, which threads inherit.
            terminal = try Terminal(screen: .full, tellsPointer: true)
        } catch {
            throw Complaint("the terminal cannot be used: \(error)")
        }
        let store = BrowsingStore(memory, online.settings)
        let runtime = GalleryRuntime(
            GalleryState(feed: feed, traits: terminal.traits, options: options(online, environment)),
            terminal: terminal,
            services: GalleryServices(
                listings: listings, media: ServiceMedia(online: online), desk: Desk(environment: environment),
                store: store.library, seconds: { time(nil) }))
        online.notices.listen { [tell = runtime.tell] in tell(Message($0)) }
        let end = runtime.run()
        terminal.leave()
        if let writing = runtime.remembering { Pending { await writing.value }.wait() }
        if let failure = store.failure { complain(failure) }
        if let failure = online.keepingFailure { complain(Sentences.notKept(failure)) }
        switch end {
        case .quit: return .success
        case .interrupted(let signal): return .signal(signal)
        case .closed: return .signal(SIGHUP)
        }
    }

    private func titles(_ online: Online) -> [String: String] {
        // The name of the community is shown next to the title.
        let communities = online.settings.communities.names.map { ("r/" + $0, "Reddit") }
        return Dictionary(uniqueKeysWithValues: GIFSources.profiles.map { ($0.name, $0.title) } + communities)
    }

    private func options(_ online: Online, _ environment: [String: String]) -> GalleryOptions {
        var options = GalleryOptions()
        let profiles = GIFSources.profiles
        options.feeds = [.trending(source: nil)]
        if !online.settings.isOffline {
            let named = profiles.filter {
                $0.hasTrending && ($0.key == nil || online.settings.catalog.keys[$0.name] != nil)
            }
            options.feeds += named.map { .trending(source: $0.name) }
            options.feeds += online.settings.communities.names.map { .community($0) }
        }
        options.feeds += [.favourites, .history]
        options.sourceTitles = titles(online)
        options.language = Language(environment: environment)
        options.reducesMotion = reducedMotion
        return options
    }
}

extension Message {
    fileprivate init(_ notice: Notices.Notice) {
        switch notice {
        case .keyRefused(let variable): self = .keyRefused(variable: variable)
        case .contactWanted: self = .contactWanted
        }
    }
}
