/// Measures bytes per second over the last two seconds. All times are in milliseconds on the caller's clock.
struct SpeedMeter {
    private static let slot = 250
    private static let window = 2_000

    private var slots: [(start: Int, bytes: Int)] = []
    private let started: Int

    /// - Parameter now: the time when the download starts.
    init(at now: Int) {
        started = now
    }

    /// Counts bytes that arrived at `now`.
    mutating func add(_ bytes: Int, at now: Int) {
        if let last = slots.indices.last, now - slots[last].start < Self.slot {
            slots[last].bytes += bytes
        } else {
            slots.removeAll { now - $0.start >= Self.window }
            slots.append((now, bytes))
        }
    }

    /// Returns the speed at `now`.
    func bytesPerSecond(at now: Int) -> Int {
        let recent = slots.filter { now - $0.start < Self.window }
        // Divide by the window's length, or by the download's age if that is shorter. Divide by at least one slot, so
        // that a small chunk that arrives immediately does not appear as a high speed.
        let span = max(Self.slot, min(Self.window, now - started))
        return recent.reduce(0) { $0 + $1.bytes } * 1000 / span
    }
}
