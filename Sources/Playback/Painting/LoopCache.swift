import Base
import Pixels

/// Records the bytes of every frame during one loop iteration, and replays them in later iterations.
///
/// If the recording exceeds the limit, the cache drops the bytes and keeps only the changed cells, which take a third
/// of the memory. A replay then encodes the cells again, but does not decode, compose or scale anything.
///
/// A replay is correct because frame 0 of each loop iteration is encoded exactly. After frame 0 the terminal always
/// shows the same picture, so the updates to the following frames are always the same. Entry `n` is the update from
/// frame `n - 1` to frame `n`; entry 0 is the update from the last frame to the first.
///
/// If the terminal keeps the frames (``KittyEncoder``), the cache records nothing. A replay names frames, or the
/// terminal repeats them.
final class LoopCache {
    struct Entry {
        var bytes: Range<Int>
        var changes: Range<Int>
    }

    private enum Mode {
        /// Frames are decoded and not recorded.
        case decoding
        /// Frames are decoded, and entries 1 and up are recorded in order.
        case recording
        /// The recording is complete, but the user has left the replay. Frames are decoded until the next frame 0.
        case recorded
        /// The frame on the screen and the next frame come from the recording. The record of the screen
        /// includes the frames up to `syncedFrame`. The screen can show a later frame.
        case replaying(syncedFrame: Int)
    }

    /// The maximum memory of the cache, in bytes; 0 turns the cache off.
    var limit: Int
    private var mode = Mode.decoding
    private var bytes = ByteBuffer()
    private var hasBytes = true
    private var changes = CellChanges()
    private var entries: [Entry] = []
    /// The delays of the frames that were decoded so far, in nanoseconds, in order.
    private var delays: [Int64] = []
    /// The fidelity of the recorded frames except frame 0, which is always exact.
    private(set) var fidelity = Fidelity.exact
    /// The changes of the current frame; nil unless frames are recorded.
    var frameChanges: CellChanges?
    private let picture: ScreenPicture
    private var output = ByteBuffer()

    init(limit: Int, _ picture: ScreenPicture) {
        self.limit = limit
        self.picture = picture
    }

    var isRecording: Bool { if case .recording = mode { true } else { false } }
    var isReplaying: Bool { if case .replaying = mode { true } else { false } }
    private var store: KittyEncoder? { picture.frameStore }
    private var size: Int { bytes.count + changes.byteCount + entries.count * MemoryLayout<Entry>.stride }

    /// Deletes the recording and frees its memory.
    /// - Returns: whether a replay was running. If so, the caller must decode the frame on the screen again, because the
    ///   canvas does not contain it.
    @discardableResult
    func discard() -> Bool {
        if case .decoding = mode { return false }
        let wasReplaying = isReplaying
        mode = .decoding
        bytes = ByteBuffer()
        hasBytes = true
        changes = CellChanges()
        entries.removeAll()
        return wasReplaying
    }

    // MARK: - Recording

    func noteDelay(_ delay: Int64, of number: Int) { if number == delays.count { delays.append(delay) } }

    /// Prepares ``frameChanges`` for the update of a decoded frame.
    func beginFrame() {
        frameChanges = isRecording ? frameChanges ?? CellChanges() : nil
        frameChanges?.removeAll()
    }

    /// Records that a frame was dropped. A recording in progress is then incomplete.
    func noteDroppedFrame() { if !isReplaying { discard() } }

    /// Records a decoded frame when it is sent. The update is given as bytes (`encoded`) and cells (``frameChanges``).
    ///
    /// Frame 0 is always encoded exactly. It starts a replay if all `frames` frames are recorded, else a recording.
    /// - Parameter fidelity: the fidelity of the frames that follow frame 0.
    func record(frame number: Int, frames: Int?, fidelity: Fidelity, encoded: borrowing ByteBuffer) {
        if case .recording = mode { append(number, frames, encoded) }
        guard number == 0 else { return }
        if let store {
            guard let frames, (0..<frames).allSatisfy(store.isStored) else { return }
            self.fidelity = fidelity
            mode = .replaying(syncedFrame: 0)
        } else if case .recorded = mode {
            mode = .replaying(syncedFrame: 0)
        } else if limit > 0 {
            discard()
            self.fidelity = fidelity
            mode = .recording
            // A placeholder for entry 0, which is known only when the loop returns to frame 0.
            entries.append(Entry(bytes: 0..<0, changes: 0..<0))
        }
    }

    /// Appends the entry of a frame. Frame 0 of the next loop iteration replaces the entry of the first frame 0, and
    /// the recording is then complete. Discards the recording if an earlier frame is missing, because it was dropped.
    /// Discards the bytes if the recording exceeds the limit, and all of it if that is not enough.
    private func append(_ number: Int, _ frames: Int?, _ encoded: borrowing ByteBuffer) {
        let closes = number == 0
        guard closes ? entries.count == frames : number == entries.count else {
            discard()
            return
        }
        let firstByte = bytes.count
        let firstChange = changes.count
        if hasBytes { bytes.append(encoded.bytes) }
        if let frameChanges { changes.append(contentsOf: frameChanges) }
        let entry = Entry(bytes: firstByte..<bytes.count, changes: firstChange..<changes.count)
        if size > limit, hasBytes {
            hasBytes = false
            bytes = ByteBuffer()
        }
        guard size <= limit else {
            discard()
            return
        }
        if closes {
            entries[0] = entry
            mode = .recorded
        } else {
            entries.append(entry)
        }
    }

    // MARK: - Replaying

    /// The frame after frame `number`; frame 0 after the last one.
    func next(after number: Int) -> (frame: Int, delay: Int64) {
        let frame = (number + 1) % delays.count
        return (frame, delays[frame])
    }

    /// Returns the bytes that replace frame `shown`, which is on the screen, by the recorded frame `frame`. The bytes
    /// are valid until the next call of any method.
    func replay(from shown: Int, to frame: Int) -> UnsafeRawBufferPointer {
        if let store {
            output.removeAll()
            store.appendFrame(frame, into: &output)
            return output.bytes
        }
        let isNext = frame == next(after: shown).frame
        if isNext, let bytes = bytes(of: frame) { return bytes }
        output.removeAll()
        if isNext {
            picture.encode(changes[entries[frame].changes], into: &output)
        } else {
            includeReplayed(through: shown)
            picture.encode(allOf: takeUnsynced(through: frame), into: &output)
        }
        return output.bytes
    }

    /// Ends a replay at frame `shown`, but keeps the recording. The next replay starts when frame 0 is drawn again.
    /// - Returns: whether a replay was running. If so, the source must be rewound.
    func stopReplay(at shown: Int) -> Bool {
        guard isReplaying else { return false }
        includeReplayed(through: shown)
        mode = .recorded
        return true
    }

    /// Applies the replayed updates, up to frame `shown`, to the record of the screen.
    func includeReplayed(through shown: Int) { for update in takeUnsynced(through: shown) { picture.include(update) } }

    /// Returns and forgets the replayed updates, up to frame `last`, that are not in the record of the screen.
    func takeUnsynced(through last: Int) -> [CellChanges.Slice] {
        guard store == nil, case .replaying(var number) = mode else { return [] }
        var updates: [CellChanges.Slice] = []
        while number != last {
            number = (number + 1) % entries.count
            updates.append(changes[entries[number].changes])
        }
        mode = .replaying(syncedFrame: last)
        return updates
    }

    /// The bytes of the update to frame `number`; nil if the cache keeps only the cells.
    func bytes(of number: Int) -> UnsafeRawBufferPointer? {
        hasBytes ? UnsafeRawBufferPointer(rebasing: bytes.bytes[entries[number].bytes]) : nil
    }

    /// The bytes that end a repetition by the terminal.
    var stopSequence: [UInt8] {
        var bytes = ByteBuffer(capacity: 64)
        store?.appendStop(into: &bytes)
        return Array(bytes.bytes)
    }

    /// Returns the bytes that make the terminal repeat the loop by itself, beginning with frame 0; nil if it cannot.
    /// - Parameters:
    ///   - summary: nil if the number of frames is not known yet.
    ///   - file: returns the bytes of the GIF; nil if they are not available.
    func repetition(
        of summary: GIFReader.Summary?, speed: Double, file: () -> [UInt8]?
    ) -> UnsafeRawBufferPointer? {
        let (store, filePlayer) = (store, picture.filePlayer)
        guard store != nil || filePlayer != nil, let summary, summary.frames > 1, delays.count == summary.frames else {
            return nil
        }
        let delays = delays.map { Int64(Double($0) / speed) }
        output.removeAll()
        if let store, store.canRepeat(summary.frames) {
            store.appendRepetition(delays: delays, into: &output)
        } else if let filePlayer, let copy = repeatingCopy(summary, delays, file) {
            filePlayer.appendFile(copy, into: &output)
        } else {
            return nil
        }
        return output.bytes
    }

    /// Returns the GIF with these delays; nil if a terminal could show it in another way, or needs too much memory.
    private func repeatingCopy(
        _ summary: GIFReader.Summary, _ delays: [Int64], _ file: () -> [UInt8]?
    ) -> [UInt8]? {
        let unit = 10 * Span.millisecond
        // Terminals show frames with shorter delays for 100 ms, as browsers do.
        guard summary.damage.isEmpty, summary.bytes <= ITerm2Encoder.largestFile,
            delays.allSatisfy({ $0 >= 2 * unit && $0 % unit == 0 && $0 / unit <= 0xFFFF }),
            picture.canvasSize.area * 4 * summary.frames <= KittyEncoder.defaultFrameMemory, let file = file(),
            file.count <= ITerm2Encoder.largestFile
        else { return nil }
        return GIFCopy.repeating(file, delays: delays.map { Int($0 / unit) })
    }
}
