import Base


/// Something that happens once, and those who wait for it.
final class Beginning: Sendable {
    private enum Phase {
        case ahead([CheckedContinuation<Void, Never>])
        case over
    }

    private let phase = Monitor(Phase.ahead([]))

    /// It has happened; only the first time counts.
    func note() {
        let waiting: [CheckedContinuation<Void, Never>] = phase.withLock { phase in
            guard case .ahead(let waiting) = phase else { return [] }
            phase = .over
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once it has happened.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = phase.withLock { phase in
                guard case .ahead(let waiting) = phase else { return true }
                phase = .ahead(waiting + [continuation])
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
