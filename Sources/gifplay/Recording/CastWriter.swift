import Base
import Pixels
import Playback
import TerminalIO

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
