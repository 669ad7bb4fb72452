import TestSupport
import Testing

@testable import Pixels

/// Tests the frames that the reader returns for files that violate the GIF format.
@Suite("Damaged files")
struct DamageTests {
    private let head = GIFBuilder(width: 2, height: 2)

    private func expect(
        _ gif: GIFBuilder, _ pictures: [[String]], _ damage: [Damage] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let reader = gif.reader()
        #expect(try reader.pictures() == pictures, sourceLocation: sourceLocation)
        #expect(reader.summary.damage == damage, sourceLocation: sourceLocation)
    }

    @Test("A canvas width or height of 0 is computed from the first frame", arguments: [(0, 0), (0, 3), (4, 0)])
    func noCanvas(size: (Int, Int)) throws {
        let gif = GIFBuilder(width: size.0, height: size.1).image(x: 2, y: 1, width: 2, height: 2, [1, 1, 1, 1])
        let frame = try #require(try gif.trailer().reader().allFrames().first)
        #expect(frame.canvas == PixelSize(width: 4, height: 3))
    }

    @Test("A frame without pixels draws nothing, and the next frame plays", arguments: [(0, 0), (0, 2), (2, 0)])
    func noFrame(size: (Int, Int)) throws {
        let gif = head.image(width: 2, height: 2, [1, 1, 1, 1]).image(width: size.0, height: size.1, [])
            .image(width: 1, height: 1, [2]).trailer()
        try expect(gif, [["rr", "rr"], ["rr", "rr"], ["gr", "rr"]])
    }

    @Test("Every pixel of a file without a palette is opaque black")
    func noPalette() throws {
        let gif = GIFBuilder(width: 2, height: 1, palette: nil).image(width: 2, height: 1, [0, 200]).trailer()
        try expect(gif, [["kk"]])
    }

    @Test("An index past the end of the palette is drawn as opaque black")
    func beyondPalette() throws {
        try expect(head.image(width: 2, height: 2, [1, 4, 255, 2]).trailer(), [["rk", "kg"]])
    }

    @Test("An index past the end of a local palette is black, even if an earlier palette has a colour for it")
    func stalePalette() throws {
        let short = [GIFBuilder.fourColors[1], GIFBuilder.fourColors[1]]
        let gif = head.image(width: 2, height: 2, [1, 2, 3, 0]).image(width: 2, height: 1, [0, 3], palette: short)
        try expect(gif.trailer(), [["rg", "bk"], ["rk", "bk"]])
    }

    @Test("An undefined LZW code is decoded as in giflib, and the next frame plays")
    func brokenData() throws {
        let broken = LZWEncoder.pack([256, 1, 2, 400, 3, 3], width: 9)
        let gif = head.image(width: 2, height: 2, data: broken).image(width: 1, height: 1, [3]).trailer()
        try expect(gif, [["rg", "gg"], ["bg", "gg"]])
    }

    @Test("After a clear code, a code that is not a colour index ends the frame", arguments: [257, 258, 259, 511])
    func afterClear(code: Int) throws {
        let broken = LZWEncoder.pack([256, 1, 2, 256, code, 3], width: 9)
        let gif = head.image(width: 2, height: 2, data: broken).image(width: 1, height: 1, [3]).trailer()
        try expect(gif, [["rg", ".."], ["bg", ".."]], [Damage(frame: 0, kind: .imageCut(decoded: 2, count: 4))])
    }

    @Test("If a frame with 256 opaque colours is damaged, every pixel before the damage is decoded")
    func damagedOpaque() throws {
        for index: UInt8 in [0, 4, 255] {
            let early = LZWEncoder.encode([1, index, index], minimumCodeSize: 8)
            let palette = Array(repeating: GIFBuilder.fourColors[1], count: 256)
            let gif = GIFBuilder(width: 2, height: 2, palette: palette).image(width: 2, height: 2, data: early)
            #expect(try gif.trailer().reader().allFrames().map(\.decoded) == [[1, index, index]])
        }
    }

    @Test("The last decoded pixel of a damaged frame is lost if it has the value that marks undecoded pixels")
    func markedPixel() throws {
        let early = LZWEncoder.encode([1, 2, 253], minimumCodeSize: 8)
        let frames = try head.image(width: 2, height: 2, data: early).trailer().reader().allFrames()
        #expect(frames.map(\.decoded) == [[1, 2]])
    }

    @Test("If image data ends early, the decoded pixels are kept, and the next block is read", arguments: [255, 1])
    func shortData(subBlock: Int) throws {
        // The last data byte is 0. The reader must not mistake it for the end of the data, even in its own sub-block.
        let short = LZWEncoder.pack([256, 1, 2], width: 9)
        #expect(short.last == 0)
        let gif = head.image(width: 2, height: 2, data: short, subBlock: subBlock).control(delay: 33)
            .image(width: 1, height: 1, [3])
        let reader = gif.trailer().reader()
        let frames = try reader.allFrames()
        #expect(frames.map(\.decoded) == [[1, 2], [3]])
        #expect(frames.map(\.delay) == [0, 33])
        #expect(reader.summary.damage == [Damage(frame: 0, kind: .imageCut(decoded: 2, count: 4))])
    }

    @Test("In truncated image data, only complete codes in complete sub-blocks are decoded", arguments: [false, true])
    func cutInData(interlaced: Bool) throws {
        let indices = (0..<100).map { UInt8($0 % 4) }
        let data = LZWEncoder.pack([256] + indices.map(Int.init) + [257], width: 9)
        let gif = GIFBuilder(width: 10, height: 10)
            .image(width: 10, height: 10, data: data, interlaced: interlaced, isTerminated: false)
        let dataStart = gif.bytes.count - data.count
        for count in 0..<data.count {
            let reader = gif.truncated(to: dataStart + count).reader()
            let frame = try #require(try reader.allFrames().first)
            // giflib decodes a sub-block only if it is complete, and this file has only one sub-block.
            #expect(frame.decoded.isEmpty && reader.summary.damage.contains { $0.kind == .fileCut })
        }
        for count in 0..<data.count {
            let short = GIFBuilder(width: 10, height: 10)
                .image(width: 10, height: 10, data: Array(data.prefix(count)), interlaced: interlaced).trailer()
            let reader = short.reader()
            let frame = try #require(try reader.allFrames().first)
            let complete = min(100, max(0, count * 8 / 9 - 1))
            #expect(frame.decoded == Array(indices.prefix(complete)) && frame.isInterlaced == interlaced)
            #expect(reader.summary.damage.isEmpty == (complete == 100))
        }
    }

    @Test("If the end code comes too early, the decoded pixels are kept")
    func earlyEnd() throws {
        let early = LZWEncoder.encode([1, 2, 3], minimumCodeSize: 8)
        let gif = head.image(width: 2, height: 2, data: early).image(width: 1, height: 1, [2]).trailer()
        try expect(
            gif, [["rg", "b."], ["gg", "b."]], [Damage(frame: 0, kind: .imageCut(decoded: 3, count: 4))])
    }

    @Test("If a frame with a transparent index is damaged, every pixel before the damage is drawn")
    func damagedTransparent() throws {
        let early = LZWEncoder.encode([1, 0, 2], minimumCodeSize: 8)
        let gif = head.image(width: 2, height: 2, [3, 3, 3, 3]).control(transparent: 0)
            .image(width: 2, height: 2, data: early).trailer()
        try expect(
            gif, [["bb", "bb"], ["rb", "gb"]], [Damage(frame: 1, kind: .imageCut(decoded: 3, count: 4))])
    }

    @Test("Image data after the last pixel of the frame is skipped")
    func longData() throws {
        let gif = head.image(
            width: 1, height: 1, data: LZWEncoder.encode([1, 2, 3, 2, 1], minimumCodeSize: 8), subBlock: 2
        )
        .image(x: 1, width: 1, height: 1, [2]).trailer()
        try expect(gif, [["r.", ".."], ["rg", ".."]])
    }

    @Test("If a frame's code size is 0 or above 8, only that frame is lost", arguments: [0, 9, 10, 11, 12, 13, 255])
    func codeSize(codeSize: Int) throws {
        let gif = head.image(width: 2, height: 2, data: [1, 2, 3], codeSize: codeSize).image(
            width: 2, height: 1, [1, 1])
        try expect(gif.trailer(), [["..", ".."], ["rr", ".."]], [Damage(frame: 0, kind: .codeSize(codeSize))])
    }

    @Test(
        "Image data beyond a multiple of what the pixels can need is not read, whatever the code size",
        arguments: 1...8)
    func excessiveData(codeSize: Int) throws {
        let clears = LZWEncoder.pack([Int](repeating: 1 << codeSize, count: 8 * 4_000), width: codeSize + 1)
        let gif = head.image(width: 2, height: 2, data: clears, codeSize: codeSize).image(width: 1, height: 1, [2])
        try expect(
            gif.trailer(), [["..", ".."], ["g.", ".."]],
            [Damage(frame: 0, kind: .imageCut(decoded: 0, count: 4))])
        #expect(try gif.trailer().reader().allFrames().count == 2)
    }

    @Test(
        "Any amount of data behind the last pixel is skipped, and the next frame plays",
        arguments: [0, 75, 76, 255, 5_000])
    func dataBehindPixels(count: Int) throws {
        let pixels = LZWEncoder.encode([1, 1, 1, 1], minimumCodeSize: 8)
        let data = pixels + [UInt8](repeating: 0, count: count)
        let gif = head.image(width: 2, height: 2, data: data, subBlock: 16).image(width: 1, height: 1, [2]).trailer()
        try expect(gif, [["rr", "rr"], ["gr", "rr"]])
    }

    @Test("An image with a clear code before each pixel is complete")
    func clearCodes() throws {
        var random = SeededRandom(1)
        let indices = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let codes = indices.flatMap { [256, Int($0)] } + [257]
        let gif = GIFBuilder(width: 100, height: 100)
            .image(width: 100, height: 100, data: LZWEncoder.pack(codes, width: 9)).trailer()
        let frame = try #require(try gif.reader().allFrames().first)
        #expect(frame.decoded == indices)
    }

    @Test("A zero byte between two blocks ends the file")
    func strayZero() throws {
        let gif = head.image(width: 2, height: 1, [1, 1]).raw([0]).image(width: 2, height: 1, [2, 2]).trailer()
        try expect(gif, [["rr", ".."]], [Damage(frame: 1, kind: .unknownBlock)])
    }

    @Test("A file without a trailer loses no frame, and only the trailer is reported as missing")
    func noTrailer() throws {
        try expect(head.image(width: 2, height: 1, [1, 1]), [["rr", ".."]], [Damage(frame: 1, kind: .noTrailer)])
    }

    @Test("Bytes after the trailer are not read")
    func rubbish() throws {
        let gif = head.image(width: 2, height: 1, [1, 1]).trailer().raw([0, 1, 2, 0x2C, 0x21, 0xFF])
        try expect(gif, [["rr", ".."]])
    }

    @Test("Extensions without sub-blocks are ignored", arguments: [0xF9, 0xFE, 0xFF, 0x01, 0x00, 0x77])
    func emptyExtensions(label: UInt8) throws {
        try expect(head.block(label, []).image(width: 2, height: 1, [1, 1]).trailer(), [["rr", ".."]])
    }

    @Test("A control extension is ignored if it is too short and read if it is too long", arguments: [0, 1, 3, 5])
    func controlSize(count: Int) throws {
        let body = Array([UInt8(0b1000), 9, 0, 0, 0].prefix(count))
        let gif = head.block(0xF9, [body].filter { !$0.isEmpty }).image(width: 1, height: 1, [1]).trailer()
        let frames = try gif.reader().allFrames()
        #expect(frames.map(\.delay) == [count < 4 ? 0 : 9])
        #expect(frames.map(\.disposal) == [count < 4 ? .keep : .clear])
    }

    @Test("Pixels decoded from a truncated file equal those of the whole file", arguments: [false, true])
    func cutAnywhere(interlaced: Bool) throws {
        let whole = head.loop(0).control(transparent: 0).image(
            width: 2, height: 2, [1, 2, 3, 1], interlaced: interlaced
        )
        .comment("between").control(delay: 4).image(width: 2, height: 2, [2, 2, 3, 3], interlaced: interlaced).trailer()
        let all = try whole.reader().allFrames()
        for length in 0..<whole.bytes.count {
            let reader = whole.truncated(to: length).reader()
            do throws(GIFError) {
                let frames = try reader.allFrames()
                #expect(frames.count <= 2 && !reader.summary.damage.isEmpty)
                for (frame, full) in zip(frames, all) { #expect(full.decoded.starts(with: frame.decoded)) }
            } catch {
                let known = [GIFError.empty, .notGIF(.text), .headerCut]
                let isNoImage = if case .noImage(let damage) = error { !damage.isEmpty } else { false }
                #expect(known.contains(error) || isNoImage, "\(length): \(error)")
            }
        }
    }

    @Test("Random byte changes cause no crash", arguments: 0..<40)
    func garbled(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var bytes = head.loop(0).control(transparent: 0).image(width: 2, height: 2, [1, 2, 3, 1])
            .image(width: 2, height: 2, [2, 2, 3, 3], palette: GIFBuilder.fourColors, interlaced: true).trailer().bytes
        for _ in 0..<30 {
            bytes[.random(in: 6..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            var limits = DecodeLimits()
            limits.canvasPixels = 1 << 20
            _ = try? GIFReader(MemoryByteSource(bytes), limits: limits).pictures()
        }
    }
}
