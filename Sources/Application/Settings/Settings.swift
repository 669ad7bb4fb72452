import Base
import CTerminal
import Catalog
import Glibc
import Pixels
import Playback

/// The settings of one run, which commands read. The configuration files, the environment and the command line fill them
/// in this order.
public struct Settings: Sendable {
    /// The settings in the order in which they apply, without the values of keys. A later one of the same name replaces an
    /// earlier one.
    private(set) var given: [Setting] = []
    /// Why the configuration files are ignored; nil if they are not.
    public private(set) var configurationError: Failure?

    // MARK: - Items

    public var files: [String] = []
    public var files0: String?
    public var search: String?
    public var follow: String?
    /// The feed that plays; nil for other items.
    public var feed: PlayedFeed?
    /// The time between two requests of `--follow URL`, in nanoseconds.
    public var followInterval = 60 * Span.second
    public var isRecursive = false
    /// The order of files; nil for that of their names in folders, and that of the arguments.
    public var sort: FileOrder?

    // MARK: - Playback

    /// The options for a GIF that plays alone.
    public var player = PlaybackOptions()
    public var colors = ColorPreference()
    public var colorRule = ColorRule.auto
    /// The display time in nanoseconds of each random GIF, and in a playlist, of each GIF that loops forever.
    public var switchInterval = 10 * Span.second
    /// The loops of GIFs on a terminal unless the command line sets them.
    public var loops = LoopRule.file
    /// Whether all frames are written, not a still, if the output is not a terminal.
    public var writesAllFrames = false
    /// Whether the frame schedule is printed.
    public var printsTrace = false
    public var leaves = false
    /// Nil if no option says whether small GIFs are enlarged.
    public var enlarges: Bool?
    public var usesVirtualTime = false
    public var limits = DecodeLimits()

    // MARK: - Output

    public var output: String?
    public var format: String?
    public var upload: String?
    public var printsJSON = false
    public var drawsPicture = false
    public var generated: String?

    // MARK: - Gallery and library

    public var reducesMotion = false
    public var isPlain = false
    public var printedPart: String?
    public var keepsHistory = true
    /// The name of the only list that `library list` prints.
    public var list: String?
    public var clearsAll = false
    public var isConfirmed = false

    // MARK: - Services and the media cache

    public var pick: Int?
    public var picksRandomly = false
    public var listsResults = false
    public var catalog = CatalogSettings()
    public var fetch = FetchOptions(userAgent: "")
    public var preferences = ListingPreferences(targetWidth: 80)
    /// Its ``RenditionChoice/maximumBytes`` also limits each download.
    public var renditions = RenditionChoice(width: 80, height: 48)
    /// The language of the texts on the screen, from the locale. `preferences.language` is that of the results.
    public var screenLanguage = Language.english
    /// For the operators of services; a part of the user agent.
    public var contact: String?
    /// The only source to query, without fallback to others; nil for all sources.
    public var source: String?
    public var isOffline = false
    /// Whether the server of each stored GIF is asked at its first use in this run.
    public var reloads = false
    /// Nil if the environment defines no location for the media cache.
    public var cacheDirectory: String?
    public var cacheBytes = 512 << 20
    public var clearsCache = false

    private init() { player.showsKeyHint = true }

    /// The settings of a command line alone.
    public init(given invocation: Invocation) throws(Failure) {
        self.init()
        try apply(invocation.settings, for: invocation.command)
        complete()
    }

    /// Also reads the configuration files and the environment. An error in a file or a variable is thrown.
    /// - Parameters:
    ///   - isForLocalItems: whether a file with an error is reported and ignored, so that a local GIF still plays.
    ///   - ignoresFiles: whether the files and the variables with errors have no effect.
    public init(
        _ invocation: Invocation = Invocation(.config), isForLocalItems: Bool = false, ignoresFiles: Bool = false,
        environment: [String: String] = Environment.variables
    ) throws(Failure) {
        self.init()
        fetch = FetchOptions(userAgent: "", environment: environment)
        screenLanguage = Language(environment: environment)
        cacheDirectory = MediaCache.directory(environment: environment)
        let (standard, command, variables) = (self, invocation.command, Self.variables(environment))
        if !ignoresFiles {
            do throws(Failure) {
                try ConfigurationFile.settings(environment: environment) { setting throws(Failure) in
                    try apply(setting, for: command)
                }
                try apply(variables, for: command)
            } catch {
                guard isForLocalItems else { throw error }
                printError("\(error.message); the configuration is ignored", error.lines)
                self = standard
                configurationError = error
            }
        }
        if ignoresFiles || configurationError != nil {
            for variable in variables { try? apply(variable, for: command) }
        }
        try apply(invocation.settings, for: command)
        // Keeps the keys out of core dumps, as `main.swift` does for those of the environment.
        if !catalog.keys.isEmpty { gifplay_protect_memory() }
        fetch.userAgent = FetchOptions.userAgent(version: Product.version, contact: contact)
        complete()
    }

    package mutating func apply(_ settings: [Setting], for command: Command = .config) throws(Failure) {
        for setting in settings { try apply(setting, for: command) }
    }

    /// A setting of another command has no effect, but a wrong one in a file is an error.
    package mutating func apply(_ setting: Setting, for command: Command = .config) throws(Failure) {
        if setting.option.belongs(to: command) {
            try setting.apply(to: &self)
        } else if setting.isConfigured {
            var others = self
            try setting.apply(to: &others)
        }
        given.append(setting.redacted)
    }

    /// The environment variables that correspond to options. Empty ones have no effect.
    static func variables(_ environment: [String: String]) -> [Setting] {
        var rows = [
            ("SSL_CERT_FILE", "cacert", ""), ("CURL_CA_BUNDLE", "cacert", ""), ("GIFPLAY_CONTACT", "contact", ""),
            ("GIFPLAY_OFFLINE", "offline", ""),
        ]
        for profile in GIFSources.profiles {
            if let variable = profile.key?.variable { rows.append((variable, "key", profile.name + "=")) }
        }
        for name in endpointNames { rows.append(("GIFPLAY_ENDPOINT_\(name.uppercased())", "endpoint", name + "=")) }
        return rows.compactMap { variable, name, prefix in
            guard let value = environment[variable], !value.isEmpty,
                let option = Option.table.first(where: { $0.name == name })
            else { return nil }
            let isOn = !option.value.isEmpty || value != "0"
            return Setting(option: option, text: prefix + value, isOn: isOn, origin: .variable(variable))
        }
    }

    static let endpointNames = GIFSources.profiles.map(\.name) + [RedditSettings.source]

    /// Each setting that differs from its default, as a line of the configuration file, with its origin.
    public var differences: [[String]] {
        var rows: [[String]] = []
        var names: Set<String> = []
        for setting in given.reversed() {
            let option = setting.option
            guard names.insert(setting.name).inserted || option.name == "reddit" else { continue }
            // All flags are off by default, except those whose help names another default.
            if option.value.isEmpty ? setting.isOn || !option.standard.isEmpty : setting.text != option.standard {
                rows.append([setting.shareableLine, setting.place])
            }
        }
        return rows.reversed()
    }

    public var choice: ResultChoice {
        if let pick { return .number(pick) }
        return picksRandomly ? .any : .first
    }

    public func checkSearch(with others: [String]) throws(Failure) {
        guard let search, let other = others.first else { return }
        throw .usage("--search \(SafeText.excerpt(search)): cannot be combined with '\(SafeText.excerpt(other))'")
    }

    /// Chooses files for a picture of this size in half-block pixels. Each cell contains two, one above the other.
    public mutating func setPictureSize(width: Int, height: Int) {
        preferences.targetWidth = width
        renditions = RenditionChoice(width: width, height: height, maximumBytes: renditions.maximumBytes)
    }

    /// What follows from several options together.
    mutating func complete() {
        player.fit.enlarges = enlarges ?? !(player.screen == .inline || leaves)
        if leaves, player.drawing.graphics != .off { writesAllFrames = true }
        if follow != nil { switchInterval = 1 }
        if upload != nil { player.drawing.graphics = .forced(.kitty) }
    }

    /// Throws if `NO_COLOR` is set and not empty. Output without colours, as with `--colors none`, is allowed.
    public func throwIfColorIsRefused() throws(Failure) {
        guard colors.depth != ColorDepth.none, colorRule != .always, let value = getenv("NO_COLOR"), value.pointee != 0
        else { return }
        throw Failure("NO_COLOR is set; to draw anyway, \(Failure.colorHint)")
    }

    /// Decides how often a GIF plays on a terminal, and what ends it. docs/REFERENCE.md, "What follows a GIF", is the
    /// same rule for users.
    public func options(for position: ListPosition) -> PlaybackOptions {
        var options = player
        let endsByItself = player.loops != .file || player.duration != nil || player.screen == .inline
        options.hold = endsByItself ? .never : position == .last && !player.anyKeyEnds ? .all : .stills
        if options.loops == .file { options.loops = position == .feed ? .forever : loops }
        if position == .feed { options.duration = options.duration ?? switchInterval }
        if position == .inList { options.endlessLimit = switchInterval }
        return options
    }
}

public enum ListPosition: Sendable {
    /// No other GIF follows by itself: a GIF alone, the last one of several, or the result of a query.
    case last
    /// Another GIF follows. A GIF that loops forever makes room after ``Settings/switchInterval``.
    case inList
    /// Other GIFs follow forever, each one after ``Settings/switchInterval``.
    case feed
}

extension DecodeLimits {
    /// The limits for the command `info`, which hashes the canvas of every frame: within seconds, it reports a
    /// decompression bomb as well. It counts the frames beyond them.
    public var forInspection: DecodeLimits {
        var limits = self
        limits.skipsExcess = true
        limits.totalPixels = totalPixels ?? 64 << 20
        limits.frames = frames == .max ? 1 << 20 : frames
        return limits
    }

    /// The limits for a still, which needs only the frames up to the first one that is not empty.
    public var forStill: DecodeLimits {
        var limits = self
        limits.totalPixels = totalPixels ?? 256 << 20
        return limits
    }
}
