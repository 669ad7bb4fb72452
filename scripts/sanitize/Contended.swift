// What scripts/sanitize/run proves the thread sanitizer with: two threads that count behind one contended lock, and with
// UNLOCKED as the argument behind none. The first must bring no report, the second must bring one.
import Dispatch
import Glibc
import Synchronization

@main
enum Contended {
    /// Written by two threads at once; whether that is a race is the question.
    nonisolated(unsafe) static var count = 0
    static let lock = Mutex(())
    static let arrived = Atomic(0)

    static func main() {
        let isLocked = !CommandLine.arguments.contains("UNLOCKED")
        let group = DispatchGroup()
        for _ in 0..<2 {
            DispatchQueue.global().async(group: group) { countUp(isLocked) }
        }
        group.wait()
        print(count)
    }

    /// Begins when the other thread is there too: on a busy machine one would do it all.
    static func countUp(_ isLocked: Bool) {
        arrived.add(1, ordering: .relaxed)
        while arrived.load(ordering: .relaxed) < 2 { sched_yield() }
        for _ in 0..<50_000 {
            if isLocked { lock.withLock { _ in count += 1 } } else { count += 1 }
        }
    }
}
