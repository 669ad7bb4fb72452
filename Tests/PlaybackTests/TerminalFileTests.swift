import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("Loops of a GIF file that the terminal plays by itself")
struct TerminalFileTests {
    private static let delays = [10, 20, 30, 10, 30]
    private static let cell = PixelSize(width: 5, height: 10)
    private static let canvas = PixelSize(width: 40, height: 60)

    private static let gif = delays.enumerated().reduce(
        GIFBuilder(width: canvas.width, height: canvas.height)
    ) { gif, frame in
        gif.control(delay: frame.element).image(
            width: canvas.width, height: canvas.height,
            Array(repeating: UInt8(frame.offset % 4), count: canvas.area))
    }.trailer()

    private struct Run {
        var updates: [(time: Int64, bytes: [UInt8])]
        /// The files that the terminal was sent, with the times.
        var files: [(time: Int64, file: [UInt8])] = []
        var lastPixels: [CellColor] = []

        init(_ terminal: VirtualTerminal) throws {
            updates = terminal.presented.map { ($0.time.milliseconds, $0.bytes) }
            var screen = ITerm2Screen(size: PixelSize(width: 100, height: 70), cell: TerminalFileTests.cell)
            for update in updates {
                try screen.feed(update.bytes)
                files += screen.gifs.map { (update.time, $0) }
            }
            lastPixels = screen.pixels
        }

        func times(from start: Int64) -> [Int64] { updates.map(\.time).filter { $0 >= start } }
    }

    /// Plays the five frames of ``gif``, which last one second, on a terminal that plays GIF files.
    private func play(
        _ script: Script, file: @escaping () -> [UInt8]? = { gif.bytes },
        change: (inout PlaybackOptions, inout TerminalTraits) -> Void = { _, _ in }
    ) throws -> Run {
        var traits = TerminalTraits(size: CellSize(columns: 20, rows: 7))
        traits.graphics.supported = [.iterm2]
        traits.graphics.playsFiles = true
        traits.graphics.cell = Self.cell
        var options = PlaybackOptions()
        (options.loops, options.graphics, options.showsStatus) = (.forever, .only(.iterm2), false)
        change(&options, &traits)
        let terminal = VirtualTerminal(traits: traits, script: script)
        let delegate = ScriptedDelegate()
        delegate.bytes = file
        let player = Player(
            source: ScriptedFrameSource(delays: Self.delays, canvas: Self.canvas), terminal: terminal, options: options,
            label: PlaybackLabel(title: ""), delegate: delegate)
        _ = player.run()
        return try Run(terminal)
    }

    @Test("From the second loop iteration on, the terminal has the file, and nothing is sent")
    func handOver() throws {
        let run = try play([.key("q", at: 10_250)])
        #expect(run.files.map(\.time) == [1000])
        let copy = GIFReader(MemoryByteSource(try #require(run.files.first?.file)))
        #expect(try copy.allFrames().map(\.delay) == Self.delays && copy.summary.loopCount == 0)
        #expect(run.times(from: 1001).allSatisfy { $0 == 10_250 })
    }

    @Test("A pause replaces the file by the frame that is due; the next loop iteration is the terminal's again")
    func pause() throws {
        let paused = try play([.key(" ", at: 3450), .key("q", at: 8000)])
        let due = ScriptedFrameSource.color(of: 2)
        #expect(paused.lastPixels.filter { $0 == due }.count == 40 * 60)
        let run = try play([.key(" ", at: 3450), .key(" ", at: 9000), .key("q", at: 14_000)])
        #expect(run.files.map(\.time) == [1000, 9550])
        #expect(run.times(from: 9551).allSatisfy { $0 == 14_000 })
    }

    @Test("The delays of the file follow the speed")
    func speed() throws {
        let faster = VirtualTerminal.ScriptedEvent.key("+", at: 3000)
        let run = try play([faster, faster, faster, .key("q", at: 9000)])
        let file = try #require(run.files.last?.file)
        #expect(try GIFReader(MemoryByteSource(file)).allFrames().map(\.delay) == [5, 10, 15, 5, 15])
    }

    @Test("A finite number of loop iterations ends with the last frame")
    func finite() throws {
        let run = try play([], change: { options, _ in options.loops = .times(4) })
        #expect(run.files.map(\.time) == [1000])
        #expect(run.lastPixels.contains(ScriptedFrameSource.color(of: 4)))
    }

    @Test("Frames are sent if the terminal would not show the file as gifplay does, or if there is no file")
    func refused() throws {
        let script = [VirtualTerminal.ScriptedEvent.key("q", at: 3500)]
        for change in [
            { options, _ in options.background = .black },
            { options, _ in options.fit.filter = .pixelated },
            { options, _ in options.screen = .inline },
            { options, _ in options.loops = .times(1) },
            // In a third of the time, some delays are not whole hundredths of a second.
            { options, _ in options.speed = .factor(3) },
            // With a twentieth, some are shorter than 20 ms.
            { options, _ in options.speed = .factor(20) },
            { _, traits in traits.graphics.playsFiles = false },
            { _, traits in traits.graphics.transport = .tmux },
        ] as [(inout PlaybackOptions, inout TerminalTraits) -> Void] {
            #expect(try play(script, change: change).files.isEmpty)
        }
        let large = Self.gif.bytes + Array(repeating: 0, count: ITerm2Encoder.largestFile)
        for file in [nil, [], large, Array(Self.gif.bytes.dropLast())] {
            #expect(try play(script, file: { file }).files.isEmpty)
        }
    }
}
