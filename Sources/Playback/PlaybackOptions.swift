import Base
import GIFDecode
import Pixels

/// How a GIF is to be played.
public struct PlaybackOptions: Sendable {
    public enum Screen: Sendable {
        /// The pane is the player's alone; pictures are centred.
        case full
        /// The picture stands in the flow of text and stays there afterwards.
        case inline
    }

    public enum Speed: Equatable, Sendable {
        /// 1 as the file says, 2 twice as fast.
        case factor(Double)
        /// No waiting, and nothing dropped.
        case max
    }

    public var screen = Screen.full
    /// The cells that the picture may take; nil for all of the pane.
    public var size: CellSize?
    public var fit = Fit()
    /// What lies behind transparent pixels; nil for the terminal's own background.
    public var background: CellColor?
    public var loops = LoopRule.file
    public var speed = Speed.factor(1)
    /// Ends playing after this many nanoseconds on the clock.
    public var duration: Int64?
    /// When others wait their turn: a GIF that loops forever ends with the pass that reaches this
    /// many nanoseconds, and a still stands so long.
    public var endlessLimit: Int64?
    /// The finest; a line that does not take it in time gets a coarser one for as long, unless this is exact.
    public var fidelity = Fidelity.standard
    /// Bytes of memory for the frames of a loop, ready to be written again; 0 for none.
    ///
    /// 8 MiB hold a loop of 60 photographic frames at 80x24 twice over, and keep the peak under
    /// the leanest other player's.
    public var loopCacheBytes = 8 << 20
    public var showsStatus = true
    /// The status line says which key shows the keys, in the first seconds.
    public var showsKeyHint = false
    /// Any key ends playing, as with a screensaver.
    public var anyKeyEnds = false
    /// A GIF of one frame stands until a key comes.
    public var holdsStills = false
    /// A GIF of one frame ends as soon as that is known.
    public var refusesStills = false

    public init() {}
}

/// How many times a GIF plays.
public enum LoopRule: Equatable, Sendable {
    /// As browsers do: once without a loop extension, forever at 0, n + 1 times at n.
    case file
    case times(Int)
    case forever

    /// Whether another pass follows after `passes` of them.
    public func goesOn(after passes: Int, _ summary: GIFReader.Summary) -> Bool {
        switch self {
        case .forever: return true
        case .times(let count): return passes < count
        case .file:
            guard let count = summary.loopCount else { return false }
            return count == 0 || passes <= count
        }
    }

    /// Whether only the user ends it.
    func isEndless(_ summary: GIFReader.Summary) -> Bool {
        switch self {
        case .forever: return true
        case .times: return false
        case .file: return summary.loopCount == 0
        }
    }
}

/// Why playing ended.
public enum PlaybackEnd: Equatable, Sendable {
    /// All passes, or the time allowed, are over.
    case finished
    case quit
    /// The user asks for another GIF.
    case turn(Turn)
    /// The user wants to look through others.
    case browse
    case interrupted(signal: Int32)
    /// Nobody reads the output any more.
    case closed
    case failed(GIFError)
    /// There is but one frame, and the options refuse that.
    case still

    public enum Turn: Sendable {
        case next
        case previous
        case random
    }
}

/// What the player did, for those who want to watch it: tests, and `--trace`.
public enum PlaybackTrace: Equatable, Sendable {
    /// The fidelity is that of the cells, which a replay has from its recording.
    case shown(Instant, pass: Int, frame: Int, bytes: Int, isReplayed: Bool, Fidelity)
    case dropped(Instant, pass: Int, frame: Int)
    case ended(Instant, PlaybackEnd)
}
