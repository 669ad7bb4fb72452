import Base
import Pixels

public struct PlaybackOptions: Sendable {
    public enum Speed: Equatable, Sendable {
        /// 1 plays at the speed of the file, 2 twice as fast.
        case factor(Double)
        /// Plays without waiting between frames and without dropping frames.
        case max
    }

    /// The GIFs whose last frame stays on the screen until a key or a time limit ends playback.
    public enum Hold: Sendable {
        case never
        /// GIFs of one frame.
        case stills
        /// All GIFs. The space bar or Enter plays an animation again.
        case all
    }

    public var screen = TerminalScreen.full
    /// The largest size of the picture in cells; nil for the whole pane.
    public var size: CellSize?
    public var fit = PictureFit()
    public var drawing = Drawing(.half)
    /// The first number for images of the kitty graphics protocol. Pictures that are visible at the same time need
    /// numbers that differ by ``KittyEncoder/imageCount``.
    public var firstImage = 1
    /// The colour behind transparent pixels; nil for the terminal's own background.
    public var background: CellColor?
    public var loops = LoopRule.file
    public var speed = Speed.factor(1)
    /// Ends playback after this many nanoseconds of clock time (not media time); nil for no limit.
    public var duration: Int64?
    /// The time limit in nanoseconds for a GIF that does not end by itself; nil for no limit. The limit is set only if
    /// other GIFs follow. When a GIF that loops forever reaches the limit, the current loop iteration is still played
    /// to its end. A picture that no longer changes is displayed until the limit.
    public var endlessLimit: Int64?
    /// The finest fidelity. If the connection is too slow, the player uses a coarser one, unless this one is exact.
    public var fidelity = Fidelity.standard
    /// The maximum memory for the recorded frames of a loop, in bytes; 0 turns the recording off.
    ///
    /// 8 MiB is twice the memory that a loop of 60 photographic frames needs at 80x24 cells. With this limit, gifplay's
    /// peak memory stays below that of the other players in docs/PERFORMANCE.md.
    public var loopCacheBytes = 8 << 20
    public var showsStatus = true
    /// The language of the status line and of the help.
    public var language = Language.english
    /// Whether, for the first five seconds, the status line names the key that opens the help.
    public var showsKeyHint = false
    /// Whether any key ends playback, as with a screensaver.
    public var anyKeyEnds = false
    public var hold = Hold.never
    /// The view whose keys the player has. The views of the gallery get the other keys by ``PlayerDelegate/handle(_:)``.
    public var view = KeyViews.player
    /// The keys that the status line names if there is room, the most important ones last.
    public var hints: [KeyHint] = []
    /// The help; nil for the keys of the player.
    public var help: [KeySheet.Group]?
    /// Whether a GIF of one frame ends playback with ``PlaybackEnd/still`` as soon as it is known to be one.
    public var refusesStills = false

    public init() {}

    func holdsStill(_ summary: GIFReader.Summary) -> Bool {
        hold != .never || loops == .forever || screen == .full && loops.isEndless(summary)
    }
}

public enum LoopRule: Equatable, Sendable {
    /// Plays as web browsers do: once if the file has no loop extension, forever if the extension has a count of 0, and
    /// otherwise once more than the count.
    case file
    case times(Int)
    case forever

    /// The number of loop iterations; nil if the GIF loops until the user ends it.
    func count(_ summary: GIFReader.Summary) -> Int? {
        switch self {
        case .forever: nil
        case .times(let count): count
        case .file: summary.loopCount == 0 ? nil : 1 + (summary.loopCount ?? 0)
        }
    }

    /// Whether another loop iteration follows after this number of completed ones.
    public func continues(after iterations: Int, _ summary: GIFReader.Summary) -> Bool {
        count(summary).map { iterations < $0 } ?? true
    }

    /// Whether the GIF loops until the user ends it.
    func isEndless(_ summary: GIFReader.Summary) -> Bool { count(summary) == nil }
}

public enum PlaybackEnd: Equatable, Sendable {
    /// All loop iterations were played, or a time limit was reached.
    case finished
    case quit
    case switchItem(ItemSwitch)
    case browse
    case interrupted(signal: Int32)
    /// The terminal has disconnected, or the program that reads the output has closed the pipe.
    case closed
    case failed(GIFError)
    /// The GIF has only one frame, and ``PlaybackOptions/refusesStills`` is set.
    case still

    /// The end that a key of the player requests; nil for other commands.
    public init?(_ command: KeyCommand) {
        switch command {
        case .quit: self = .quit
        case .search: self = .browse
        case .random: self = .switchItem(.random)
        case .reload: self = .switchItem(.reload)
        case .show(let distance): self = .switchItem(distance > 0 ? .next : .previous)
        default: return nil
        }
    }

    public enum ItemSwitch: Sendable {
        case next
        case previous
        case random
        /// The present item, loaded again.
        case reload
    }
}

/// A log event of the player, for tests and `--trace`.
public enum PlaybackTrace: Equatable, Sendable {
    /// A frame was shown. `bytes` is the size of the picture's update. The fidelity is the one with which the cells
    /// were encoded; in a replay, it is the fidelity of the recording.
    case shown(Instant, iteration: Int, frame: Int, bytes: Int, isReplayed: Bool, Fidelity)
    case dropped(Instant, iteration: Int, frame: Int)
    case ended(Instant, PlaybackEnd)
}

public struct ActionResult: Equatable, Sendable {
    /// Bytes that are sent to the terminal to set its clipboard; empty for none.
    public var sequence: [UInt8]
    /// The message that the status line shows for five seconds; empty if the outcome follows later.
    public var note: String
    /// Whether the next GIF starts now, if there is one.
    public var showsNext: Bool

    public init(sequence: [UInt8] = [], note: String = "", showsNext: Bool = false) {
        (self.sequence, self.note, self.showsNext) = (sequence, note, showsNext)
    }
}

/// An action on a GIF, its file or its page.
public enum ItemAction: CaseIterable, Sendable {
    case save
    case favourite
    /// Copies the link of the page, or the path of a file.
    case copyLink
    /// Copies the URL of the GIF, or the path of a file.
    case copyAddress
    /// Copies the GIF itself, as a saved file.
    case copyFile
    /// Opens the page, or the folder of a file.
    case open
    /// Hides the GIF from all listings except the history, and shows the next one.
    case dismiss
    /// Restores the GIFs of the last dismissal.
    case undo
}
