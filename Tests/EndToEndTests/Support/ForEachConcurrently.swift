import Foundation
import Synchronization
import Testing

private final class FailureList: Sendable {
    let failures = Mutex<[String]>([])
}

/// Runs `attempt` for all items concurrently, and records an issue for each item that fails in every attempt.
///
/// Each item has its own thread. A failed attempt is repeated, because other tests can make the machine busy.
/// - Parameter attempt: returns a description of the failure, or nil on success.
func forEachConcurrently<Item: Sendable>(
    _ items: [Item], attempts: Int = 3, _ attempt: @escaping @Sendable (Item) throws -> String?
) {
    let gathered = FailureList()
    let group = DispatchGroup()
    for item in items {
        group.enter()
        Thread.detachNewThread {
            var failures: [String] = []
            while failures.count < attempts {
                do {
                    guard let failure = try attempt(item) else { break }
                    failures.append(failure)
                } catch { failures.append("\(error)") }
            }
            if failures.count == attempts { gathered.failures.withLock { $0.append("\(item): \(failures)") } }
            group.leave()
        }
    }
    group.wait()
    for failure in gathered.failures.withLock({ $0 }) { Issue.record(Comment(rawValue: failure)) }
}
