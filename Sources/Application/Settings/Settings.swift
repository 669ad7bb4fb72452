import Base
import CTerminal
import Catalog
import Fetching
import GIFDecode
import Glibc
import Pixels
import Playback

/// The settings of one run, which commands read. The configuration files, the environment and the command line fill them
/// in this order.
public struct Settings: Sendable {
    public var services = LoaderSettings()
    public var playback = PlaybackSettings()
    public var limits = DecodeLimits()

    // MARK: - Values of single commands

    public var files: [String] = []
    public var files0: String?
    public var search: String?
    public var follow: String?
    /// The time between two requests of `--follow URL`, in nanoseconds.
    public var followInterval = 60 * Span.second
    public var isRecursive = false
    /// The order of files; nil for that of their names in folders, and that of the arguments.
    public var sort: FileOrder?
    public var leaves = false
    /// Nil if no option says whether small GIFs are enlarged.
    public var enlarges: Bool?
    public var output: String?
    public var format: String?
    public var upload: String?
    public var printsJSON = false
    public var drawsPicture = false
    public var pick: Int?
    public var picksRandomly = false
    public var listsResults = false
    public var reducesMotion = false
    public var isPlain = false
    public var printedPart: String?
    public var keepsHistory = true
    /// The name of the only list that `library list` prints.
    public var list: String?
    public var clearsAll = false
    public var isConfirmed = false
    public var clearsCache = false
    public var generated: String?
    public var usesVirtualTime = false

    /// The settings of a command line alone.
    public init(given invocation: Invocation) throws(CommandError) {
        for setting in invocation.settings { try setting.apply(to: &self) }
        playback.complete(self)
    }

    /// Also reads the configuration files and the environment. An error in a file is thrown.
    public init(
        _ invocation: Invocation = Invocation(.config), ignoresFiles: Bool = false,
        environment: [String: String] = Environment.variables
    ) throws(CommandError) {
        services.fetch = FetchOptions(userAgent: "", environment: environment)
        services.screenLanguage = Language(environment: environment)
        services.cacheDirectory = MediaCache.directory(environment: environment)
        let files = ignoresFiles ? [] : try ConfigurationFile.settings(environment: environment)
        try apply(files + Self.variables(environment) + invocation.settings, for: invocation.command)
        // Keeps the keys out of core dumps, as `main.swift` does for those of the environment.
        if !services.catalog.keys.isEmpty { gifplay_protect_memory() }
        services.fetch.userAgent = UserAgent.text(version: Product.version, contact: services.contact)
        playback.complete(self)
    }

    /// Reports and ignores a broken configuration file if all items are local, so that a local GIF still plays.
    public init(_ invocation: Invocation, isForLocalItems: Bool) throws(CommandError) {
        do throws(CommandError) { try self.init(invocation) } catch {
            guard isForLocalItems else { throw error }
            printError("\(error.message); the configuration is ignored", error.lines)
            try self.init(invocation, ignoresFiles: true)
        }
    }

    private init() {}

    package mutating func apply(_ settings: [Setting], for command: Command = .config) throws(CommandError) {
        for setting in settings {
            guard !setting.option.belongs(to: command) else {
                try setting.apply(to: &self)
                continue
            }
            // Settings of other commands have no effect, but their values are checked.
            var unused = Settings()
            try setting.apply(to: &unused)
        }
    }

    public var choice: ResultChoice {
        if let pick { return .number(pick) }
        return picksRandomly ? .any : .first
    }

    public func checkSearch(with others: [String]) throws(CommandError) {
        guard let search, let other = others.first else { return }
        throw .usage("--search \(search): cannot be combined with '\(other)'")
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
        for name in LoaderSettings.endpointNames {
            rows.append(("GIFPLAY_ENDPOINT_\(name.uppercased())", "endpoint", name + "="))
        }
        return rows.compactMap { variable, name, prefix in
            guard let value = environment[variable], !value.isEmpty,
                let option = Option.table.first(where: { $0.name == name })
            else { return nil }
            let isOn = !option.value.isEmpty || value != "0"
            return Setting(option: option, text: prefix + value, isOn: isOn, origin: .variable(variable))
        }
    }
}

extension Settings {
    /// Each setting that differs from its default, as a line of the configuration file, with its origin.
    public static func differences(
        _ invocation: Invocation, _ environment: [String: String]
    ) throws(CommandError) -> [[String]] {
        var rows: [[String]] = []
        var names: [String] = []
        let settings =
            try ConfigurationFile.settings(environment: environment) + variables(environment) + invocation.settings
        for setting in settings.reversed() {
            let option = setting.option
            // Keys and endpoints of several sources add up.
            let name = option.name + (option.value.contains("=") ? String(setting.text.prefix { $0 != "=" }) : "")
            guard !names.contains(name) || option.name == "reddit" else { continue }
            names.append(name)
            // All flags are off by default, except those whose help names another default.
            if option.value.isEmpty ? setting.isOn || !option.standard.isEmpty : setting.text != option.standard {
                rows.append([setting.line, setting.place])
            }
        }
        return rows.reversed()
    }
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

public enum ListPosition: Sendable {
    /// No other GIF follows by itself: a GIF alone, the last one of several, or the result of a query.
    case last
    /// Another GIF follows. A GIF that loops forever makes room after ``PlaybackSettings/switchInterval``.
    case inList
    /// Other GIFs follow forever, each one after ``PlaybackSettings/switchInterval``.
    case feed
}

/// How GIFs are drawn, and for how long each one plays.
public struct PlaybackSettings: Sendable {
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

    public init() { player.showsKeyHint = true }

    public var mode: OptionValue.Mode {
        get { (player.mode, player.graphics) }
        set { (player.mode, player.graphics) = newValue }
    }

    /// What follows from several options together.
    mutating func complete(_ settings: Settings) {
        player.fit.enlarges = settings.enlarges ?? !(player.screen == .inline || settings.leaves)
        if settings.leaves, player.graphics != .off { writesAllFrames = true }
        if settings.follow != nil { switchInterval = 1 }
        if settings.upload != nil { player.graphics = .forced(.kitty) }
    }

    /// Throws if `NO_COLOR` is set and not empty. Output without colours, as with `--colors none`, is allowed.
    public func throwIfColorIsRefused() throws(CommandError) {
        guard colors.depth != ColorDepth.none, colorRule != .always, let value = getenv("NO_COLOR"), value.pointee != 0
        else { return }
        throw CommandError("NO_COLOR is set; to draw anyway, \(CommandError.colorHint)")
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
