import Base
import Catalog
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
