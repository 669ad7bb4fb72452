import Pixels

/// Records the bytes of every frame during one loop iteration, so that later iterations can write them again.
///
/// If the recording exceeds the limit, the cache drops the bytes and keeps only the changed cells, which take a third
/// of the memory. A replay then encodes the cells again, but does not decode, compose or scale anything.
///
/// A replay is correct because frame 0 of each loop iteration is encoded exactly. After frame 0 the terminal always
/// shows the same picture, so the updates to the following frames are always the same. Entry `n` is the update from
/// frame `n - 1` to frame `n`; entry 0 is the update from the last frame to the first.
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
    private var hasBytes = true
    private var changes: CellChanges? = CellChanges()
    private var entries: [Entry] = []
    /// The fidelity of the recorded frames except frame 0, which is always exact.
    private(set) var fidelity = Fidelity.exact

    /// - Parameter limit: the maximum memory of the cache, in bytes; 0 turns the cache off.
    init(limit: Int) {
        self.limit = limit
    }

    var isComplete: Bool { state == .complete }
    var isRecording: Bool { state == .recording }
    var count: Int { entries.count }
    /// The memory in use, in bytes.
    var size: Int { bytes.count + (changes?.byteCount ?? 0) + entries.count * MemoryLayout<Entry>.stride }

    /// Starts a recording after frame 0 was shown with exact fidelity. All later frames must have the given fidelity.
    mutating func start(delay: Int64, fidelity: Fidelity) {
        guard limit > 0 else { return }
        discard()
        self.fidelity = fidelity
        state = .recording
        // A placeholder for entry 0, which is known only when the loop returns to frame 0.
        entries.append(Entry(bytes: 0..<0, changes: 0..<0, delay: delay))
    }

    /// Deletes the recording and frees its memory.
    mutating func discard() {
        guard state != .idle || !entries.isEmpty else { return }
        state = .idle
        bytes = ByteBuffer()
        hasBytes = true
        changes = CellChanges()
        entries.removeAll()
    }

    /// Appends the entry of frame `number`. The update of the frame is given as bytes (`encoded`) and as changed cells
    /// (`cells`).
    ///
    /// A frame out of order (because one was dropped) or a frame that exceeds the limit discards the recording. Frame 0
    /// completes the recording if all `frames` are in it, and discards it otherwise.
    mutating func record(
        frame number: Int, delay: Int64, frames: Int?, encoded: borrowing ByteBuffer, _ cells: CellChanges
    ) {
        guard state == .recording else { return }
        let closes = number == 0
        guard closes ? entries.count == frames : number == entries.count else { return discard() }
        let firstByte = bytes.count
        let firstChange = changes?.count ?? 0
        if hasBytes { bytes.append(encoded.bytes) }
        changes?.append(contentsOf: cells)
        let entry = Entry(bytes: firstByte..<bytes.count, changes: firstChange..<(changes?.count ?? 0), delay: delay)
        if size > limit, hasBytes {
            hasBytes = false
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

    /// The bytes of the update to frame `number`, valid until the cache changes; nil if the cache keeps only the cells.
    func bytes(of number: Int) -> UnsafeRawBufferPointer? {
        hasBytes ? UnsafeRawBufferPointer(rebasing: bytes.bytes[entries[number].bytes]) : nil
    }

    func changes(of number: Int) -> CellChanges.Slice? {
        changes?[entries[number].changes]
    }
}
