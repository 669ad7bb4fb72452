import Pixels
import TestSupport
import Testing

/// Rasters, encoded one after the other for a screen that shows what the bytes say.
private struct Session: ~Copyable {
    let encoder: CellEncoder
    let raster: HalfBlockRaster
    var screen: VirtualScreen
    var out = ByteBuffer()
    /// Where the picture's first cell stands on the screen, from 0.
    let origin: (row: Int, column: Int)

    /// - Parameter offset: where the picture stands; nil for in the flow of text.
    init(width: Int, height: Int, offset: (row: Int, column: Int)? = (0, 0)) throws {
        raster = HalfBlockRaster(size: PixelSize(width: width, height: height))
        let rows = raster.cells.rows
        origin = offset ?? (0, 0)
        screen = VirtualScreen(columns: width + origin.column, rows: rows + origin.row + 1)
        if let offset {
            encoder = CellEncoder(
                size: raster.size, addressing: .absolute(row: offset.row + 1, column: offset.column + 1))
        } else {
            encoder = CellEncoder(size: raster.size, addressing: .inline(restRow: rows))
            for _ in 0..<rows { try screen.feed("\r\n".utf8) }
        }
        encoder.assumeCleared()
    }

    /// Encodes the raster. Returns the bytes that it took.
    mutating func update(_ fidelity: Fidelity = .exact, dirty: PixelRect? = nil) throws -> [UInt8] {
        var changes: CellChanges?
        return try update(fidelity, dirty: dirty, recording: &changes)
    }

    mutating func update(
        _ fidelity: Fidelity, dirty: PixelRect? = nil, recording changes: inout CellChanges?
    ) throws -> [UInt8] {
        out.removeAll()
        encoder.encode(
            raster, dirty: dirty ?? PixelRect(raster.size), fidelity: fidelity, into: &out, recording: &changes)
        try screen.feed(out.bytes)
        return Array(out.bytes)
    }

    var shown: [CellColor] { screen.halves(row: origin.row, column: origin.column, raster.cells) }
    var wanted: [CellColor] { Array(raster.pixels) }

    /// Changes some pixels by lot; few colours, so that neighbours often agree.
    func scramble(_ random: inout SeededRandom, share: Double = 0.4) {
        let colors: [CellColor] = [.terminalDefault, .black] + (0..<3).map { _ in .random(using: &random) }
        for index in raster.pixels.indices where Double.random(in: 0..<1, using: &random) < share {
            raster.pixels[index] = colors.randomElement(using: &random) ?? .black
        }
    }
}

@Suite("Encoding cells")
struct CellEncoderTests {
    @Test("The screen shows exactly the raster, whatever came before", arguments: 0..<16)
    func exact(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let offsets: [(row: Int, column: Int)?] = [nil, (0, 0), (3, 5), (0, 11)]
        var session = try Session(
            width: .random(in: 1...30, using: &random), height: .random(in: 1...17, using: &random),
            offset: offsets[Int(seed % 4)])
        for _ in 0..<25 {
            session.scramble(&random, share: .random(in: 0...1, using: &random))
            _ = try session.update()
            let (shown, wanted) = (session.shown, session.wanted)
            #expect(shown == wanted)
        }
        #expect(session.screen.scrolledLines == 0)
    }

    @Test("After every update in the flow of text the cursor rests below the picture", arguments: [1, 2, 9])
    func rests(width: Int) throws {
        var random = SeededRandom(3)
        var session = try Session(width: width, height: 7, offset: nil)
        for _ in 0..<20 {
            session.scramble(&random)
            _ = try session.update()
            let place = (session.screen.row, session.screen.column)
            #expect(place == (4, 0))
        }
    }

    @Test("Only what lies in the dirty rectangle is looked at")
    func dirty() throws {
        var session = try Session(width: 4, height: 4)
        for index in session.raster.pixels.indices { session.raster.pixels[index] = .black }
        _ = try session.update(dirty: PixelRect(x: 1, y: 0, width: 2, height: 1))
        let shown = session.shown
        let blank = CellColor.terminalDefault
        #expect(
            shown == [blank, .black, .black, blank, blank, .black, .black, blank] + Array(repeating: blank, count: 8))
    }

    @Test("Where nothing changed nothing is written", arguments: [true, false])
    func silence(inline: Bool) throws {
        var random = SeededRandom(1)
        var session = try Session(width: 9, height: 6, offset: inline ? nil : (2, 2))
        session.scramble(&random)
        #expect(try !session.update().isEmpty)
        #expect(try session.update().isEmpty)
        #expect(try session.update(dirty: .empty).isEmpty)
    }

    @Test("A picture of one column, and one of one odd row, show whole", arguments: [(1, 9), (1, 1), (12, 1)])
    func narrow(size: (Int, Int)) throws {
        var session = try Session(width: size.0, height: size.1)
        for index in 0..<size.0 * size.1 {
            session.raster.pixels[index] = CellColor(red: UInt8(index), green: 9, blue: 9)
        }
        _ = try session.update()
        let (shown, wanted) = (session.shown, session.wanted)
        #expect(shown == wanted)
        #expect(shown.last == (size.1 % 2 == 1 ? .terminalDefault : wanted.last))
    }

    @Test("The terminal's own background is never asked for as a foreground")
    func defaultIsBackground() throws {
        let red = CellColor(red: 255, green: 0, blue: 0)
        var session = try Session(width: 3, height: 2)
        let picture: [CellColor] = [.terminalDefault, red, .terminalDefault, red, .terminalDefault, .terminalDefault]
        for (index, color) in picture.enumerated() { session.raster.pixels[index] = color }
        _ = try session.update()
        #expect((0..<2).map { session.screen[0, $0].glyph } == ["▄", "▀"])
        let shown = session.shown
        #expect(shown == picture)
        for index in picture.indices { session.raster.pixels[index] = .terminalDefault }
        _ = try session.update()
        let backgrounds = (0..<3).map { session.screen[0, $0].background }
        #expect(backgrounds.allSatisfy { $0 == .terminalDefault })
    }

    @Test("An update leaves no colour set behind it")
    func resets() throws {
        var random = SeededRandom(5)
        var session = try Session(width: 5, height: 4)
        session.scramble(&random, share: 1)
        _ = try session.update()
        try session.screen.feed("\u{1B}[5;1Hx".utf8)
        #expect(session.screen[session.raster.cells.rows, 0].background == .terminalDefault)
    }

    @Test("A screen of which nothing is known is written whole")
    func forgotten() throws {
        var session = try Session(width: 3, height: 4)
        session.encoder.forget()
        let bytes = try session.update()
        #expect(bytes.filter { $0 == 0x20 }.count == 6)
    }

    @Test("One cell costs no more than its colours, a move and a reset")
    func cost() throws {
        var session = try Session(width: 80, height: 2)
        session.raster.pixels[0] = CellColor(red: 1, green: 2, blue: 3)
        let bytes = try session.update()
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[1H\u{1B}[38;2;1;2;3;49m▀\u{1B}[0m")
    }
}

@Suite("Fidelity and records")
struct FidelityTests {
    @Test(
        "The screen is never further from the picture than the fidelity allows, however slowly it drifts",
        arguments: [(Fidelity.standard, 2), (.low, 6), (.exact, 0)])
    func bounded(fidelity: Fidelity, bound: Int) throws {
        var random = SeededRandom(11)
        var session = try Session(width: 10, height: 8)
        var spared = 0
        for _ in 0..<200 {
            for index in session.raster.pixels.indices {
                session.raster.pixels[index] = drifted(session.raster.pixels[index], &random)
            }
            _ = try session.update(fidelity)
            let (shown, wanted) = (session.shown, session.wanted)
            let distance = zip(shown, wanted).map(distance).max() ?? 0
            #expect(distance <= bound)
            if distance > 0 { spared += 1 }
        }
        #expect(spared > 0 || bound == 0, "nothing was ever left out")
    }

    private func drifted(_ color: CellColor, _ random: inout SeededRandom) -> CellColor {
        func step(_ value: Int, _ random: inout SeededRandom) -> UInt8 {
            UInt8(min(255, max(0, value + .random(in: -1...2, using: &random))))
        }
        guard color != .terminalDefault else { return CellColor(red: 50, green: 60, blue: 70) }
        return CellColor(
            red: step(color.red, &random), green: step(color.green, &random), blue: step(color.blue, &random))
    }

    private func distance(_ shown: CellColor, _ wanted: CellColor) -> Int {
        if shown == wanted { return 0 }
        guard shown != .terminalDefault, wanted != .terminalDefault, shown != .unknown else { return 999 }
        return max(
            abs(shown.red - wanted.red), abs(shown.green - wanted.green), abs(shown.blue - wanted.blue))
    }

    @Test("Black never passes for the terminal's own background", arguments: Fidelity.allCases)
    func defaultIsNoColor(fidelity: Fidelity) throws {
        var session = try Session(width: 1, height: 2)
        session.raster.pixels[0] = .black
        _ = try session.update(fidelity)
        let first = session.shown
        #expect(first == [.black, .terminalDefault])
        session.raster.pixels[0] = .terminalDefault
        _ = try session.update(fidelity)
        let second = session.shown
        #expect(second == [.terminalDefault, .terminalDefault])
    }

    @Test("Recorded changes lead another encoder and raster to the same screen")
    func records() throws {
        var random = SeededRandom(21)
        var session = try Session(width: 9, height: 7)
        let follower = CellEncoder(size: session.raster.size, addressing: session.encoder.addressing)
        follower.assumeCleared()
        let copy = HalfBlockRaster(size: session.raster.size)
        var all = CellChanges()
        for _ in 0..<15 {
            session.scramble(&random)
            var changes: CellChanges? = CellChanges()
            _ = try session.update(.standard, recording: &changes)
            let start = all.count
            all.append(contentsOf: try #require(changes))
            follower.apply(all[start..<all.count])
            copy.apply(all[start..<all.count])
            let applied = Array(copy.pixels)
            follower.copyShown(into: copy)
            let followed = Array(copy.pixels)
            let shown = session.shown
            #expect(applied == shown)
            #expect(followed == shown)
        }
    }
}
