import Base
import Pixels
import Playback

/// A terminal that records all updates as an asciicast. Its clock is virtual. Therefore the recorded times are exact,
/// and recording does not wait between frames.
final class CastTerminal: PlaybackTerminal {
    private let clock: VirtualTerminal
    private let sink: ([UInt8]) -> Bool
    private var isClosed = false

    /// - Parameter sink: writes a part of the recording; returns false if nothing more can be written.
    init(size: CellSize, title: String, sink: @escaping ([UInt8]) -> Bool) {
        clock = VirtualTerminal(traits: TerminalTraits(size: size), recordsUpdates: false)
        self.sink = sink
        write(CastWriter.header(size: size, title: title))
        record("\u{1B}[?25l")
    }

    var now: Instant { clock.now }
    var traits: TerminalTraits { clock.traits }
    var isDrained: Bool { true }
    var waker: @Sendable () -> Void { {} }

    func wait(until deadline: Instant?) -> TerminalEvent { isClosed ? .closed : clock.wait(until: deadline) }

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
