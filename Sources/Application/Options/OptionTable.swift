import Base
import Catalog
import Glibc
import Playback

// Each closure says what its option changes.

extension [Command] {
    static var drawing: [Command] { [.play, .browse] }
    static var pictures: [Command] { [.play, .record] }
    static var gallery: [Command] { [.play, .browse, .doctor] }
    static var services: [Command] { [.play, .browse, .record, .sources, .doctor] }
    /// Those that load files of servers.
    static var network: [Command] { services + [.info] }
    static var limits: [Command] { [.play, .browse, .record, .info] }
}

extension Option {
    static let items: Rows = [
        Option("file", value: "path", files: .gifs, .pictures, .commandLine) { $0.files.append($1.text) }:
            "Play this file even if its name looks like a URL or option. May be repeated.",
        Option("files0", value: "list", files: .all, .drawing, .commandLine) { $0.files0 = $1.text }:
            "Play or show the files in this NUL-separated list, as from 'find -print0'; '-' is standard input",
        Option("search", value: "query", [.play, .browse, .record], .commandLine) {
            $0.search = try OptionValue.query($1.text)
        }:
            "Search for this query even if a file has that name",
        Option("follow", value: "path", files: .all, [.play], .commandLine) { $0.follow = $1.text }:
            "Show the newest GIF of a folder, a list or a named pipe as soon as it is written, or of a URL when it changes. "
            + "'-' is a list on standard input.",
        Option("feed", value: "feed", of: PlayedFeed.allCases.map(\.rawValue), [.play], .commandLine) {
            $0.feed = try OptionValue.choice($1.text) as PlayedFeed
        }:
            "Play a feed: favourites, history, trending or random; 'favourites' and 'history' are those of the gallery, "
            + "newest first. Each GIF plays for the time of --every.",
        Option("recursive", short: "r", [.browse], .commandLine) { $0.isRecursive = $1.isOn }:
            "Show the GIFs of subfolders too. They are shown folder by folder; links to folders are not followed.",
        Option("sort", value: "order", of: FileOrder.allCases.map(\.rawValue), .drawing) {
            $0.sort = try OptionValue.choice($1.text) as FileOrder
        }:
            "Order of the files: 'name', 'time' (newest first), 'size' (largest first) or 'random' (default: name). "
            + "Files that are named in another order than that of a shell's pattern keep theirs without this option.",
    ]

    static let picture: Rows = [
        Option("size", short: "s", value: "size", .pictures) { $0.player.size = try OptionValue.size($1.text) }:
            "Largest number of columns and rows, such as 80x24 (default: the pane; record: 80x24)",
        Option("inline", [.play], .commandLine) { $0.player.screen = $1.isOn ? .inline : .full }:
            "Play below the prompt, leave the last frame there",
        Option("leave", [.play], .commandLine) { $0.leaves = $1.isOn }:
            "Print below the prompt and end; kitty and others repeat the GIF there, others show the last frame. "
            + "kitty from 0.20, Ghostty from 1.4, iTerm2 and WezTerm repeat it.",
        Option("bare", [.play]) { $0.player.showsStatus = !$1.isOn }:
            "Hide the status line. Panes with fewer than 6 rows never have one.",
        Option("upscale", short: "U", .pictures) { $0.enlarges = $1.isOn }:
            "Enlarge small GIFs (default: yes, except with --inline and --leave)",
        Option("pixelated", .pictures) { $0.player.fit.filter = $1.isOn ? .pixelated : .smooth }:
            "Scale by nearest neighbour, enlarge by whole factors (for pixel art)",
        Option("mode", value: "mode", of: OptionValue.modes.map(\.key), .drawing) {
            $0.player.drawing = try OptionValue.mode($1.text)
        }:
            "Characters (half, octant) or pixels (auto, kitty); 'half' blocks, or sharper 'quadrant', 'sextant' or 'octant' "
            + "if the font has them, or pixels by 'kitty', 'iterm2' or 'sixel' graphics if the terminal reports them; "
            + "'auto' uses the best graphics (default: half). With an exclamation mark, as in 'sixel!', gifplay uses these "
            + "graphics whatever the terminal reports.",
        Option("background", short: "b", value: "color", .pictures) {
            $0.player.background = try OptionValue.color($1.text)
        }:
            "Colour behind transparent pixels, such as #1e1e2e, fff, black or white "
            + "(default: the terminal's own; record to SVG: black)",
        Option("color", value: "when", of: ColorRule.allCases.map(\.rawValue), .drawing) {
            $0.colorRule = try OptionValue.choice($1.text)
        }: "'auto' obeys NO_COLOR, 'always' ignores it (default: auto)",
        Option("colors", value: "depth", of: OptionValue.depths.map(\.key), .drawing) {
            $0.colors.depth = try OptionValue.choice($1.text, of: OptionValue.depths)
        }: "Colours of the terminal: 24bit, 256, 16, 8, none or auto (default: auto)",
        Option("dither", value: "pattern", of: ["none", "ordered"], .drawing) {
            $0.colors.dithering = try OptionValue.choice($1.text)
        }:
            "Dithering with fewer than 24-bit colours: ordered (a fixed pattern) or none (default: ordered). "
            + "'ordered' chooses colours by hue before lightness and, with 256 colours and characters, mixes two that are "
            + "almost equal where the picture is smooth; 'none' shows the colour nearest in RGB.",
        Option("fidelity", value: "level", of: OptionValue.fidelities.map(\.key), .pictures) {
            $0.player.fidelity = try OptionValue.choice($1.text, of: OptionValue.fidelities)
        }:
            "Colour accuracy: 'exact'; 'standard' omits differences too small to notice, 'low' larger ones (default: standard)",
    ]

    static let time: Rows = [
        Option("loop", short: "l", value: "n", of: ["forever"], .pictures) {
            let loops = try OptionValue.loops($1.text)
            if $1.isConfigured { $0.loops = loops } else { $0.player.loops = loops }
        }:
            "Number of loops, or 'forever' (default: as the file says; record to a cast: 1). "
            + "In a configuration file: the loops of GIFs on a terminal, except random ones; the last frame stays.",
        Option("speed", value: "factor", of: ["0.5", "2", "max"], .pictures) {
            $0.player.speed = try OptionValue.speed($1.text)
        }: "Speed from 0.01 to 100; 'max' plays every frame without waiting (default: 1)",
        Option("duration", short: "d", value: "time", .pictures) {
            $0.player.duration = try OptionValue.duration($1.text)
        }: "Stop each GIF after this time, such as 30s or 2m",
        Option("every", value: "time", [.play, .browse]) {
            $0.switchInterval = try OptionValue.duration($1.text)
            $0.followInterval = max($0.switchInterval, $1.isConfigured ? 5 * Span.second : 0)
        }:
            "Time for each random GIF; with several files, for each that loops forever (default: 10s). "
            + "With --follow URL, the time between two requests: at least 5s, and 1m without this option.",
        Option("screensaver", [.play], .commandLine) {
            ($0.player.anyKeyEnds, $0.player.showsKeyHint) = ($1.isOn, !$1.isOn)
        }: "Quit on any key. That includes Ctrl-Z, which does not suspend then.",
    ]

    static let output: Rows = [
        Option("output", short: "o", value: "path", files: .all, [.record], .commandLine) { $0.output = $1.text }:
            "Output file, or '-' for standard output (required)",
        Option("format", value: "format", of: ["cast", "svg"], [.record], .commandLine, set: format):
            "Output format (default: from the ending of the file name; '-': cast)",
        Option("animate", [.play], .commandLine) { $0.writesAllFrames = $1.isOn }:
            "Write all frames, not a still, if the output is not a terminal; with --mode kitty, they repeat there",
        Option("upload", value: "path", files: .all, [.play], .commandLine) { $0.upload = $1.text }:
            "Send the image to this terminal, such as /dev/tty, and write only the characters that show it. Sets --mode kitty.",
        Option("json", [.play, .info, .list, .doctor], .commandLine) { $0.printsJSON = $1.isOn }:
            "Print JSON, one object per line, even to a terminal; play: with --list",
        Option("picture", [.doctor], .commandLine) { $0.drawsPicture = $1.isOn }:
            "Draw a test picture in the best mode of the terminal",
    ]

    static let gallery: Rows = [
        Option("reduced-motion", [.browse]) { $0.reducesMotion = $1.isOn }:
            "Animate only the selected GIF; no random GIFs when idle",
        Option("plain", [.browse], .commandLine) { $0.isPlain = $1.isOn }:
            "Print the results line by line, for screen readers and scripts. Prints up to three pages of results, or all paths.",
        Option("print", value: "part", of: ["url", "page", "file", "markdown"], [.browse], .commandLine) {
            $0.printedPart = try OptionValue.word($1)
        }:
            "Let the user choose a GIF, and print its 'url', its 'page', the path of its saved 'file', or 'markdown' "
            + "(default: url, or file for files, if the output is not a terminal). 'markdown' has the credit. Without a choice, the status is 130.",
        Option("no-history", .drawing) { $0.keepsHistory = !$1.isOn }:
            "Store only favourites and dismissed GIFs, not viewed ones",
        Option("favourites", [.list], .commandLine, set: list): "List only favourites",
        Option("history", [.list], .commandLine, set: list): "List only viewed GIFs",
        Option("dismissed", [.list], .commandLine, set: list): "List only dismissed GIFs",
        Option("all", [.clear], .commandLine) { $0.clearsAll = $1.isOn }:
            "Delete favourites and dismissed GIFs too; asks first",
        Option("yes", [.clear], .commandLine) { $0.isConfirmed = $1.isOn }:
            "With --all: do not ask; required without a terminal",
    ]

    @Sendable static func format(_ settings: inout Settings, _ setting: Setting) throws(Failure) {
        settings.format = try OptionValue.word(setting)
    }

    @Sendable private static func list(_ settings: inout Settings, _ setting: Setting) throws(Failure) {
        let name = setting.option.name
        if let other = settings.list, other != name { throw Failure("cannot be combined with --\(other)") }
        settings.list = name
    }

    static let results: Rows = [
        Option("pick", value: "n", .pictures, .commandLine) { $0.pick = try OptionValue.resultNumber($1.text) }:
            "Play or record only the result with this number (default: the first that plays). From 1 to 10000.",
        Option("random-pick", [.play], .commandLine) { $0.picksRandomly = $1.isOn }: "Play a random result",
        Option("list", [.play], .commandLine) { $0.listsResults = $1.isOn }:
            "List the results, play nothing. Lists the first page of results; without a query, random GIFs.",
        Option("format", value: "format", of: ["table", "json", "url"], [.play], .commandLine, set: format):
            "With --list: table, json (one object per line) or url (default: table)",
    ]

    static let services: Rows = [
        Option("source", value: "name", of: GIFSources.names, .services) {
            let name = $1.text.lowercased()
            $0.source = name
            guard !GIFSources.names.contains(name) else { return }
            throw Failure("unknown source; \(Failure.hint(forSource: $1.text, GIFSources.names))")
        }: "Query only this source; 'gifplay sources' lists the names (default: all in order)",
        Option("sources", value: "list", .services) { $0.catalog.order = try OptionValue.sources($1.text) }:
            "Query these sources, in this order, separated by commas, and then the built-in GIFs unless samples is one. "
            + "--source queries only one. "
            + "By default, all sources are queried except nekos and those whose key is missing.",
        Option("rating", value: "level", of: Rating.allCases.map(\.rawValue), .services) {
            $0.preferences.rating = try OptionValue.choice($1.text)
        }: "Strongest content allowed: g, pg, pg-13 or r (default: g)",
        Option("lang", value: "code", .services) { $0.preferences.language = try OptionValue.language($1.text) }:
            "Language of the query, two letters (default: en)",
        Option("offline", .network) { $0.isOffline = $1.isOn }:
            "Use no network: search built-in GIFs; random GIFs are built-in or cached (same as GIFPLAY_OFFLINE=1)",
        Option("reload", [.play, .browse, .record, .info], .commandLine) { $0.reloads = $1.isOn }:
            "Ask the servers of cached GIFs for newer ones. Once per run and URL.",
        Option("cacert", value: "file", files: .all, .network) {
            $0.fetch.caFile = $1.text
            if case .variable = $1.origin { return }
            if let problem = OptionValue.certificateProblem($1.text) { throw Failure(problem) }
        }: "Trust the certificates in this file instead of the system's",
        Option("key", value: "source=key", .services) {
            let (name, key) = try OptionValue.pair($1.text, "a source and its key, such as giphy=0123456789abcdef")
            let known = GIFSources.profiles.filter { $0.key != nil }.map(\.name) + [RedditSettings.feedSource]
            if name == RedditSettings.source { throw Failure(RedditSettings.appIsGone) }
            guard known.contains(name) else {
                throw Failure("has no key; only \(known.joined(separator: ", ")) have one")
            }
            if key.allSatisfy(\.isWhitespace) { throw Failure("the key is empty; add it, or leave it out") }
            $0.catalog.keys[name] = Secret(key)
        }:
            "API key of GIPHY or KLIPY, only in a configuration file; the environment has GIPHY_API_KEY and KLIPY_API_KEY. "
            + "May be repeated. For Reddit, 'reddit.feed' is the token of your own feed.",
        Option("endpoint", value: "source=url", .services) {
            let (name, urls) = try OptionValue.pair(
                $1.text, "a source and its URL, such as commons=https://commons.example")
            if name == SampleRepository.name { throw Failure("the built-in GIFs have no URL") }
            try OptionValue.checkSource(name, Settings.endpointNames)
            $0.catalog.endpoints[name] = try OptionValue.endpoint(urls)
        }: "Base URL of a source or of reddit, for a proxy or a mirror; commas separate several URLs. May be repeated.",
        Option("contact", value: "text", .network) { $0.contact = try OptionValue.contact($1.text) }:
            "Email address or URL at which the operators of services reach you; sent in the user agent",
        Option("report-use", .drawing) { $0.catalog.reportsUse = $1.isOn }:
            "Report displayed and shared GIFs to GIPHY and KLIPY, if their keys are set",
        Option("reddit", value: "list", .gallery) {
            try OptionValue.addCommunities($1.text, to: &$0.catalog.reddit.communities)
        }: "Communities whose GIFs the gallery shows, separated by commas. May be repeated.",
        Option("reddit-username", value: "name", .gallery) { $0.catalog.reddit.username = $1.text }:
            "Your Reddit user name; sent to Reddit in the user agent",
        Option("reddit-feed-user", value: "name", .gallery) { $0.catalog.reddit.feedUser = $1.text }:
            "The user in the URL of your own Reddit feed; needs --key reddit.feed=TOKEN",
    ]

    static let limits: Rows = [
        Option("loop-cache", value: "bytes", [.play]) { $0.player.loopCacheBytes = try OptionValue.count($1.text) }:
            "Memory for drawn frames, so that later loops need no decoding; 0 turns it off (default: 8M)",
        Option("cache-size", value: "bytes", [.play, .browse, .record, .cache, .doctor]) {
            $0.cacheBytes = try OptionValue.count($1.text)
        }: "Size limit of the media cache (default: 512M)",
        Option("clear", [.cache], .commandLine) { $0.clearsCache = $1.isOn }: "Delete all cached files",
        Option("max-canvas-pixels", value: "n", .limits) { $0.limits.canvasPixels = try OptionValue.limit($1.text) }:
            "Maximum number of pixels in the canvas and in each frame (default: 16M)",
        Option("max-total-pixels", value: "n", .limits) { $0.limits.totalPixels = try OptionValue.limit($1.text) }:
            "Maximum number of decoded pixels per loop, plus 128 for each byte of the file "
            + "(default: none; info: 64M; stills: 256M)",
        Option("max-bytes", value: "n", .limits) {
            $0.limits.bytes = try OptionValue.limit($1.text)
            $0.renditions.maximumBytes = $0.limits.bytes
        }: "Maximum bytes to read from a file (default: 1G; downloads: 64M)",
        Option("max-frames", value: "n", .limits) { $0.limits.frames = try OptionValue.limit($1.text) }:
            "Maximum frames to play from a file (default: none; info: 1M)",
    ]

    static let general: Rows = [
        Option("version", short: "V", Command.allCases, .commandLine) { _, _ in }: "Show the version",
        Option("help", short: "h", Command.allCases, .commandLine) { _, _ in }:
            "Show all options; -h: the most important ones",
        Option("generate", value: "text", of: generated, [.play], .commandLine) {
            $0.generated = try OptionValue.word($1)
        }: "Print the manual, a shell completion or the tables of docs/REFERENCE.md",
        Option("trace", [.play], .commandLine) { $0.printsTrace = $1.isOn }: "",
        Option("virtual-time", [.play], .commandLine) { $0.usesVirtualTime = $1.isOn }: "",
    ]

    private static let generated = ["man", "complete-bash", "complete-zsh", "complete-fish", "reference"]
}
