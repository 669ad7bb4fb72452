import Foundation
import Synchronization
import Testing

private final class Gathered: Sendable {
    let failures = Mutex<[String]>([])
}

/// Tries something with each at the same time, and records what fails time after time.
///
/// Each has a thread of its own: what waits for terminals would keep the few that tests share from all others. As the
/// machine may be busy with those, what fails is tried again.
/// - Parameter attempt: gives what went wrong, nil where nothing did.
func atOnce<Item: Sendable>(
    _ items: [Item], attempts: Int = 3, _ attempt: @escaping @Sendable (Item) throws -> String?
) {
    let gathered = Gathered()
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
