import TestSupport
import Testing

@testable import Pixels

@Suite("Fidelity and recorded changes")
struct FidelityTests {
    @Test(
        "If a picture changes slowly, the screen never differs from it by more than the fidelity permits",
        arguments: [(Fidelity.standard, 1), (.low, 3), (.coarse, 6), (.exact, 0)])
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
            let distance = zip(shown, wanted).map(visibleDifference).max() ?? 0
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
                #expect(zip(shown, wanted).map(visibleDifference).max() ?? 0 <= fidelity.bound)
            }
        }
    }

    @Test("If one colour is within the tolerance of several neighbouring cells, they are all drawn in this colour")
    func shared() throws {
        var session = try EncodingSession(width: 5, height: 2)
        // The values range from 100 to 108, so only 104 is within the four levels that are allowed around each of them.
        for (column, value) in [100, 102, 108, 106, 104].enumerated() {
            session.raster.pixels[column] = CellColor(red: UInt8(value), green: 50, blue: 50)
            session.raster.pixels[column + 5] = CellColor(red: UInt8(208 - value), green: 50, blue: 50)
        }
        let bytes = try session.update(.standard)
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[1;H\u{1B}[48;2;104;50;50m     \u{1B}[0m")
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
        #expect(try show(106)?.red == 100)
        #expect(try show(107)?.red == 108)
        #expect(try show(110)?.red == 108)
        #expect(try show(100)?.red == 99)
        #expect(try show(200)?.red == 200)
        #expect(try show(255)?.red == 255)
    }

    @Test(
        "A change that is not sent stays within the bound, for dark and for random colours",
        arguments: Fidelity.allCases)
    func boxes(fidelity: Fidelity) {
        var random = SeededRandom(3)
        for number in 0..<30_000 {
            let range: ClosedRange<UInt8> = number % 2 == 0 ? 0...40 : 0...255
            let (red, green, blue) = (
                UInt8.random(in: range, using: &random), UInt8.random(in: range, using: &random),
                UInt8.random(in: range, using: &random)
            )
            let color = CellColor(red: red, green: green, blue: blue)
            let changes = CellColor(bits: fidelity.tolerance.withheldChanges(color.bits))
            for corner in 0..<8 {
                func changed(_ value: Int, _ change: Int, _ axis: Int) -> UInt8 {
                    UInt8(min(255, max(0, corner >> axis & 1 == 0 ? value - change : value + change)))
                }
                let other = CellColor(
                    red: changed(color.red, changes.red, 0), green: changed(color.green, changes.green, 1),
                    blue: changed(color.blue, changes.blue, 2))
                #expect(!color.differs(from: other, by: fidelity.tolerance))
                if visibleDifference(color, other) > fidelity.bound { Issue.record("\(color) as \(other)") }
            }
        }
        let black = CellColor(bits: 0x00_0001)
        #expect(black.differs(from: .black, by: fidelity.tolerance), "near black, every change is sent")
    }

    @Test("A slow fade of a dark gradient has no step of a noticeable difference that the exact picture lacks")
    func darkGradient() throws {
        var session = try EncodingSession(width: 60, height: 2)
        var spared = 0
        for time in 0..<120 {
            for index in session.raster.pixels.indices {
                let value = UInt8(min(255, (index % 60 * 40 + time * 15) / 60))
                session.raster.pixels[index] = CellColor(red: value / 2, green: value / 2, blue: value)
            }
            _ = try session.update(time == 0 ? .exact : .standard)
            let (shown, wanted) = (session.shown, session.wanted)
            for column in 1..<60 {
                let step = visibleDifference(shown[column - 1], shown[column])
                #expect(step <= visibleDifference(wanted[column - 1], wanted[column]) + 1)
            }
            spared += zip(shown, wanted).count { $0 != $1 }
        }
        #expect(spared > 0, "nothing was ever left out")
    }
}
