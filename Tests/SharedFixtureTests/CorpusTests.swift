import FoundationEssentials
import Pixels
import TestSupport
import Testing

/// Decodes real GIFs, draws them on a virtual screen and compares the screen with the output of the reference renderer.
///
/// Only the undamaged files, which expected.json lists, are compared. In a debug build, the reference renderer takes
/// microseconds per pixel. Therefore files of more than 40,000 pixels (200x200) are skipped, and only the first three
/// frames are compared, in three pane sizes.
@Suite(
    .enabled(if: SharedFolder.isRequested || SharedFolder.exists, "no folder of shared fixtures: set GIFPLAY_SHARED"))
struct CorpusTests {
    private static let mostPixels = 200 * 200
    private static let mostFrames = 3
    private static let boxes = [(1, 1), (13, 7), (40, 12)].map { CellSize(columns: $0.0, rows: $0.1) }

    private struct Expected: Decodable {
        var width: Int
        var height: Int
    }

    private static func files() throws -> [URL] {
        let corpus = SharedFolder.folder.appending(path: "corpus")
        let text = try Data(contentsOf: corpus.appending(path: "expected.json"))
        let expected = try JSONDecoder().decode([String: Expected].self, from: text)
        return expected.filter { $0.value.width * $0.value.height <= mostPixels }.keys.sorted()
            .map { corpus.appending(path: $0) }
    }

    @Test("The screen equals the output of the reference renderer, within the tolerance of the fidelity")
    func screens() throws {
        let files = try Self.files()
        #expect(files.count > 100)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            for box in Self.boxes { try compare(bytes, box, file.lastPathComponent) }
        }
    }

    private func compare(_ bytes: [UInt8], _ box: CellSize, _ name: String) throws {
        let reader = GIFReader(MemoryByteSource(bytes))
        let frame = IndexedFrame()
        guard try reader.next(into: frame) else { return }
        let target = PictureFit().target(for: frame.canvas, in: box)
        var reference = ReferenceRenderer(canvas: frame.canvas)
        let canvas = try Canvas(size: frame.canvas)
        let scaler = Scaler(
            source: frame.canvas, target: target, filter: .smooth, backdrop: .terminal(.black))
        let raster = PictureRaster(size: target)
        var exact = try Screen(raster.size, .exact)
        var standard = try Screen(raster.size, .standard)
        repeat {
            let isFirst = frame.number == 0
            reference.draw(frame)
            let dirty = try canvas.draw(frame)
            let changed = scaler.scale(canvas, dirty: isFirst ? PixelRect(canvas.size) : dirty, into: raster)
            let plain = reference.scaled(to: target, filter: .smooth, backdrop: .terminal(.black))
            let label = "\(name), \(box), frame \(frame.number)"
            #expect(try exact.update(raster, changed) == plain, "\(label)")
            let shown = try standard.update(raster, changed)
            #expect(zip(shown, plain).allSatisfy { visibleDifference($0, $1) <= 1 }, "\(label)")
        } while try frame.number + 1 < Self.mostFrames && reader.next(into: frame)
    }
}

/// A screen that receives the changes of a raster, encoded with the given fidelity.
private struct Screen: ~Copyable {
    private var encoder: HalfBlockEncoder
    private let fidelity: Fidelity
    private var screen: VirtualScreen
    private var out = ByteBuffer()

    init(_ size: PixelSize, _ fidelity: Fidelity) throws {
        encoder = HalfBlockEncoder(size: size, addressing: .absolute(row: 1, column: 1))
        encoder.assumeCleared()
        screen = VirtualScreen(columns: size.width, rows: size.height / 2 + 1)
        self.fidelity = fidelity
    }

    /// Encodes the changed part of the raster, feeds the result to the screen and returns the colours on the screen.
    mutating func update(_ raster: borrowing PictureRaster, _ dirty: PixelRect) throws -> [CellColor] {
        out.removeAll()
        var nothing: CellChanges?
        encoder.encode(raster, dirty: dirty, fidelity: fidelity, into: &out, recording: &nothing)
        try screen.feed(Array(out.bytes))
        return screen.halves(raster.cells)
    }
}
