import Pixels
import Playback
import TestSupport
import Testing

@Suite("Changes of the pane")
struct RelayoutTests {
    private let square = PixelSize(width: 8, height: 8)

    /// Returns whether the screen shows frame `number` as a centred picture of 8x8 pixels with nothing around it.
    private func shows(_ number: Int, _ screen: VirtualScreen, within bound: Int = 0) -> Bool {
        let target = PictureFit().target(for: square, in: screen.size)
        let rows = (target.height + 1) / 2
        let top = (screen.size.rows - rows) / 2
        let left = (screen.size.columns - target.width) / 2
        for row in 0..<screen.size.rows * 2 {
            for column in 0..<screen.size.columns {
                let isInside =
                    (top * 2..<top * 2 + target.height).contains(row)
                    && (left..<left + target.width).contains(column)
                let wanted = isInside ? ScriptedFrameSource.color(of: number) : .terminalDefault
                let cell = screen[row / 2, column]
                guard distance([row % 2 == 0 ? cell.upper : cell.lower], [wanted]) <= bound else { return false }
            }
        }
        return true
    }

    private func session(_ script: Script, cacheBytes: Int = 1 << 20) -> Session {
        var session = Session(loops: .forever, script: script)
        session.options.showsStatus = false
        session.options.loopCacheBytes = cacheBytes
        return session
    }

    @Test("A resize redraws immediately and keeps the times of the frames", arguments: [0, 1 << 20], [550, 2550])
    func resize(cacheBytes: Int, at time: Int64) throws {
        let run = try session([.resize(20, 7, at: time), .key("q", at: 5000)], cacheBytes: cacheBytes)
            .play(ScriptedFrameSource.flat([50, 100, 30]))
        for shown in run.shown { #expect(shows(shown.frame, run.screen(of: shown)), "\(shown)") }
        let regular: [Int64] = [0, 500, 1500, 1800, 2300, 3300, 3600, 4100]
        #expect(run.times == (regular + [time]).sorted())
        #expect(run.shown.contains { $0.time == time && run.screenUpdates[$0.updateIndex].screen.size.columns == 20 })
        #expect(run.screenUpdates.first?.screen.size.columns == 8)
    }

    @Test(
        "After a resize, a paused picture is redrawn and playback keeps its position", arguments: [0, 1 << 20],
        [550, 2550])
    func resizePaused(cacheBytes: Int, at time: Int64) throws {
        let script: Script = [
            .key(" ", at: time), .resize(3, 9, at: time + 100), .resize(31, 4, at: time + 200), .key(" ", at: 4000),
            .key("q", at: 5000),
        ]
        let run = try session(script, cacheBytes: cacheBytes).play(ScriptedFrameSource.flat([50, 100, 30]))
        for shown in run.shown { #expect(shows(shown.frame, run.screen(of: shown)), "\(shown)") }
        #expect(run.times.filter { (time + 1...3999).contains($0) } == [time + 100, time + 200])
        // Frame 1 had been displayed for 50 or 250 ms when the pause began.
        #expect(run.times.first { $0 >= 4000 } == (time == 550 ? 4950 : 4750))
    }

    @Test("The loop cache is discarded after a resize and filled again")
    func cache() throws {
        let source = ScriptedFrameSource.flat([10, 10])
        let run = try session([.resize(20, 7, at: 250), .key("q", at: 1000)]).play(source)
        let replayed = run.shown.filter(\.isReplayed).map(\.time)
        #expect(replayed.contains(700) && !replayed.contains(300))
        for shown in run.shown { #expect(shows(shown.frame, run.screen(of: shown)), "\(shown)") }
    }

    @Test("A resize to the same size draws nothing")
    func noChange() throws {
        let run = try session([.resize(8, 4, at: 50), .key("q", at: 90)]).play(ScriptedFrameSource.flat([10]))
        #expect(run.times == [0])
    }

    @Test("A resize redraws the current frame while the source stalls")
    func stalled() throws {
        let run = try session([.resize(20, 7, at: 700), .at(2000, .wake), .key("q", at: 2050)])
            .play(ScriptedFrameSource.flat([10, 10], pending: [1: 2]))
        #expect(run.times == [0, 700, 2000])
        for shown in run.shown { #expect(shows(shown.frame, run.screen(of: shown)), "\(shown)") }
    }

    @Test(
        "A resumed process redraws everything and continues from the current frame", arguments: [0, 1 << 20],
        [550, 2550])
    func resumed(cacheBytes: Int, at time: Int64) throws {
        let run = try session([.at(time, .resumed), .key("q", at: 4000)], cacheBytes: cacheBytes)
            .play(ScriptedFrameSource.flat([50, 100, 30]))
        for shown in run.shown { #expect(shows(shown.frame, run.screen(of: shown)), "\(shown)") }
        #expect(run.times.contains(time))
        #expect(run.times.first { $0 > time } == time + 1000)
    }

    @Test("The terminal's background is used as soon as the terminal reports it")
    func background() throws {
        let blue = CellColor(red: 0, green: 0, blue: 255)
        let traits = TerminalTraits(size: CellSize(columns: 1, rows: 1), background: blue)
        var session = session([.init(at: .ms(30), .changed, traits: traits), .key("q", at: 90)])
        session.size = CellSize(columns: 1, rows: 1)
        let frame = IndexedFrame(["r.", ".r", "r.", ".r"])
        let run = try session.play(ScriptedFrameSource([frame]))
        #expect(run.times == [0, 30])
        let mixed = CellColor(red: 188, green: 0, blue: 188)
        #expect(run.screenUpdates.last?.screen[0, 0].upper == mixed)
    }

    @Test("A late report of the background recolours the picture without clearing the screen")
    func backgroundInReplay() throws {
        let blue = CellColor(red: 0, green: 0, blue: 255)
        func play(answerAt time: Int64) throws -> Session.Run {
            let traits = TerminalTraits(size: CellSize(columns: 1, rows: 2), background: blue)
            var session = session([.init(at: .ms(time), .changed, traits: traits), .key("q", at: 4050)])
            session.size = CellSize(columns: 1, rows: 2)
            let frames = [["r.", ".r", "r.", ".r"], [".g", "..", "..", "g."]].map { IndexedFrame($0) }
            return try session.play(ScriptedFrameSource(frames))
        }
        let early = try play(answerAt: 30)
        let late = try play(answerAt: 2550)
        #expect(late.shown.contains { $0.isReplayed && $0.time < 2550 }, "the answer arrives while frames are replayed")
        #expect(late.times.contains(2550))
        for shown in late.shown where shown.time > 2550 {
            let same = try #require(early.shown.first { $0.time == shown.time })
            let size = CellSize(columns: 1, rows: 2)
            #expect(late.screen(of: shown).halves(size) == early.screen(of: same).halves(size), "\(shown)")
        }
        let clearings = late.screenUpdates.filter { String(decoding: $0.bytes, as: UTF8.self).contains("\u{1B}[2J") }
        #expect(clearings.map(\.time) == [0])
    }

    @Test("A resize redraws an inline picture in place")
    func inline() throws {
        var session = session([.resize(4, 9, at: 50), .key("q", at: 90)])
        session.size = CellSize(columns: 8, rows: 9)
        session.options.screen = .inline
        let run = try session.play(ScriptedFrameSource.flat([10]))
        let text = String(decoding: try #require(run.screenUpdates.dropLast().last).bytes, as: UTF8.self)
        // The cursor goes up the four rows of the old picture, everything below the cursor is cleared, and two line
        // feeds make room for the two rows of the new picture.
        #expect(text.hasPrefix("\r\u{1B}[0m\u{1B}[4A\u{1B}[K\u{1B}[C\u{1B}[J\r\n\r\n\u{1B}["))
    }

    @Test("The correct frame is shown after any sequence of keys, resizes and stalls", arguments: 0..<16)
    func anyOrder(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let keys: [Key] = [
            .character("."), .character(","), .character(" "), .left, .right, .up, .down, .character("+"),
            .character("-"),
        ]
        var time: Int64 = 0
        var script: Script = []
        for _ in 0..<150 {
            time += .random(in: 1...300, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                let (columns, rows) = (Int.random(in: 1...30, using: &random), Int.random(in: 1...9, using: &random))
                script.append(.resize(columns, rows, at: time))
            case 1: script.append(.at(time, .resumed))
            case 2...4: script.append(.at(time, .wake))
            default: script.append(.at(time, .key(keys.randomElement(using: &random) ?? .up)))
            }
        }
        var session = session(script + [.key("q", at: time + 5000)], cacheBytes: seed % 3 == 0 ? 0 : 1 << 20)
        if seed % 2 == 0 { session.bytesPerSecond = .random(in: 500...20_000, using: &random) }
        let delays = (0..<Int.random(in: 2...9, using: &random)).map { _ in Int.random(in: 2...40, using: &random) }
        let pending = [0: 1, 1: Int.random(in: 0...2, using: &random)]
        let run = try session.play(ScriptedFrameSource.flat(delays, pending: pending))
        #expect(run.end == .quit && run.endTime == time + 5000)
        for shown in run.shown { #expect(shows(shown.frame, run.screen(of: shown), within: shown.bound), "\(shown)") }
    }

    @Test("A GIF plays in a tiny pane", arguments: [(1, 1), (2, 1), (1, 6), (0, 0)])
    func tiny(size: (Int, Int)) throws {
        var session = session([])
        session.options.loops = .times(3)
        session.options.showsStatus = true
        session.size = CellSize(columns: max(1, size.0), rows: max(1, size.1))
        #expect(try session.play(ScriptedFrameSource.flat([10, 10])).shown.count == 6)
    }
}
