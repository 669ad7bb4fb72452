import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("Loops that the terminal repeats by itself")
struct TerminalLoopTests {
    private static let delays = [10, 20, 30, 10, 30]

    /// Plays flat frames, whose delays sum to one second, on a terminal that keeps the frames of kitty images.
    private struct Session {
        var options = PlaybackOptions()
        var script: Script = []
        var bytesPerSecond: Int?
        /// Wide enough for a status line with the time.
        var size = CellSize(columns: 20, rows: 7)
        var delays = TerminalLoopTests.delays

        init(loops: LoopRule = .forever, showsStatus: Bool = false, script: Script = []) {
            options.loops = loops
            options.graphics = .only(.kitty)
            options.showsStatus = showsStatus
            self.script = script
        }

        func play(_ source: ScriptedFrameSource? = nil) -> Run {
            let terminal = VirtualTerminal(
                traits: TerminalLoopTests.traits(size), bytesPerSecond: bytesPerSecond, script: script)
            let canvas = PixelSize(width: 40, height: 60)
            let player = Player(
                source: source ?? ScriptedFrameSource(delays: delays, canvas: canvas), terminal: terminal,
                options: options, label: PlaybackLabel(title: ""))
            let end = player.run()
            return Run(end: end, endTime: terminal.now.milliseconds, updates: terminal.presented)
        }
    }

    private static func traits(_ size: CellSize) -> TerminalTraits {
        var traits = TerminalTraits(size: size)
        traits.graphics.supported = [.kitty]
        traits.graphics.features.storesFrames = true
        traits.graphics.cell = PixelSize(width: 5, height: 10)
        return traits
    }

    private struct Run {
        var end: PlaybackEnd
        var endTime: Int64
        var updates: [(time: Instant, bytes: [UInt8])]

        /// The number of the frame that the terminal shows at a time in milliseconds; nil if it shows no frame.
        func frame(at time: Int64) throws -> Int? {
            var screen = KittyScreen(size: PixelSize(width: 100, height: 70), cell: PixelSize(width: 5, height: 10))
            screen.keepsFrames = true
            var start: Int64 = 0
            for update in updates where update.time.milliseconds <= time {
                try screen.feed(update.bytes + [0x1B])
                if String(decoding: update.bytes, as: UTF8.self).contains(",s=3") { start = update.time.milliseconds }
            }
            guard let animation = screen.animations.values.first else {
                return (0..<5).first { number in
                    screen.pixels.contains(ScriptedFrameSource.color(of: number))
                }
            }
            let color = animation.frames[animation.frame(after: time - start)].color(at: 0)
            return (0..<5).first { ScriptedFrameSource.color(of: $0) == color }
        }

        /// The times of the updates, in milliseconds, from a time on.
        func times(from start: Int64) -> [Int64] { updates.map(\.time.milliseconds).filter { $0 >= start } }
    }

    /// The frame that is due at a time in milliseconds.
    private func due(_ time: Int64) -> Int {
        var rest = time % 1000
        return Self.delays.firstIndex { delay in
            rest -= Int64(delay) * 10
            return rest < 0
        } ?? 0
    }

    private func expectDueFrames(_ run: Run, _ times: some Sequence<Int64>) throws {
        for time in times { #expect(try run.frame(at: time) == due(time), "at \(time) ms") }
    }

    @Test("From the second loop iteration on, nothing is sent, and the right frame is displayed at each time")
    func handOver() throws {
        let run = Session(script: [.key("q", at: 10_250)]).play()
        #expect(run.times(from: 1001) == [10_250, 10_250])
        try expectDueFrames(run, stride(from: 5, to: 10_200, by: 95))
    }

    @Test("The status line is updated once per second, at the frame that begins a second", arguments: [true, false])
    func status(isLong: Bool) {
        var session = Session(showsStatus: true, script: [.key("q", at: 9_950)])
        if isLong { session.delays = [90, 90, 120] }
        let run = session.play()
        // The handover comes at the beginning of the second loop iteration.
        #expect(run.times(from: isLong ? 3001 : 1001).dropLast(2) == (isLong ? [4800, 6000, 7800, 9000] : []))
    }

    @Test("A finite number of loop iterations, and time limits, end playback at the right time with the right frame")
    func finite() throws {
        for (loops, duration, endless, end) in [
            (LoopRule.times(4), nil, nil, 4000), (.forever, 3450, nil, 3450), (.forever, nil, 2300, 3000),
        ] as [(LoopRule, Int64?, Int64?, Int64)] {
            var session = Session(loops: loops)
            session.options.duration = duration.map { $0 * Span.millisecond }
            session.options.endlessLimit = endless.map { $0 * Span.millisecond }
            session.options.screen = .inline
            let run = session.play()
            #expect(run.end == .finished && run.endTime == end)
            #expect(run.times(from: 1001).count <= 3)
            try expectDueFrames(run, [1050, 1250, 1950, end - 200, end - 1])
            // The terminal does not continue by itself.
            #expect(try run.frame(at: end + 5000) == due(end - 1))
        }
    }

    @Test("The terminal repeats no GIF that plays once or at maximum speed")
    func once() {
        for options in [(LoopRule.times(1), PlaybackOptions.Speed.factor(1)), (.times(3), .max)] {
            var session = Session(loops: options.0)
            session.options.speed = options.1
            let text = session.play().updates.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
            #expect(!text.contains(",s=3"))
        }
    }

    @Test("A pause stops the terminal at the frame that is due, and it continues at the next loop iteration")
    func pause() throws {
        let run = Session(script: [.key(" ", at: 3450), .key(" ", at: 9000), .key("q", at: 14_000)]).play()
        try expectDueFrames(run, [2250, 3420])
        for time in [3450, 5000, 8999] as [Int64] { #expect(try run.frame(at: time) == due(3450)) }
        // The rest of the loop iteration takes 550 ms.
        #expect(run.times(from: 9551) == [14_000, 14_000])
        for time in [9300, 9800, 13_500] as [Int64] { #expect(try run.frame(at: time) == due(time - 5550)) }
    }

    @Test("Steps and seeks show stored frames with few bytes")
    func stepAndSeek() throws {
        let run = Session(script: [
            .key(".", at: 3450), .key(",", at: 4000), .key(",", at: 4500),
            .init(at: .ms(5000), .key(.right)), .key("q", at: 6000),
        ]).play()
        #expect(try run.frame(at: 3460) == 3)
        #expect(try run.frame(at: 4010) == 2)
        #expect(try run.frame(at: 4510) == 1)
        #expect(try run.frame(at: 5010) == 1)
        let sent = run.updates.filter { $0.time.milliseconds > 1000 && $0.time.milliseconds < 6000 }
        #expect(sent.count > 3 && sent.allSatisfy { $0.bytes.count < 100 })
    }

    @Test("A new speed is used by the terminal from the next loop iteration on")
    func speed() throws {
        let run = Session(script: [
            .key("+", at: 3000), .key("+", at: 3000), .key("+", at: 3000), .key("q", at: 10_000),
        ]).play()
        // Three steps double the speed.
        #expect(run.times(from: 3501) == [10_000, 10_000])
        for time in stride(from: 3025 as Int64, to: 9_900, by: 155) {
            #expect(try run.frame(at: time) == due(3000 + (time - 3000) * 2), "at \(time) ms")
        }
    }

    @Test("After a resize, and after the process was stopped, the frames are sent again", arguments: [true, false])
    func resize(isResize: Bool) throws {
        let event =
            isResize
            ? VirtualTerminal.ScriptedEvent(at: .ms(3450), .changed, traits: Self.traits(CellSize(columns: 6, rows: 7)))
            : .init(at: .ms(3450), .resumed)
        let run = Session(script: [event, .key("q", at: 9000)]).play()
        #expect(try run.frame(at: 3450) == due(3450))
        #expect(run.times(from: 3450).contains { $0 > 3450 && $0 < 5000 })
        #expect(run.times(from: 5151).allSatisfy { $0 == 9000 })
        // A stopped process continues with the beginning of its frame.
        let delay: Int64 = isResize ? 0 : 150
        for time in stride(from: 3625 as Int64, to: 8900, by: 195) {
            #expect(try run.frame(at: time) == due(time - delay), "at \(time) ms")
        }
    }

    @Test("On a slow connection, dropped frames are sent in later loop iterations, until the terminal has all")
    func slow() throws {
        var session = Session(script: [.key("q", at: 60_000)])
        session.bytesPerSecond = 400
        let run = session.play()
        let end = try #require(run.times(from: 0).dropLast(2).last)
        #expect(end > 1000 && end < 30_000)
        try expectDueFrames(run, stride(from: end + 25, to: 60_000, by: 1015))
    }

    @Test("If the file fails in the first loop iteration, playback ends with the error")
    func damaged() {
        let area = PixelRect(x: 0, y: 0, width: 1, height: 1)
        let frames = (0..<3).map { _ in IndexedFrame(rect: area, palette: [.black], [0]) }
        let run = Session().play(ScriptedFrameSource(frames, failure: .outOfMemory))
        #expect(run.end == .failed(.outOfMemory))
    }
}
