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
    public var isRecursive = false
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
            if setting.isOn, setting.text.isEmpty || setting.text != option.standard {
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

/// The settings of the services, their results and the media cache.
public struct LoaderSettings: Sendable {
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
    /// Nil if the environment defines no location for the media cache.
    public var cacheDirectory: String?
    public var cacheBytes = 512 << 20
    /// The Reddit settings, except the secrets and endpoints, which are in `catalog`.
    public var communities = CommunitySettings()

    /// Chooses files for a picture of this size in half-block pixels. Each cell contains two, one above the other.
    public mutating func setPictureSize(width: Int, height: Int) {
        preferences.targetWidth = width
        renditions = RenditionChoice(width: width, height: height, maximumBytes: renditions.maximumBytes)
    }

    static let endpointNames = GIFSources.profiles.map(\.name) + [CommunitySettings.source]
}

extension ServiceEndpoint {
    /// The base address, then the other addresses. Returns nil without an address.
    init?(_ addresses: [String]) {
        guard let base = addresses.first else { return nil }
        self.init(base: base, others: addresses.count > 1 ? Array(addresses.dropFirst()) : nil)
    }
}

extension LoaderSettings {
    /// Returns a copy that posts a notice if a service refuses a key and, if the user configured no contact, if
    /// Wikimedia answers with status 429 (too many requests).
    func reporting(to notices: Notices) -> LoaderSettings {
        var settings = self
        settings.catalog.onFailure = { failure in
            switch failure.reason {
            case .keyRefused(let variable, _): notices.post(.keyRefused(variable: variable))
            case .transport(.unreachable): notices.post(.noConnection)
            default: break
            }
        }
        guard contact == nil else { return settings }
        let mirror = catalog.endpoints["commons"].map { URLAuthority.host($0.base) }
        settings.fetch.onTooManyRequests = { host in
            if host == mirror || Wikimedia.isHost(host) { notices.post(.contactRequired) }
        }
        return settings
    }
}

extension LoaderSettings {
    /// Stores the index of a service in a file beside the media cache, which is used for a week.
    func storingIndices() -> LoaderSettings {
        guard let directory = cacheDirectory.map(FileSystem.parent) else { return self }
        var settings = self
        settings.catalog.storedIndex = { name in
            let path = "\(directory)/\(name).json"
            guard let status = try? FileSystem.status(path), FileSystem.irregularKind(status.st_mode) == nil,
                (0..<604_800).contains(time(nil) - status.st_mtim.tv_sec)
            else { return nil }
            return try? FileSystem.read(path, limit: 4 << 20, waits: false)
        }
        settings.catalog.storeIndex = { name, bytes in
            // The index is loaded again if it cannot be stored.
            try? FileSystem.makeDirectory(directory)
            try? FileSystem.writeOutput(bytes, to: "\(directory)/\(name).json", isSynchronized: false)
        }
        return settings
    }
}

/// The Reddit communities, the identifier of the user's app and the user names from the configuration file.
public struct CommunitySettings: Equatable, Sendable {
    /// The name of Reddit in the configuration, and of its client secret and endpoint in `CatalogSettings`.
    public static let source = "reddit"
    /// The name under which `CatalogSettings` stores the token for the user's own feeds.
    public static let feedSource = "reddit.feed"
    static let secrets = [source, feedSource]

    /// Names without `r/`, in lower case and without duplicates; empty unless configured.
    public var names: [String] = []
    /// The identifier of the user's own Reddit app. It is usable only with the client secret.
    public var clientIdentifier: String?
    /// The user name that identifies the user to Reddit's operators.
    public var username: String?
    /// The user whose feeds can be read with the token.
    public var feedUser: String?
}

extension CatalogSettings {
    /// The services in the configured order, then the services that the configuration does not name.
    public var profilesInOrder: [ServiceProfile] {
        let profiles = GIFSources.profiles
        guard let order else { return profiles }
        let named = order.compactMap { name in profiles.first { $0.name == name } }
        return named + profiles.filter { !order.contains($0.name) }
    }
}
