/// Bytes per second over the last two seconds, on a given line of milliseconds.
struct SpeedMeter {
    private static let slot = 250
    private static let window = 2_000

    private var slots: [(start: Int, bytes: Int)] = []
    private let started: Int

    /// - Parameter now: in milliseconds, as everywhere here.
    init(at now: Int) {
        started = now
    }

    /// Counts bytes that came now.
    mutating func add(_ bytes: Int, at now: Int) {
        if let last = slots.indices.last, now - slots[last].start < Self.slot {
            slots[last].bytes += bytes
        } else {
            slots.removeAll { now - $0.start >= Self.window }
            slots.append((now, bytes))
        }
    }

    /// The speed as it is now.
    func bytesPerSecond(at now: Int) -> Int {
        let recent = slots.filter { now - $0.start < Self.window }
        // A young download is measured over its age; a moment's burst is not taken for a speed.
        let span = max(Self.slot, min(Self.window, now - started))
        return recent.reduce(0) { $0 + $1.bytes } * 1000 / span
    }
}
