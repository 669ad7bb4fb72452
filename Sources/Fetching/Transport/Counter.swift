import Base

/// Counts bytes that are thrown away, once it was started.
final class Counter: Sendable {
    private let total = Monitor<Int?>(nil)

    /// Counts from here on.
    func start() { total.withLock { $0 = 0 } }

    /// - Returns: the sum, or nil when counting was never started.
    func add(_ count: Int) -> Int? {
        total.withLock { total in
            total = total.map { $0 + count }
            return total
        }
    }
}
