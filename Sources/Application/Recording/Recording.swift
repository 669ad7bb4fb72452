import Base
import Catalog
import Glibc
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
        let picture = ScaledPicture(
            try Canvas(size: frame.canvas), target: target, filter: options.fit.filter,
            backdrop: options.background.map { .solid($0) } ?? .terminal(background))
        var layers = SVGLayers(size: target, background: background, tolerance: options.fidelity.tolerance)
        var factor = 1.0
        if case .factor(let speed) = options.speed { factor = speed }
        var media: Int64 = 0
        var end = Instant(nanoseconds: 0)
        repeat {
            try picture.draw(frame)
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

/// Encodes a terminal session as an asciicast of version 2: a header line, then one line of JSON for each update.
enum CastWriter {
    static func header(size: CellSize, title: String) -> [UInt8] {
        var line = Array(#"{"version": 2, "width": \#(size.columns), "height": \#(size.rows), "title": ""#.utf8)
        append(escaping: title.utf8, to: &line)
        line += Array("\"}\n".utf8)
        return line
    }

    /// - Parameter parts: the bytes for the terminal; together, they must be valid UTF-8.
    static func update(at time: Instant, _ parts: UnsafeRawBufferPointer...) -> [UInt8] {
        var line: [UInt8] = []
        // In JSON, an escape character takes six bytes, so a typical update becomes about 1.6 times as long.
        line.reserveCapacity(parts.reduce(32) { $0 + $1.count * 2 })
        line += Array("[\(seconds(time)), \"o\", \"".utf8)
        for part in parts { append(escaping: part, to: &line) }
        line += Array("\"]\n".utf8)
        return line
    }

    /// Exact, with at most nine decimals.
    static func seconds(_ time: Instant) -> String {
        let (whole, fraction) = time.nanoseconds.quotientAndRemainder(dividingBy: Span.second)
        let digits = String(fraction)
        let padded = String(repeating: "0", count: 9 - digits.count) + digits
        let decimals = String(padded.reversed().drop { $0 == "0" }.reversed())
        return decimals.isEmpty ? "\(whole)" : "\(whole).\(decimals)"
    }

    private static func append(escaping bytes: some Sequence<UInt8>, to line: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                line.append(UInt8(ascii: "\\"))
                line.append(byte)
            case 0..<0x20, 0x7F:
                let digits = String(byte, radix: 16)
                line += Array(#"\u00"#.utf8) + Array((digits.utf8.count == 1 ? "0" + digits : digits).utf8)
            default: line.append(byte)
            }
        }
    }
}

/// Its clock is virtual, so the recorded times are exact, and recording does not wait between frames.
final class CastTerminal: PlaybackTerminal {
    private let clock: VirtualTerminal
    private let sink: Recording.Sink
    private let mayContinue: Recording.Progress
    private var isClosed = false

    init(
        size: CellSize, title: String, mayContinue: @escaping Recording.Progress = { _, _ in true },
        sink: @escaping Recording.Sink
    ) {
        self.mayContinue = mayContinue
        clock = VirtualTerminal(traits: TerminalTraits(size: size), recordsUpdates: false)
        self.sink = sink
        write(CastWriter.header(size: size, title: title))
        record("\u{1B}[?25l")
    }

    var now: Instant { clock.now }
    var traits: TerminalTraits { clock.traits }
    var isDrained: Bool { true }
    var waker: @Sendable () -> Void { {} }

    func wait(until deadline: Instant?) -> TerminalEvent {
        let event = isClosed ? .closed : clock.wait(until: deadline)
        return mayContinue(now, 0) ? event : .closed
    }

    func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
        guard picture.count + text.count > 0 else { return }
        write(CastWriter.update(at: now, picture, text))
    }

    /// Records the end of the session, which determines for how long a player displays the last frame.
    func finish() { record("\u{1B}[0m\u{1B}[?25h") }

    private func record(_ text: String) {
        var text = text
        text.withUTF8 { write(CastWriter.update(at: now, UnsafeRawBufferPointer($0))) }
    }

    private func write(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        isClosed = !sink(bytes)
    }
}
