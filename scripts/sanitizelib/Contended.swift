// What scripts/sanitize proves the thread sanitizer with: four threads that count behind one contended lock, and with
// UNLOCKED as the argument behind none. The first must bring no report, the second must bring one.
import Dispatch
import Synchronization

@main
enum Contended {
    /// Written by four threads at once; whether that is a race is the question.
    nonisolated(unsafe) static var count = 0
    static let lock = Mutex(())

    static func main() {
        let isLocked = !CommandLine.arguments.contains("UNLOCKED")
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<20_000 {
                if isLocked { lock.withLock { _ in count += 1 } } else { count += 1 }
            }
        }
        print(count)
    }
}
