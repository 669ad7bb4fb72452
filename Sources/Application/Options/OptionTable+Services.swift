import Base
import Catalog

extension Option {
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
            $0.source = $1.text.lowercased()
            guard !GIFSources.names.contains($1.text.lowercased()) else { return }
            throw Failure("unknown source; \(Failure.hint(forSource: $1.text, GIFSources.names))")
        }: "Query only this source; 'gifplay sources' lists the names (default: all in order)",
        Option("sources", value: "list", .services) { $0.catalog.order = try OptionValue.sources($1.text) }:
            "Query these sources, in this order, separated by commas, and then the built-in GIFs unless samples is one. "
            + "--source queries only one. "
            + "By default, all sources are queried except nekos and those whose key is missing.",
        Option("rating", value: "level", of: Rating.allCases.map(\.rawValue), .services) {
            $0.preferences.rating = try OptionValue.choice($1.text.lowercased())
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
        Option("max-bytes", value: "n", .limits + [.browse]) {
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
