import Pixels
import TestSupport
import Testing

@Suite("Animations of kitty graphics")
struct KittyFramesTests {
    private static let cell = PixelSize(width: 10, height: 20)
    private static let image = 0x123456

    private struct Session: ~Copyable {
        let raster: PictureRaster
        let encoder: KittyEncoder
        var screen: KittyScreen
        var random: SeededRandom
        /// The pixels of each frame that was drawn.
        var pictures: [Int: [CellColor]] = [:]
        var output: [UInt8] = []

        init(
            height: Int = 100, transport: KittyTransport = .direct, compresses: Bool = true,
            features: KittyFeatures? = nil,
            frameMemory: Int = KittyEncoder.defaultFrameMemory
        ) {
            raster = PictureRaster(
                size: PixelSize(width: 70, height: height), pixelsPerCell: KittyFramesTests.cell)
            encoder = KittyEncoder(
                size: raster.size, pixelsPerCell: KittyFramesTests.cell, addressing: .absolute(row: 1, column: 1),
                transport: transport, features: features ?? KittyFeatures(storesFrames: true, compresses: compresses),
                firstImage: KittyFramesTests.image, frameMemory: frameMemory)
            screen = KittyScreen(size: raster.size, cell: KittyFramesTests.cell)
            screen.keepsFrames = true
            random = SeededRandom(UInt64(height))
            encoder.assumeCleared()
        }

        func animation() throws -> KittyAnimation { try #require(screen.animations[KittyFramesTests.image]) }

        /// Changes a random part of the raster.
        mutating func change() -> PixelRect {
            let x = Int.random(in: 0..<70, using: &random)
            let y = Int.random(in: 0..<raster.size.height, using: &random)
            let area = PixelRect(x: x, y: y, width: 40, height: 50).intersection(PixelRect(raster.size))
            for row in area.y..<area.maxY {
                for index in row * 70 + area.x..<row * 70 + area.maxX {
                    raster.pixels[index] = index % 7 == 0 ? .terminalDefault : .random(using: &random)
                }
            }
            return area
        }

        mutating func draw(_ frame: Int, of count: Int? = nil, dirty: PixelRect? = nil) throws {
            var out = ByteBuffer()
            var none: CellChanges?
            if let store = encoder.frameStore {
                store.beginFrame(frame, of: count)
                pictures[frame] = Array(raster.pixels)
            }
            encoder.encode(
                raster, dirty: dirty ?? PixelRect(raster.size), fidelity: .exact, into: &out, recording: &none)
            try feed(out)
            #expect(screen.pixels == Array(raster.pixels))
        }

        mutating func show(_ frame: Int) throws {
            var out = ByteBuffer()
            encoder.appendFrame(frame, into: &out)
            try feed(out)
        }

        mutating func run(_ delays: [Int64]) throws {
            var out = ByteBuffer()
            encoder.appendRepetition(delays: delays, into: &out)
            try feed(out)
        }

        private mutating func feed(_ out: borrowing ByteBuffer) throws {
            output = Array(out.bytes)
            try screen.feed(output + [0x1B])
        }

        /// Expects that the terminal shows each stored frame exactly.
        mutating func expectFrames(_ frames: Range<Int>) throws {
            for frame in frames {
                #expect(encoder.isStored(frame))
                try show(frame)
                #expect(screen.pixels == pictures[frame], "frame \(frame)")
                #expect(output.count < 40)
            }
        }
    }

    @Test(
        "The terminal keeps the exact picture of each frame, and only changed rectangles are sent",
        arguments: [true, false],
        SharedObjects.areAvailable ? [KittyTransport.direct, .sharedMemory] : [.direct])
    func frames(compresses: Bool, transport: KittyTransport) throws {
        var session = Session(transport: transport, compresses: compresses)
        session.raster.pixels.update(repeating: .black)
        for frame in 0..<8 {
            let dirty = frame == 3 ? PixelRect.empty : session.change()
            try session.draw(frame, dirty: frame == 0 ? nil : dirty)
        }
        #expect(session.screen.images == [Self.image])
        #expect(try session.animation().frames.count == 8)
        #expect(try session.animation().receivedPixels < session.raster.size.area + 7 * 40 * 50 + 1)
        try session.expectFrames(0..<8)
        #expect(SharedObjects.existing(session.screen.sharedObjects) == [])
    }

    @Test(
        "Without stored frames, each update changes the hidden frame of the image and displays it",
        arguments: [true, false])
    func swapped(isWhole: Bool) throws {
        var features = KittyFeatures()
        (features.swapsFrames, features.sendsWholeFrames) = (true, isWhole)
        var session = Session(features: features)
        session.raster.pixels.update(repeating: .black)
        for number in 0..<12 {
            let dirty = number == 3 ? PixelRect.empty : session.change()
            try session.draw(number, dirty: number == 0 ? nil : dirty)
            let text = String(decoding: session.output, as: UTF8.self)
            #expect(number == 0 || !text.contains("a=T") && (number == 3) == text.isEmpty)
        }
        #expect(session.screen.images == [Self.image])
        #expect(try session.animation().frames.count == 2)
        session.encoder.assumeCleared()
        _ = session.change()
        try session.draw(0)
        #expect(try session.animation().frames.count == 1)
    }

    @Test("Frames that were dropped are filled later, and do not change the frames after them")
    func dropped() throws {
        var session = Session()
        for frame in 0..<10 where ![1, 4, 5, 9].contains(frame) {
            _ = session.change()
            try session.draw(frame)
        }
        #expect([1, 4, 5, 9].allSatisfy { !session.encoder.isStored($0) } && !session.encoder.canRepeat(10))
        for frame in [1, 4, 5, 9] {
            _ = session.change()
            try session.draw(frame, of: 10)
        }
        #expect(session.encoder.canRepeat(10))
        try session.expectFrames(0..<10)
    }

    @Test("An animation that begins with a later frame of the GIF repeats the frames in the right order")
    func laterStart() throws {
        var session = Session()
        for frame in 3..<5 {
            _ = session.change()
            try session.draw(frame)
        }
        for frame in 0..<3 {
            _ = session.change()
            try session.draw(frame, of: 5)
        }
        try session.expectFrames(0..<5)
        try session.run([10, 20, 30, 40, 50].map { $0 * 1_000_000 })
        #expect(session.screen.pixels == session.pictures[0])
        #expect(try session.animation().frames.map(\.gap) == [40, 50, 10, 20, 30])
        // The terminal's frame 3 is frame 0 of the GIF. After it come frames 1, 2, 3, 4 and 0 again.
        let animation = try session.animation()
        #expect([0, 10, 30, 60, 100, 150].map { animation.frame(after: $0) } == [2, 3, 4, 0, 1, 2])
    }

    @Test("Until the number of frames is known, a frame with a lower number begins a new animation")
    func unknownCount() throws {
        var session = Session()
        _ = session.change()
        try session.draw(3)
        _ = session.change()
        try session.draw(1)
        #expect(try session.animation().frames.count == 1)
        #expect(!session.encoder.isStored(3))
        try session.expectFrames(1..<2)
    }

    @Test("The gaps are sent once for each speed; a frame that is shown ends the repetition")
    func repetition() throws {
        var session = Session()
        for frame in 0..<20 {
            _ = session.change()
            try session.draw(frame)
        }
        let delays = Array(repeating: Int64(30_000_000), count: 20)
        try session.run(delays)
        #expect(try session.animation().isRunning)
        #expect(session.screen.pixels == session.pictures[0])
        #expect(try session.animation().frames.allSatisfy { $0.gap == 30 })
        try session.show(7)
        let isRunning = try session.animation().isRunning
        #expect(!isRunning && session.screen.pixels == session.pictures[7])
        try session.run(delays)
        #expect(try session.animation().isRunning)
        #expect(session.output.count < 50)
        try session.run(delays.map { $0 / 100 })
        #expect(try session.animation().frames.allSatisfy { $0.gap == 1 })
    }

    @Test("If the frames exceed the memory limit, strips replace them; the end of playback deletes all images")
    func limit() throws {
        var session = Session(frameMemory: 80_000)
        for frame in 0..<8 {
            _ = session.change()
            try session.draw(frame)
        }
        #expect(session.encoder.frameStore == nil)
        #expect(session.screen.images.count == 5 && session.screen.images.isSubset(of: Self.image..<Self.image + 32))
        #expect(session.screen.animations.values.allSatisfy { $0.frames.count == 1 })
        var out = ByteBuffer()
        session.encoder.end(keepsPicture: false, into: &out)
        try session.screen.feed(Array(out.bytes))
        #expect(session.screen.images.isEmpty)
    }

    @Test(
        "After the screen was cleared, or the colours have changed, the frames are sent again",
        arguments: [true, false])
    func cleared(isCleared: Bool) throws {
        var session = Session()
        for frame in 0..<3 {
            _ = session.change()
            try session.draw(frame)
        }
        if isCleared { session.encoder.assumeCleared() } else { session.encoder.removeFrames() }
        #expect(!session.encoder.isStored(0))
        try session.draw(1, of: 3)
        #expect(try session.animation().frames.count == 1)
    }
}
