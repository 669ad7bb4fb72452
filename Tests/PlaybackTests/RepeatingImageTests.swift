import Foundation
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Decodes the written commands as a terminal does, and compares each frame with a simple renderer.
@Suite("Images that the terminal repeats by itself")
struct RepeatingImageTests {
    private static let samples: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Samples").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".gif") }.sorted().map { folder + "/" + $0 }
    }()

    private struct Output {
        var commands: [UInt8] = []
        var cells = ""
        var excess: Int?
        var animation: KittyAnimation
        var keys: [String: String]
    }

    private func write(
        _ reader: GIFReader, _ image: RepeatingImage = RepeatingImage(number: 300),
        _ change: (inout PlaybackOptions) -> Void = { _ in }
    ) throws -> Output {
        var options = PlaybackOptions()
        change(&options)
        var (commands, cells) = ([UInt8](), [UInt8]())
        let traits = TerminalTraits(size: CellSize(columns: 40, rows: 12))
        let excess = try image.write(reader, for: traits, options: options) { part, bytes in
            if part == .image { commands += bytes } else { cells += bytes }
            return true
        }
        var screen = KittyScreen(size: PixelSize(width: 320, height: 192), cell: PixelSize(width: 8, height: 16))
        (screen.scales, screen.keepsFrames) = (true, true)
        try screen.feed(commands + [0x1B])
        #expect(screen.images == [image.number])
        return Output(
            commands: commands, cells: String(decoding: cells, as: UTF8.self), excess: excess,
            animation: try #require(screen.animations[image.number]), keys: screen.keys)
    }

    /// Expects that the terminal has the exact pixels and delays of all frames.
    private func expectFrames(_ reader: GIFReader, in animation: KittyAnimation) throws {
        let frame = IndexedFrame()
        var reference: ReferenceRenderer?
        while try reader.next(into: frame) {
            var renderer = reference ?? ReferenceRenderer(canvas: frame.canvas)
            renderer.draw(frame)
            reference = renderer
            try #require(animation.size == frame.canvas && frame.number < animation.frames.count)
            let stored = animation.frames[frame.number]
            let isEqual = renderer.pixels.indices.allSatisfy {
                stored.color(at: $0) == renderer.pixels[$0] ?? .terminalDefault
            }
            #expect(isEqual, "frame \(frame.number)")
            #expect(reader.summary.frames == 1 || stored.gap == Int(frame.playNanoseconds / 1_000_000))
        }
        #expect(animation.frames.count == reader.summary.frames)
    }

    @Test("Each frame of a built-in GIF arrives exactly, in at most three times the bytes of the file and 40 KB")
    func samples() throws {
        #expect(Self.samples.count >= 16)
        for path in Self.samples {
            let file = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            let output = try write(GIFReader(MemoryByteSource(file)))
            #expect(output.commands.count <= 3 * file.count + 40_000, "\(path): \(output.commands.count)")
            try expectFrames(GIFReader(MemoryByteSource(file)), in: output.animation)
            #expect(output.animation.isRunning && output.animation.current == 0, "\(path)")
        }
    }

    @Test("Transparency and all kinds of disposal arrive exactly, and frames without a change keep their time")
    func disposals() throws {
        var random = SeededRandom(7)
        var gif = GIFBuilder(width: 9, height: 7)
        for number in 0..<40 {
            let (x, y) = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<4, using: &random))
            let indices = (0..<12).map { _ in UInt8.random(in: 0..<4, using: &random) }
            gif = gif.control(delay: number, disposal: number % 4, transparent: number % 5 == 0 ? nil : 2)
                .image(x: x, y: y, width: 4, height: 3, number % 7 == 0 ? Array(repeating: 2, count: 12) : indices)
        }
        let output = try write(gif.trailer().reader())
        try expectFrames(gif.trailer().reader(), in: output.animation)
    }

    @Test(
        "The terminal plays the GIF as often as the file or the option says",
        arguments: [(nil, .file, 1), (0, .file, nil), (4, .file, 5), (0, .times(3), 3), (4, .forever, nil)]
            as [(Int?, LoopRule, Int?)])
    func loops(count: Int?, rule: LoopRule, plays: Int?) throws {
        var gif = GIFBuilder(width: 2, height: 2)
        if let count { gif = gif.loop(count) }
        let output = try write(
            gif.frame(1, delay: 5, width: 2, height: 2).frame(2, delay: 5, width: 2, height: 2)
                .trailer().reader()
        ) { $0.loops = rule }
        #expect(output.animation.isRunning && output.animation.plays == plays)
        #expect(String(decoding: output.commands.suffix(50), as: UTF8.self).contains("a=a,i=300,c=1,s=3,v="))
    }

    @Test("A speed changes the delays; a still, and the first picture of a GIF, contain no animation")
    func single() throws {
        let frame = GIFBuilder(width: 2, height: 2).control(transparent: 0).image(width: 2, height: 2, [0, 0, 0, 0])
        let gif = frame.frame(1, delay: 10, width: 2, height: 2).frame(2, delay: 20, width: 2, height: 2).trailer()
        let fast = try write(gif.reader()) { $0.speed = .factor(2) }
        #expect(fast.animation.frames.map(\.gap) == [50, 50, 100])
        var still = RepeatingImage(number: 7)
        still.isStill = true
        let first = try write(gif.reader(), still)
        #expect(first.animation.frames.count == 1 && first.animation.frames[0].color(at: 0) != .terminalDefault)
        let single = GIFBuilder(width: 2, height: 2).frame(1, delay: 10, width: 2, height: 2).trailer()
        #expect(try !String(decoding: write(single.reader()).commands, as: UTF8.self).contains("a=a"))
    }

    @Test(
        "Placeholders follow the image, a row in each line, in a colour that is its number", arguments: [200, 70_000])
    func placeholders(number: Int) throws {
        var image = RepeatingImage(number: number)
        (image.isVirtual, image.isInTmux) = (true, true)
        let gif = GIFBuilder(width: 40, height: 20).frame(1, delay: 10, width: 40, height: 20).trailer()
        let output = try write(gif.reader(), image)
        #expect(output.keys["U"] == "1" && output.keys["c"] == "40" && output.keys["r"] == "10")
        // The pixel must be there before the image, which can replace the only one.
        #expect(output.commands.starts(with: "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=t,f=32,i=8388607,".utf8))
        #expect(String(decoding: output.commands, as: UTF8.self).contains("\u{1B}Ptmux;\u{1B}\u{1B}_Ga=T,U=1"))
        let lines = output.cells.split(separator: "\n")
        let color = number < 256 ? "5;200" : "2;1;17;112"
        #expect(lines.count == 10 && lines.allSatisfy { $0.utf8.starts(with: "\u{1B}[0;38;\(color)m\u{10EEEE}".utf8) })
        #expect(lines.allSatisfy { $0.unicodeScalars.count { $0.value == 0x10EEEE } == 40 })
    }

    @Test("The terminal gets the pixels of the GIF, less of a very large one, and enlarged ones of pixel art")
    func sizes() {
        var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
        traits.graphics.cell = PixelSize(width: 10, height: 20)
        var options = PlaybackOptions()
        func fit(_ width: Int, _ height: Int) -> RepeatingFit {
            RepeatingFit(canvas: PixelSize(width: width, height: height), traits, options)
        }
        #expect(fit(320, 240).pixels == PixelSize(width: 320, height: 240))
        #expect(fit(320, 240).cells == CellSize(columns: 64, rows: 24))
        #expect(fit(4000, 2000).pixels.area <= 1600 * 1200 && fit(4000, 2000).cells.columns == 80)
        #expect(fit(60_000, 1).pixels == PixelSize(width: 10_000, height: 1) && fit(60_000, 1).cells.rows == 1)
        options.fit.filter = .pixelated
        #expect(fit(32, 32).pixels == PixelSize(width: 480, height: 480))
        (options.fit.filter, options.fit.enlarges) = (.smooth, false)
        #expect(fit(32, 32).cells == CellSize(columns: 3, rows: 2))
    }

    @Test("A reader that ends early ends the output, and a damaged file without a frame writes nothing")
    func ends() throws {
        let gif = GIFBuilder(width: 2, height: 2).frame(1, delay: 5, width: 2, height: 2)
            .frame(2, delay: 5, width: 2, height: 2).trailer()
        let traits = TerminalTraits(size: CellSize(columns: 4, rows: 2))
        var count = 0
        func write(_ gif: GIFBuilder) throws {
            _ = try RepeatingImage(number: 1).write(gif.reader(), for: traits, options: PlaybackOptions()) { _, _ in
                count += 1
                return false
            }
        }
        try write(gif)
        #expect(count == 1)
        #expect(throws: GIFError.noImage([])) { try write(GIFBuilder(width: 1, height: 1).trailer()) }
        #expect(count == 1)
    }
}
