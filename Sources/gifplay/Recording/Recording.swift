import Base
import GIFDecode
import Pixels
import Playback

/// Records a GIF as it looks in a terminal. The functions take bytes and write bytes; they neither wait nor open files.
enum Recording {
    /// Writes a part of a recording; returns false if nothing more can be written, which ends the recording.
    typealias Sink = ([UInt8]) -> Bool
    /// Called with the time up to which the GIF is recorded, and the bytes that are held in memory; returns false to end
    /// the recording there.
    typealias Progress = (Instant, Int) -> Bool

    /// Records the GIF as an asciicast of version 2. The recorded terminal has the size of the picture.
    /// - Parameters:
    ///   - size: the largest size of the picture, in cells.
    ///   - options: if the loops have no end, the duration must be set.
    /// - Returns: the summary of the file. It lists all damage only if a whole loop iteration was recorded.
    static func writeCast(
        _ reader: GIFReader, size: CellSize, options: PlaybackOptions, title: String,
        while mayContinue: @escaping Progress = { _, _ in true }, to sink: @escaping Sink
    ) throws(GIFError) -> GIFReader.Summary {
        let source = try PeekedFrameSource(reader)
        var options = options
        options.screen = .full
        options.showsStatus = false
        let terminal = CastTerminal(
            size: pane(source.canvas, in: size, options.fit), title: title, mayContinue: mayContinue, sink: sink)
        let player = Player(source: source, terminal: terminal, options: options, label: PlaybackLabel(title: ""))
        if case .failed(let error) = player.run() { throw error }
        terminal.finish()
        return reader.summary
    }

    /// Returns the smallest pane in which the picture has the same size as in a pane of `size`. Scaling rounds, so a
    /// pane of exactly the picture's size can make it one pixel smaller. An additional row or column prevents this.
    static func pane(_ canvas: PixelSize, in size: CellSize, _ fit: PictureFit) -> CellSize {
        let target = fit.target(for: canvas, in: size)
        let cells = CellSize(columns: target.width, rows: (target.height + 1) / 2)
        let candidates = [
            cells, CellSize(columns: cells.columns, rows: cells.rows + 1),
            CellSize(columns: cells.columns + 1, rows: cells.rows),
        ]
        return candidates.first { fit.target(for: canvas, in: $0) == target } ?? size
    }

    /// Records one loop iteration of the GIF as an animated SVG, which repeats this iteration.
    /// - Parameters:
    ///   - size: the largest size of the picture, in cells.
    ///   - options: the loops determine how often the SVG plays the iteration; the duration ends the iteration early.
    /// - Returns: the summary of the file. It is complete unless the duration ended the recording early.
    static func writeSVG(
        _ reader: GIFReader, size: CellSize, options: PlaybackOptions, title: String,
        while mayContinue: Progress = { _, _ in true }, to sink: Sink
    ) throws(GIFError) -> GIFReader.Summary {
        let frame = IndexedFrame()
        guard try reader.next(into: frame) else { throw .noImage(reader.summary.damage) }
        let target = options.fit.target(for: frame.canvas, in: size)
        let background = options.background ?? .black
        var picture = ScaledPicture(
            try Canvas(for: frame), target: target, filter: options.fit.filter,
            backdrop: options.background.map { .solid($0) } ?? .terminal(background))
        var layers = SVGLayers(size: target, background: background, tolerance: options.fidelity.tolerance)
        var factor = 1.0
        if case .factor(let speed) = options.speed { factor = speed }
        var media: Int64 = 0
        var end = Instant(nanoseconds: 0)
        repeat {
            do { try picture.draw(frame) } catch { throw .outOfMemory }
            picture.update()
            layers.add(picture.pixels, at: end)
            media += frame.playNanoseconds
            end = Instant(nanoseconds: Int64(Double(media) / factor))
            if let duration = options.duration, end.nanoseconds >= duration {
                end = Instant(nanoseconds: duration)
                break
            }
        } while mayContinue(end, layers.bytes) ? try reader.next(into: frame) : false
        let document = SVGDocument(
            size: target, background: background, title: title, end: end,
            repetitions: repetitions(options.loops, reader.summary))
        document.write(layers.segments, to: sink)
        return reader.summary
    }

    /// Nil for no end.
    private static func repetitions(_ rule: LoopRule, _ summary: GIFReader.Summary) -> Int? {
        switch rule {
        case .forever: nil
        case .times(let count): count
        case .file: summary.loopCount.map { $0 == 0 ? nil : $0 + 1 } ?? 1
        }
    }
}

/// A frame source whose first frame is read in advance, because the size of a recording depends on the canvas.
final class PeekedFrameSource: FrameSource {
    private let source: DirectFrameSource
    private var first: IndexedFrame?
    let canvas: PixelSize

    init(_ reader: GIFReader) throws(GIFError) {
        source = DirectFrameSource(reader)
        switch source.next() {
        case .frame(let frame):
            first = frame
            canvas = frame.canvas
        case .failed(let error): throw error
        case .pending, .end: throw .noImage(reader.summary.damage)
        }
    }

    func next() -> FrameStep {
        guard let first else { return source.next() }
        self.first = nil
        return .frame(first)
    }

    func rewind() { if first == nil { source.rewind() } }
}
