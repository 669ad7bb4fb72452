import Pixels

/// The bytes of every frame of a loop, as they were first written, for writing them again.
///
/// A loop whose bytes pass the limit is kept as the cells that they set, a third of the size: those
/// are encoded again each time, but nothing is decoded, composed or scaled.
///
/// Holds good because frame 0 of each pass is encoded exactly: whatever the terminal showed at the
/// end of the first pass, it shows the same at the start of each, and so the same differences
/// follow. Entry `n` leads from frame `n - 1` to frame `n`; entry 0 leads from the last to the first.
struct LoopCache: ~Copyable {
    struct Entry {
        var bytes: Range<Int>
        var changes: Range<Int>
        var delay: Int64
    }

    private enum State {
        case idle
        /// Entries 1 and up are being recorded in order.
        case recording
        case complete
    }

    private let limit: Int
    private var state = State.idle
    private var bytes = ByteBuffer()
    private var keepsBytes = true
    private var changes: CellChanges? = CellChanges()
    private var entries: [Entry] = []
    /// Of the frames after frame 0.
    private(set) var fidelity = Fidelity.exact

    /// - Parameter limit: bytes that the cache may take; 0 turns it off.
    init(limit: Int) {
        self.limit = limit
    }

    var isComplete: Bool { state == .complete }
    var isRecording: Bool { state == .recording }
    var count: Int { entries.count }
    /// What it takes of memory.
    var size: Int { bytes.count + (changes?.byteCount ?? 0) + entries.count * MemoryLayout<Entry>.stride }

    /// Frame 0 of a pass was shown exactly: the next ones may be recorded, all at one fidelity.
    mutating func start(delay: Int64, fidelity: Fidelity) {
        guard limit > 0 else { return }
        discard()
        self.fidelity = fidelity
        state = .recording
        // Stands in for entry 0, which is known only when the pass has come round.
        entries.append(Entry(bytes: 0..<0, changes: 0..<0, delay: delay))
    }

    /// Drops what was recorded, and its room.
    mutating func discard() {
        guard state != .idle || !entries.isEmpty else { return }
        state = .idle
        bytes = ByteBuffer()
        keepsBytes = true
        changes = CellChanges()
        entries.removeAll()
    }

    /// Appends the entry of frame `number`, which `write` encodes.
    ///
    /// A frame out of order (one was dropped) or one too many for the limit discards the recording;
    /// frame 0 completes it when all `frames` are there.
    mutating func record(
        frame number: Int, delay: Int64, frames: Int?, encoded: borrowing ByteBuffer, _ cells: CellChanges
    ) {
        guard state == .recording else { return }
        let closes = number == 0
        guard closes ? entries.count == frames : number == entries.count else { return discard() }
        let firstByte = bytes.count
        let firstChange = changes?.count ?? 0
        if keepsBytes { bytes.append(encoded.bytes) }
        changes?.append(contentsOf: cells)
        let entry = Entry(bytes: firstByte..<bytes.count, changes: firstChange..<(changes?.count ?? 0), delay: delay)
        if size > limit, keepsBytes {
            keepsBytes = false
            bytes = ByteBuffer()
        }
        guard size <= limit else { return discard() }
        if closes {
            entries[0] = entry
            state = .complete
        } else {
            entries.append(entry)
        }
    }

    func entry(_ number: Int) -> Entry { entries[number] }

    /// The bytes that lead to frame `number`, valid until the cache changes; nil where only the
    /// cells are kept.
    func bytes(of number: Int) -> UnsafeRawBufferPointer? {
        keepsBytes ? UnsafeRawBufferPointer(rebasing: bytes.bytes[entries[number].bytes]) : nil
    }

    func changes(of number: Int) -> CellChanges.Slice? {
        changes?[entries[number].changes]
    }
}
