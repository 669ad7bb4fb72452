import Pixels
import TestSupport
import Testing

@Suite("Fidelity and recorded changes")
struct FidelityTests {
    @Test(
        "If a picture changes slowly, the screen never differs from it by more than the fidelity permits",
        arguments: [(Fidelity.standard, 2), (.low, 6), (.coarse, 12), (.exact, 0)])
    func bounded(fidelity: Fidelity, bound: Int) throws {
        var random = SeededRandom(11)
        var session = try EncodingSession(width: 10, height: 8)
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

    @Test(
        "At every fidelity, black and the terminal's default background are different colours",
        arguments: Fidelity.allCases)
    func defaultIsNoColor(fidelity: Fidelity) throws {
        var session = try EncodingSession(width: 1, height: 2)
        session.raster.pixels[0] = .black
        _ = try session.update(fidelity)
        let first = session.shown
        #expect(first == [.black, .terminalDefault])
        session.raster.pixels[0] = .terminalDefault
        _ = try session.update(fidelity)
        let second = session.shown
        #expect(second == [.terminalDefault, .terminalDefault])
    }

    @Test("Applying recorded changes to another encoder or to its copied colours gives the colours on the screen")
    func records() throws {
        var random = SeededRandom(21)
        var session = try EncodingSession(width: 9, height: 7)
        let follower = HalfBlockEncoder(size: session.raster.size, addressing: session.encoder.addressing)
        follower.assumeCleared()
        let copy = PictureRaster(size: session.raster.size)
        var all = CellChanges()
        for _ in 0..<15 {
            session.scramble(&random)
            var changes: CellChanges? = CellChanges()
            _ = try session.update(.standard, recording: &changes)
            let start = all.count
            all.append(contentsOf: try #require(changes))
            follower.copyShown(after: [all[start..<all.count]], into: copy)
            let applied = Array(copy.pixels)
            follower.apply(all[start..<all.count])
            follower.copyShown(after: [], into: copy)
            let followed = Array(copy.pixels)
            let shown = session.shown
            #expect(applied == shown)
            #expect(followed == shown)
        }
    }

    @Test(
        "Encoding recorded changes gives the bytes of the original update", arguments: Fidelity.allCases, [true, false])
    func rewritten(fidelity: Fidelity, inline: Bool) throws {
        var random = SeededRandom(31)
        var session = try EncodingSession(width: 23, height: 12, offset: inline ? nil : (1, 4))
        for _ in 0..<40 {
            session.waver(&random)
            var changes: CellChanges? = CellChanges()
            let bytes = try session.update(fidelity, recording: &changes)
            let recorded = try #require(changes)
            let again = session.replay(recorded)
            #expect(again == bytes)
        }
    }

    @Test("If a picture is noisy, the screen never differs from it by more than the fidelity permits", arguments: 0..<8)
    func noisyPicture(seed: UInt64) throws {
        for fidelity in Fidelity.allCases {
            var random = SeededRandom(seed)
            var session = try EncodingSession(width: 17, height: 10, offset: seed % 2 == 0 ? nil : (1, 2))
            for _ in 0..<30 {
                session.waver(&random)
                _ = try session.update(fidelity)
                let (shown, wanted) = (session.shown, session.wanted)
                #expect(zip(shown, wanted).map(distance).max() ?? 0 <= fidelity.tolerance)
            }
        }
    }

    @Test("If one colour is within the tolerance of several neighbouring cells, they are all drawn in this colour")
    func shared() throws {
        var session = try EncodingSession(width: 5, height: 2)
        // The values range from 100 to 104, so only 102 is within two levels of all of them.
        for (column, value) in [100, 101, 104, 103, 102].enumerated() {
            session.raster.pixels[column] = CellColor(red: UInt8(value), green: 50, blue: 50)
            session.raster.pixels[column + 5] = CellColor(red: UInt8(204 - value), green: 50, blue: 50)
        }
        let bytes = try session.update(.standard)
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[1H\u{1B}[48;2;102;50;50m     \u{1B}[0m")
    }

    @Test("After a small change, a channel is sent one level beyond its new value; a large change is sent exactly")
    func driftingColor() throws {
        var session = try EncodingSession(width: 1, height: 2)
        func show(_ value: Int) throws -> CellColor? {
            for index in 0..<2 { session.raster.pixels[index] = CellColor(red: UInt8(value), green: 9, blue: 255) }
            _ = try session.update(.standard)
            return session.shown.first
        }
        #expect(try show(100)?.red == 100)
        #expect(try show(102)?.red == 100)
        #expect(try show(103)?.red == 104)
        #expect(try show(106)?.red == 104)
        #expect(try show(98)?.red == 97)
        #expect(try show(200)?.red == 200)
        #expect(try show(255)?.red == 255)
    }
}
