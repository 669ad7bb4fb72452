import Base
import Catalog
import Glibc

extension Option {
    static let results: [Option] = [
        Option(
            "pick", value: "n", .pictures, .results, default: "the first that plays", configurable: false,
            "Play or record only the result with this number", "From 1 to 10000."
        ) { $0.pick = try OptionValue.resultNumber($1.text) },
        Option("random-pick", [.play], .results, configurable: false, "Play a random result") {
            $0.picksRandomly = $1.isOn
        },
        Option(
            "list", [.play], .results, configurable: false, "List the results, play nothing",
            "Lists the first page of results; without a query, random GIFs."
        ) { $0.listsResults = $1.isOn },
        Option(
            "format", value: "format", of: ["table", "json", "url"], [.play], .results, default: "table",
            configurable: false, "With --list: output format", "json has one object per line."
        ) { $0.format = try OptionValue.word($1.text, of: ["table", "json", "url"]) },
    ]

    static let services: [Option] = [
        Option(
            "source", value: "name", of: GIFSources.names, .services, .services, default: "all in order",
            "Query only this source; 'gifplay sources' lists the names"
        ) {
            $0.services.source = $1.text
            guard !GIFSources.names.contains($1.text) else { return }
            throw OptionError("unknown source; \(CatalogError.hint(forSource: $1.text, GIFSources.names))")
        },
        Option(
            "sources", value: "list", .services, .services, "Query these sources, in this order, separated by commas",
            "Without the name samples, the built-in GIFs come last. By default, all sources are queried except nekos and "
                + "those whose key is missing."
        ) { $0.services.catalog.order = try sources($1.text) },
        Option(
            "rating", value: "level", of: Rating.allCases.map(\.rawValue), .services, .services, default: "g",
            "Strongest content allowed: g, pg, pg-13 or r"
        ) { $0.services.preferences.rating = try OptionValue.rating($1.text) },
        Option(
            "lang", value: "code", .services, .services, default: "en", "Language of the query, two letters"
        ) { $0.services.preferences.language = try OptionValue.language($1.text) },
        Option(
            "offline", .services, .services,
            "Use no network: search built-in GIFs; random GIFs are built-in or cached (same as GIFPLAY_OFFLINE=1)"
        ) { $0.services.isOffline = $1.isOn },
        Option(
            "reload", [.play, .browse, .record, .info], .services, configurable: false,
            "Ask the servers of cached GIFs for newer ones", "Once per run and URL."
        ) { $0.services.reloads = $1.isOn },
        Option(
            "cacert", value: "file", files: .all, .services, .services,
            "Trust the certificates in this file instead of the system's"
        ) {
            $0.services.fetch.caFile = $1.text
            if case .variable = $1.origin { return }
            guard access($1.text, R_OK) == 0 else { throw OptionError(SystemError.message()) }
        },
        Option(
            "key", value: "source=key", .services, .services,
            "API key of GIPHY or KLIPY, only in a configuration file; the environment has GIPHY_API_KEY and KLIPY_API_KEY",
            "May be repeated. For Reddit, 'reddit.feed' is the token of your own feed."
        ) {
            let (name, key) = try pair($1.text, "a source and its key, such as giphy=0123456789abcdef")
            let known = GIFSources.profiles.filter { $0.key != nil }.map(\.name) + [CommunitySettings.feedSource]
            if name == CommunitySettings.source { throw OptionError(CommunitySettings.appIsGone) }
            guard known.contains(name) else {
                throw OptionError("has no key; only \(known.joined(separator: ", ")) have one")
            }
            $0.services.catalog.keys[name] = Secret(key)
        },
        Option(
            "endpoint", value: "source=url", .services, .services,
            "Base URL of a source or of reddit, for a proxy or a mirror; commas separate several URLs",
            "May be repeated."
        ) {
            let (name, urls) = try pair($1.text, "a source and its URL, such as commons=https://commons.example")
            guard LoaderSettings.endpointNames.contains(name) else { throw OptionError("unknown source '\(name)'") }
            $0.services.catalog.endpoints[name] = ServiceEndpoint(try list(urls))
        },
        Option(
            "contact", value: "text", .services, .services,
            "Email address or URL at which the operators of services reach you; sent in the user agent"
        ) { $0.services.contact = $1.text },
        Option(
            "report-use", .drawing, .services,
            "Report displayed and shared GIFs to GIPHY and KLIPY, if their keys are set"
        ) { $0.services.catalog.reportsUse = $1.isOn },
        Option(
            "reddit", value: "list", .gallery, .services,
            "Communities whose GIFs the gallery shows, separated by commas", "May be repeated."
        ) { try addCommunities($1.text, to: &$0.services.communities.names) },
        Option(
            "reddit-username", value: "name", .gallery, .services,
            "Your Reddit user name; sent to Reddit in the user agent"
        ) { $0.services.communities.username = $1.text },
        Option(
            "reddit-feed-user", value: "name", .gallery, .services,
            "The user in the URL of your own Reddit feed; needs --key reddit.feed=TOKEN"
        ) { $0.services.communities.feedUser = $1.text },
    ]

    static let limits: [Option] = [
        Option(
            "loop-cache", value: "bytes", [.play], .limits, default: "8M",
            "Memory for drawn frames, so that later loops need no decoding; 0 turns it off"
        ) { $0.playback.player.loopCacheBytes = try OptionValue.count($1.text) },
        Option(
            "cache-size", value: "bytes", [.play, .browse, .record, .cache, .doctor], .limits, default: "512M",
            "Size limit of the media cache"
        ) { $0.services.cacheBytes = try OptionValue.count($1.text) },
        Option("clear", [.cache], .limits, configurable: false, "Delete all cached files") { $0.clearsCache = $1.isOn },
        Option(
            "max-canvas-pixels", value: "n", .limits, .limits, default: "16M",
            "Maximum number of pixels in the canvas and in each frame"
        ) { $0.limits.canvasPixels = try OptionValue.limit($1.text) },
        Option(
            "max-total-pixels", value: "n", .limits, .limits, default: "none; info: 64M; stills: 256M",
            "Maximum number of decoded pixels per loop, plus 128 for each byte of the file"
        ) { $0.limits.totalPixels = try OptionValue.limit($1.text) },
        Option(
            "max-bytes", value: "n", .limits, .limits, default: "1G; downloads: 64M",
            "Maximum bytes to read from a file"
        ) {
            $0.limits.bytes = try OptionValue.limit($1.text)
            $0.services.renditions.maximumBytes = $0.limits.bytes
        },
        Option(
            "max-frames", value: "n", .limits, .limits, default: "none; info: 1M", "Maximum frames to play from a file"
        ) { $0.limits.frames = try OptionValue.limit($1.text) },
    ]

    private static let everywhere: CommandSet = [
        .play, .info, .samples, .sources, .cache, .browse, .list, .clear, .record, .doctor, .config, .version, .help,
    ]

    static let general: [Option] = [
        Option("version", short: "V", everywhere, .general, configurable: false, "Show the version") { _, _ in },
        Option(
            "help", short: "h", everywhere, .general, configurable: false,
            "Show all options; -h: the most important ones"
        ) { _, _ in },
        Option(
            "generate", value: "text", of: ["man", "complete-bash", "complete-zsh", "complete-fish", "reference"],
            [.play],
            .general, configurable: false, "Print the manual, a shell completion or the tables of docs/REFERENCE.md"
        ) { $0.generated = try OptionValue.word($1.text, of: $1.option.values()) },
        Option("trace", [.play], .general, configurable: false, "") { $0.playback.printsTrace = $1.isOn },
        Option("virtual-time", [.play], .general, configurable: false, "") { $0.usesVirtualTime = $1.isOn },
    ]

    // MARK: - Values with several parts

    private static func sources(_ text: String) throws(OptionError) -> [String] {
        let known = GIFSources.names
        var names: [String] = []
        for name in try list(text) {
            guard known.contains(name) else {
                throw OptionError(CatalogError.unknownSource(name: SafeText.sentence(name), known: known).text.full)
            }
            guard !names.contains(name) else { throw OptionError("source '\(name)' is listed twice; remove one") }
            names.append(name)
        }
        return names
    }

    private static func pair(_ text: String, _ form: String) throws(OptionError) -> (name: String, value: String) {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { throw OptionError("expected \(form)") }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }

    /// The maximum length of a list. No option needs nearly as many elements.
    private static let maximumElements = 100

    private static func list(_ text: String) throws(OptionError) -> [String] {
        let elements = text.split(separator: ",").map(String.init)
        guard elements.count <= maximumElements else {
            throw OptionError("\(elements.count) elements; at most \(maximumElements) are allowed")
        }
        return elements
    }

    private static func addCommunities(_ text: String, to names: inout [String]) throws(OptionError) {
        for word in try list(text) {
            guard let name = Community(word)?.name else {
                throw OptionError("'\(word)' is not a community name, which has 2 to 21 letters, digits and _")
            }
            if !names.contains(name) { names.append(name) }
        }
        // The options add up.
        _ = try list(names.joined(separator: ","))
    }
}
