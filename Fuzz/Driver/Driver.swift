import CFuzzer
import FuzzTargets
import Glibc

/// The fuzz target of this process. The variable needs no lock, because it is set once before libFuzzer starts, and
/// libFuzzer uses only one thread.
nonisolated(unsafe) private var current = FuzzTarget.gif

/// The maximum CPU time for one input, in seconds. Wall-clock time is not used, because it depends on the load of the
/// machine.
private let maximumSeconds = 5.0

/// Runs libFuzzer with this target. The process aborts if an input violates a property or takes too much CPU time.
/// libFuzzer then stores the input, as after a crash.
public func fuzz(_ target: FuzzTarget) -> Never {
    current = target
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    let status = LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
        let start = processorSeconds()
        do {
            try current.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
        } catch {
            fail("violated property: \(error)")
        }
        let taken = processorSeconds() - start
        if taken > maximumSeconds { fail("violated property: \(taken) s of CPU time") }
        return 0
    }
    exit(status)
}

private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func fail(_ message: String) {
    let line = message + "\n"
    write(STDERR_FILENO, line, line.utf8.count)
    abort()
}
