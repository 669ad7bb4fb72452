import Base
import Pixels
import TestSupport

@testable import Playback

typealias Script = [VirtualTerminal.ScriptedEvent]

/// Runs a player on a virtual terminal and records what its screen displays.
struct Session {
    var options = PlaybackOptions()
    var size: CellSize
    var colors = ColorFormat.standard
    var bytesPerSecond: Int?
    var script: Script = []
    var label = PlaybackLabel(title: "")

    init(
        loops: LoopRule = .file, size: CellSize = CellSize(columns: 8, rows: 4), bytesPerSecond: Int? = nil,
        cacheBytes: Int = PlaybackOptions().loopCacheBytes, script: Script = []
    ) {
        (options.loops, options.loopCacheBytes) = (loops, cacheBytes)
        (self.size, self.bytesPerSecond, self.script) = (size, bytesPerSecond, script)
    }

    /// The screen after an update.
    struct ScreenUpdate {
        var time: Int64
        var screen: VirtualScreen
        var bytes: [UInt8]
    }

    /// A frame that was shown or dropped.
    struct Shown: Equatable {
        /// The time at which the frame was shown or dropped, in milliseconds.
        var time: Int64
        var iteration: Int
        var frame: Int
        var isReplayed = false
        /// The largest allowed error of a colour channel on the screen.
        var bound = 0
        /// The index of the frame's update in `Run.screenUpdates`.
        var updateIndex = 0

        static func == (left: Shown, right: Shown) -> Bool {
            (left.time, left.iteration, left.frame) == (right.time, right.iteration, right.frame)
        }
    }

    struct Run {
        var end: PlaybackEnd
        /// The time at which playback ended, in milliseconds.
        var endTime: Int64
        var shown: [Shown] = []
        var dropped: [Shown] = []
        var screenUpdates: [ScreenUpdate] = []

        var times: [Int64] { shown.map(\.time) }
        var frames: [Int] { shown.map(\.frame) }
        var hasReplayed: Bool { shown.contains { $0.isReplayed } }

        func screen(of shown: Shown) -> VirtualScreen { screenUpdates[shown.updateIndex].screen }
    }

    /// Plays the source to the end.
    func play(_ source: any FrameSource) throws -> Run {
        let terminal = VirtualTerminal(
            traits: TerminalTraits(size: size, colors: colors), bytesPerSecond: bytesPerSecond, script: script)
        var shown: [Shown] = []
        var dropped: [Shown] = []
        let player = Player(source: source, terminal: terminal, options: options, label: label) { trace in
            switch trace {
            case .shown(let time, let iteration, let frame, _, let isReplayed, let fidelity):
                shown.append(
                    Shown(
                        time: time.milliseconds, iteration: iteration, frame: frame, isReplayed: isReplayed,
                        bound: fidelity.bound, updateIndex: terminal.presented.count - 1))
            case .dropped(let time, let iteration, let frame):
                dropped.append(Shown(time: time.milliseconds, iteration: iteration, frame: frame))
            case .ended: break
            }
        }
        let end = player.run()
        return Run(
            end: end, endTime: terminal.now.milliseconds, shown: shown, dropped: dropped,
            screenUpdates: try screenUpdates(terminal.presented))
    }

    /// Returns the screen after each update. In full-screen mode, this function fills the screen with other text at the
    /// start and whenever the script resizes the pane or resumes the process.
    private func screenUpdates(_ presented: [(time: Instant, bytes: [UInt8])]) throws -> [ScreenUpdate] {
        var resets = script.filter { $0.event == .changed || $0.event == .resumed }[...]
        var size = size
        var screen = try screenWithOtherText(size)
        return try presented.map { update in
            while let next = resets.first, next.time <= update.time {
                resets.removeFirst()
                let newSize = next.traits?.size ?? size
                if next.event == .changed, newSize == size { continue }
                size = newSize
                screen = try screenWithOtherText(size)
            }
            try screen.feed(update.bytes)
            return ScreenUpdate(time: update.time.milliseconds, screen: screen, bytes: update.bytes)
        }
    }

    private func screenWithOtherText(_ size: CellSize) throws -> VirtualScreen {
        var screen = VirtualScreen(columns: size.columns, rows: size.rows)
        guard options.screen == .full else { return screen }
        try screen.feed(Array(repeating: UInt8(ascii: "x"), count: size.columns * size.rows))
        return screen
    }
}

extension Instant {
    var milliseconds: Int64 { nanoseconds / Span.millisecond }

    static func ms(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * Span.millisecond) }
}

extension VirtualTerminal.ScriptedEvent {
    /// Creates an event at a time in milliseconds.
    static func at(_ milliseconds: Int64, _ event: TerminalEvent) -> Self { Self(at: .ms(milliseconds), event) }

    static func key(_ key: Character, at milliseconds: Int64) -> Self { .at(milliseconds, .key(.character(key))) }

    static func resize(_ columns: Int, _ rows: Int, at milliseconds: Int64) -> Self {
        let traits = TerminalTraits(size: CellSize(columns: columns, rows: rows))
        return Self(at: .ms(milliseconds), .changed, traits: traits)
    }
}

extension ScriptedFrameSource {
    /// Returns a source of frames that fill the pane of a ``Session`` with one colour each. The delays are in
    /// hundredths of a second.
    static func flat(_ delays: [Int], loopCount: Int? = nil, pending: [Int: Int] = [:]) -> ScriptedFrameSource {
        ScriptedFrameSource(
            delays: delays, canvas: PixelSize(width: 8, height: 8), loopCount: loopCount, pending: pending)
    }
}

extension VirtualScreen {
    /// The colour of the whole screen; nil if it shows several colours.
    var flatColor: CellColor? {
        let halves = halves(size)
        return halves.allSatisfy { $0 == halves.first } ? halves.first : nil
    }
}

/// Returns the largest difference of two pictures in just noticeable differences; 999 if the pictures differ in size or
/// if two pixels differ and at least one of them has no colour.
func distance(_ left: [CellColor], _ right: [CellColor]) -> Int {
    left.count == right.count ? zip(left, right).map(visibleDifference).max() ?? 0 : 999
}
