import Base
import CTerminal
import Catalog
import Fetching
import FoundationEssentials
import Glibc
import Pixels
import Playback

/// The settings of one run. The configuration file, the environment and the options fill them in this order.
public struct Settings: Sendable {
    public var services = LoaderSettings()
    public var playback = PlaybackSettings()

    /// Reads the configuration file and the environment. An error in the file is thrown.
    public init(
        ignoresFile: Bool = false, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandError) {
        if !ignoresFile { try SettingsFile.read(into: &self, environment) }
        services.read(environment)
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

    public init() {}

    public var mode: OptionValue.Mode {
        get { (player.mode, player.graphics) }
        set { (player.mode, player.graphics) = newValue }
    }

    public mutating func apply(_ changes: [PlaybackChange?]) { for change in changes { change?.apply(&self) } }

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

/// The user's configuration file.
public enum SettingsFile {
    /// The file gifplay/config.toml under XDG_CONFIG_HOME or ~/.config; nil if neither directory is known.
    public static func path(environment: [String: String]) -> String? {
        XDGDirectory.configuration.path(environment: environment).map { $0 + "/gifplay/config.toml" }
    }

    /// In bytes.
    private static let limit = 1 << 20

    /// If there is no file, all settings keep their values. Throws if the file cannot be read. Throws if it belongs to
    /// neither root nor the current user, or if everyone can write it: another user could make gifplay send the keys to a
    /// foreign server.
    static func read(into settings: inout Settings, _ environment: [String: String]) throws(CommandError) {
        guard let path = path(environment: environment) else { return }
        let (status, bytes) = try content(path)
        guard let status else { return }
        if let kind = FileSystem.irregularKind(status.st_mode) {
            throw .usage("\(path): is \(kind), not a regular file")
        }
        guard bytes.count <= limit else { throw .usage("\(path): is larger than \(ByteSize.limit(limit))") }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .usage("\(path): belongs to another user; it must belong to you or root")
        }
        guard status.st_mode & S_IWOTH == 0 else {
            throw .usage("\(path): can be changed by every user; run chmod 600 on it")
        }
        do throws(SettingError) { try settings.read(toml: String(decoding: bytes, as: UTF8.self)) } catch {
            throw .usage("\(path), line \(error.line): \(error.problem)")
        }
        if !settings.services.catalog.keys.isEmpty, status.st_mode & 0o077 != 0 {
            printError("\(path): contains a key and other users can read it; run chmod 600 on it")
        }
    }

    /// - Returns: nil properties if there is no file.
    private static func content(_ path: String) throws(CommandError) -> (stat?, [UInt8]) {
        do throws(SystemError) {
            guard let status = try FileSystem.status(path) else { return (nil, []) }
            // A FIFO is not opened, because its writer might never come.
            guard status.st_mode & S_IFMT == S_IFREG else { return (status, []) }
            return (status, try FileSystem.read(path, limit: limit))
        } catch {
            throw .usage("\(path): cannot be read: \(error.message)")
        }
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
    /// Whether the server of each stored GIF is asked at its first use in this run.
    public var reloads = false
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

    /// Environment variables override the configuration file, which has been read before.
    mutating func read(_ environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        for profile in GIFSources.profiles {
            if let key = (profile.key?.variable).flatMap(value) { catalog.keys[profile.name] = Secret(key) }
        }
        for name in Self.endpointNames {
            guard let addresses = value("GIFPLAY_ENDPOINT_\(name.uppercased())") else { continue }
            catalog.endpoints[name] = ServiceEndpoint(addresses.split(separator: ",").map(String.init))
        }
        // Keeps the keys out of core dumps, as `main.swift` does for those of the environment.
        if !catalog.keys.isEmpty { gifplay_protect_memory() }
        screenLanguage = Language(environment: environment)
        contact = value("GIFPLAY_CONTACT") ?? contact
        fetch = FetchOptions(
            userAgent: UserAgent.text(version: Product.version, contact: contact), environment: environment)
        isOffline = value("GIFPLAY_OFFLINE").map { $0 != "0" } ?? false
        cacheDirectory = MediaCache.directory(environment: environment)
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
