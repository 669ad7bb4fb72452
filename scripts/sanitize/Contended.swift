// Test program for scripts/sanitize/run: two threads count under one contended lock or, with the argument UNLOCKED,
// without a lock. The thread sanitizer must report nothing in the first case and a race in the second.
import Dispatch
import Glibc
import Synchronization

@main
enum Contended {
    /// Two threads write it at the same time, which is a race unless they hold the lock.
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

    /// Waits until both threads run. On a busy machine, one could otherwise finish before the other begins.
    static func countUp(_ isLocked: Bool) {
        arrived.add(1, ordering: .relaxed)
        while arrived.load(ordering: .relaxed) < 2 { sched_yield() }
        for _ in 0..<50_000 {
            if isLocked { lock.withLock { _ in count += 1 } } else { count += 1 }
        }
    }
}
