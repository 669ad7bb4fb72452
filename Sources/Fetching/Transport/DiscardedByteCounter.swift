import Base

/// Counts discarded bytes after it has been started.
final class DiscardedByteCounter: Sendable {
    private let total = Monitor<Int?>(nil)

    /// Starts counting from zero.
    func start() { total.withLock { $0 = 0 } }

    /// - Returns: the total, or nil if counting has not been started.
    func add(_ count: Int) -> Int? {
        total.withLock { total in
            total = total.map { $0 + count }
            return total
        }
    }
}
