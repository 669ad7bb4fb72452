import Base
import Glibc
import Pixels
import Playback

extension Settings {
    public var mode: OptionValue.Mode {
        get { (player.mode, player.graphics) }
        set { (player.mode, player.graphics) = newValue }
    }

    /// What follows from several options together.
    mutating func complete() {
        player.fit.enlarges = enlarges ?? !(player.screen == .inline || leaves)
        if leaves, player.graphics != .off { writesAllFrames = true }
        if follow != nil { switchInterval = 1 }
        if upload != nil { player.graphics = .forced(.kitty) }
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
