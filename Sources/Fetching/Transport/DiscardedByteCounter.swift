import Base

/// Counts discarded bytes, but only after ``start()`` was called.
final class DiscardedByteCounter: Sendable {
    private let total = Monitor<Int?>(nil)

    /// Starts counting from zero.
    func start() { total.withLock { $0 = 0 } }

    /// - Returns: the new total, or nil if ``start()`` was not called.
    func add(_ count: Int) -> Int? {
        total.withLock { total in
            total = total.map { $0 + count }
            return total
        }
    }
}
