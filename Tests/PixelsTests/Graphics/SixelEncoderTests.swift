import Base
import Foundation
import Pixels
import TestSupport
import Testing

@Suite("Encoding sixels")
struct SixelEncoderTests {
    private static let cell = PixelSize(width: 10, height: 20)
    private static let backdrop = CellColor(red: 0, green: 51, blue: 102)

    /// An encoder with its raster, and a terminal that decodes its output.
    private struct Session: ~Copyable {
        let raster: PictureRaster
        let encoder: SixelEncoder
        var screen: SixelScreen
        var output: [UInt8] = []

        init(
            width: Int, height: Int, addressing: CursorAddressing = .absolute(row: 2, column: 3),
            background: CellColor = backdrop, sendsWholePictures: Bool = false
        ) {
            raster = PictureRaster(size: PixelSize(width: width, height: height), pixelsPerCell: cell)
            encoder = SixelEncoder(
                size: raster.size, addressing: addressing, background: background,
                sendsWholePictures: sendsWholePictures)
            screen = SixelScreen(size: raster.size)
            encoder.assumeCleared()
        }

        mutating func update(_ fidelity: Fidelity = .exact, dirty: PixelRect? = nil) {
            var out = ByteBuffer()
            var none: CellChanges?
            encoder.encode(
                raster, dirty: dirty ?? PixelRect(raster.size), fidelity: fidelity, into: &out, recording: &none)
            output = Array(out.bytes)
            screen.feed(output)
        }

        func fill(_ color: (Int, Int) -> CellColor) {
            for index in raster.pixels.indices {
                raster.pixels[index] = color(index % raster.size.width, index / raster.size.width)
            }
        }

        /// The differences between the shown and the wanted channels.
        var errors: [Int] {
            zip(screen.pixels, raster.pixels).flatMap { shown, wanted in
                [shown.red - wanted.red, shown.green - wanted.green, shown.blue - wanted.blue]
            }
        }

        var meanSquaredError: Double { Double(errors.reduce(0) { $0 + $1 * $1 }) / Double(errors.count) }
    }

    @Test("Up to 64 colours whose channels are whole percents are shown exactly after every update", arguments: 0..<6)
    func exact(seed: UInt64) {
        var random = SeededRandom(seed)
        // In a wide picture with few changes, the pixels of a register have long gaps.
        var session = Session(width: seed < 3 ? 37 : 300, height: 41)
        let changes = seed < 3 ? 0..<3 : 0..<80
        // Multiples of 51 are whole percents of 255.
        var colors: [CellColor] = []
        for red: UInt8 in 0..<6 {
            for green: UInt8 in 0..<5 { colors.append(CellColor(red: red * 51, green: green * 51, blue: 102)) }
        }
        for _ in 0..<12 {
            for index in session.raster.pixels.indices where Int.random(in: changes, using: &random) == 0 {
                let isTransparent = Int.random(in: 0..<8, using: &random) == 0
                let color = colors[Int.random(in: colors.indices, using: &random)]
                session.raster.pixels[index] = isTransparent ? .terminalDefault : color
            }
            let before = session.screen.pixels
            session.update()
            for (index, pixel) in session.raster.pixels.enumerated() {
                // Sixels cannot erase, so a pixel that becomes transparent gets the colour of the background.
                let wanted = pixel != .terminalDefault || before[index] == .terminalDefault ? pixel : Self.backdrop
                let shown = session.screen.pixels[index]
                #expect(shown == wanted)
            }
        }
    }

    @Test("An update contains pixels only in the changed bands, and an unchanged picture needs no bytes")
    func bands() {
        var session = Session(width: 30, height: 40)
        session.fill { x, _ in CellColor(red: UInt8(x / 10 * 51), green: 0, blue: 0) }
        session.update()
        #expect(session.screen.bands == Set(0..<7))
        session.update()
        #expect(session.output.isEmpty)
        session.raster.pixels[13 * 30 + 4] = .black
        session.raster.pixels[13 * 30 + 25] = .black
        session.update(dirty: PixelRect(x: 4, y: 13, width: 22, height: 1))
        #expect(session.screen.bands == [2] && session.output.count < 60)
        #expect(session.screen.pixels[13 * 30 + 4] == .black)
        let text = String(decoding: session.output, as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}[2;3H\u{1B}P0;1;0q\"1;1;30;40"))
    }

    @Test("A change within the tolerance is not sent, and errors do not accumulate")
    func tolerance() {
        var session = Session(width: 10, height: 20)
        for (level, isSent) in [(100, true), (104, false), (105, true), (109, false), (110, true)] {
            session.fill { _, _ in CellColor(red: UInt8(level), green: 0, blue: 0) }
            session.update(.standard)
            #expect(session.output.isEmpty != isSent, "\(level)")
        }
    }

    @Test("A picture with more than 256 colours gets its own palette, which is replaced when the scene changes")
    func adapted() {
        var session = Session(width: 120, height: 80)
        for scene in 0..<3 {
            session.fill { x, y in
                let (up, down) = (UInt8(x * 2), UInt8(255 - y * 3))
                return scene == 1
                    ? CellColor(red: 0, green: up / 2, blue: down) : CellColor(red: up, green: down, blue: 40)
            }
            session.update()
            #expect(session.meanSquaredError < 20, "scene \(scene)")
        }
    }

    @Test("101 greys are shown exactly, but with fewer registers in a noisy picture", arguments: [false, true])
    func noise(isNoisy: Bool) {
        var session = Session(width: 808, height: 12, background: .black)
        session.fill { x, y in
            let percent = (isNoisy ? x + y * 7 : x / 8) % 101
            let level = UInt8((percent * 255 + 50) / 100)
            return CellColor(red: level, green: level, blue: level)
        }
        session.update()
        let registers = String(decoding: session.output, as: UTF8.self).matches(of: /#\d+;2;/).count
        #expect(isNoisy ? registers < 64 : registers == 101)
        #expect(session.meanSquaredError < (isNoisy ? 10 : 0.01))
    }

    @Test("Two ramps in a picture with many colours have at least 60 steps each, and no error above four levels")
    func ramps() {
        var session = Session(width: 400, height: 60, background: .black)
        session.fill { x, y in
            let level = UInt8(x * 255 / 399)
            return y < 30
                ? CellColor(red: level, green: level, blue: level)
                : CellColor(red: 255 - level / 2, green: 60 + level / 2, blue: level)
        }
        session.update()
        for row in [0, 59] {
            let shown = session.screen.pixels[row * 400..<row * 400 + 400]
            #expect(Set(shown.map(\.bits)).count >= 60)
        }
        let worst = session.errors.max { abs($0) < abs($1) }
        #expect(abs(worst ?? 0) <= 4)
    }

    @Test("A photograph with a black margin has a small error, and its margin stays black")
    func photograph() {
        var random = SeededRandom(1)
        var session = Session(width: 160, height: 120, background: .black)
        session.fill { x, y in
            guard (20..<140).contains(x) else { return x % 20 == 5 ? CellColor(red: 5, green: 5, blue: 7) : .black }
            func channel(_ value: Int) -> UInt8 { UInt8(clamping: value + Int.random(in: -12...12, using: &random)) }
            return CellColor(
                red: channel(x + y / 2), green: channel(30 + y), blue: channel(200 - x + abs(y - 60)))
        }
        session.update()
        #expect(session.meanSquaredError < 16)
        #expect((0..<120).allSatisfy { session.screen.pixels[$0 * 160] == .black })
    }

    @Test("A run also draws pixels that later colours replace")
    func replacedPixels() {
        var session = Session(width: 60, height: 6)
        session.fill { x, _ in x % 2 == 0 ? .black : CellColor(red: 255, green: 255, blue: 255) }
        session.update()
        #expect(String(decoding: session.output, as: UTF8.self).contains("!59~"))
        #expect(session.screen.pixels == Array(session.raster.pixels))
    }

    @Test("An encoder that sends whole pictures sends every pixel with each change")
    func wholePictures() {
        var session = Session(width: 30, height: 40, sendsWholePictures: true)
        session.fill { x, _ in CellColor(red: UInt8(x / 10 * 51), green: 0, blue: 0) }
        session.update()
        session.raster.pixels[39 * 30 + 29] = .black
        session.screen.clear()
        session.update(dirty: PixelRect(x: 29, y: 39, width: 1, height: 1))
        #expect(session.screen.pixels == Array(session.raster.pixels))
    }

    @Test("An inline picture leaves the cursor in the row below it")
    func inline() {
        var session = Session(width: 10, height: 40, addressing: .inline(idleRow: 2))
        session.fill { _, _ in .black }
        session.update()
        let text = String(decoding: session.output, as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}7\u{1B}[2A\r\u{1B}P") && text.hasSuffix("\u{1B}\\\u{1B}8"))
    }

    @Test("libsixel decodes a sixel image to the pixels of the raster")
    func libsixel() throws {
        var session = Session(width: 50, height: 40)
        session.fill { x, y in CellColor(red: UInt8(x / 10 * 51), green: UInt8(y / 8 * 51), blue: UInt8(x % 2 * 255)) }
        session.update()
        let text = String(decoding: session.output, as: UTF8.self)
        let start = try #require(text.range(of: "\u{1B}P"))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sixel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(text[start.lowerBound...].utf8).write(to: folder.appendingPathComponent("picture.six"))
        // libsixel's `sixel2png` decodes the image. ImageMagick only converts the PNG file to raw pixels, because its
        // own sixel decoder (6.9.11) misreads this image.
        let picture = folder.path + "/picture"
        for command in [
            ["/usr/bin/sixel2png", "-i", picture + ".six", "-o", picture + ".png"],
            ["/usr/bin/convert", picture + ".png", "-depth", "8", "rgb:\(picture).rgb"],
        ] {
            #expect(try SpawnedProcess(command).wait() == 0)
        }
        let read = [UInt8](try Data(contentsOf: folder.appendingPathComponent("picture.rgb")))
        let wanted = session.raster.pixels.flatMap { [UInt8($0.red), UInt8($0.green), UInt8($0.blue)] }
        let firstDifference = zip(read, wanted).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(read.count == wanted.count && firstDifference == nil)
    }
}
