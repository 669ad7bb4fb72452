import Base
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
