import Base
import GIFDecode
import Pixels

/// Options for the playback of a GIF.
public struct PlaybackOptions: Sendable {
    public enum Screen: Sendable {
        /// Uses the whole pane and centres the picture.
        case full
        /// Draws the picture below the previous output, where it remains afterwards.
        case inline
    }

    public enum Speed: Equatable, Sendable {
        /// 1 plays at the speed of the file, 2 twice as fast.
        case factor(Double)
        /// Plays without waiting between frames and without dropping frames.
        case max
    }

    public var screen = Screen.full
    /// The largest size of the picture in cells; nil for the whole pane.
    public var size: CellSize?
    public var fit = PictureFit()
    /// The colour behind transparent pixels; nil for the terminal's own background.
    public var background: CellColor?
    public var loops = LoopRule.file
    public var speed = Speed.factor(1)
    /// Ends playback after this many nanoseconds of clock time (not media time); nil for no limit.
    public var duration: Int64?
    /// Set if other GIFs follow: a GIF that loops forever ends after the loop iteration that reaches this many
    /// nanoseconds, and a picture that no longer changes is displayed for this time. nil for no limit.
    public var endlessLimit: Int64?
    /// The finest fidelity. While the connection is too slow for it a coarser one is used, unless this is exact.
    public var fidelity = Fidelity.standard
    /// The memory for recorded frames of a loop that can be written again, in bytes; 0 for no cache.
    ///
    /// 8 MiB is twice the size of a loop of 60 photographic frames at 80x24, and keeps the peak memory below that of
    /// the leanest other player.
    public var loopCacheBytes = 8 << 20
    public var showsStatus = true
    /// Whether the status line shows in the first five seconds which key opens the help.
    public var showsKeyHint = false
    /// Whether any key ends playback, as with a screensaver.
    public var anyKeyEnds = false
    /// Whether a GIF of one frame is displayed until a key or a time limit ends it.
    public var holdsStills = false
    /// Whether a GIF of one frame ends playback with ``PlaybackEnd/still`` as soon as that is known.
    public var refusesStills = false

    public init() {}
}

/// How many times a GIF plays.
public enum LoopRule: Equatable, Sendable {
    /// As in browsers: once without a loop extension, forever if its count is 0, n + 1 times if its count is n.
    case file
    case times(Int)
    case forever

    /// Whether another loop iteration follows after this number of completed ones.
    public func continues(after iterations: Int, _ summary: GIFReader.Summary) -> Bool {
        switch self {
        case .forever: return true
        case .times(let count): return iterations < count
        case .file:
            guard let count = summary.loopCount else { return false }
            return count == 0 || iterations <= count
        }
    }

    /// Whether the GIF loops until the user ends it.
    func isEndless(_ summary: GIFReader.Summary) -> Bool {
        switch self {
        case .forever: return true
        case .times: return false
        case .file: return summary.loopCount == 0
        }
    }
}

/// The reason why playback ended.
public enum PlaybackEnd: Equatable, Sendable {
    /// All loop iterations were played, or a time limit was reached.
    case finished
    case quit
    /// The user requested another GIF.
    case switchItem(ItemSwitch)
    /// The user requested to browse other GIFs.
    case browse
    case interrupted(signal: Int32)
    /// The terminal is gone, or the reader of the output has closed it.
    case closed
    case failed(GIFError)
    /// The GIF has only one frame, and ``PlaybackOptions/refusesStills`` is set.
    case still

    public enum ItemSwitch: Sendable {
        case next
        case previous
        case random
    }
}

/// A log event of the player, for tests and `--trace`.
public enum PlaybackTrace: Equatable, Sendable {
    /// A frame was shown. `bytes` is the size of the picture's update. The fidelity is that of the sent cells; in a
    /// replay it is that of the recording.
    case shown(Instant, iteration: Int, frame: Int, bytes: Int, isReplayed: Bool, Fidelity)
    case dropped(Instant, iteration: Int, frame: Int)
    case ended(Instant, PlaybackEnd)
}
