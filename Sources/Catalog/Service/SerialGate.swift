import Base

/// Allows one request to a service at a time, in order of arrival, and stores the service's cool-down.
///
/// Wikimedia asks clients not to send parallel requests. gifplay follows this rule for all services.
package actor SerialGate {
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var cooldownEnd: ContinuousClock.Instant?

    package init() {}

    /// Waits until no other request is running. The caller must call `leave` afterwards.
    package func enter() async {
        guard isBusy else {
            isBusy = true
            return
        }
        // `leave` keeps `isBusy` true when it resumes this caller.
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Admits the caller that has waited longest.
    package func leave() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }

    package func startCooldown(until moment: ContinuousClock.Instant) { cooldownEnd = moment }

    /// Returns the milliseconds that remain for a request that is sent now. Throws if none may be sent: during a
    /// cool-down, after the deadline, or if the task is cancelled.
    package func remainingMilliseconds(
        until deadline: ContinuousClock.Instant, at now: ContinuousClock.Instant
    ) throws(Failure) -> Int {
        guard !Task.isCancelled else { throw .cancelled }
        if let cooldownEnd, cooldownEnd > now { throw .coolingDown(seconds: (cooldownEnd - now).wholeSeconds) }
        let milliseconds = (deadline - now).wholeMilliseconds
        guard milliseconds > 0 else { throw .outOfTime }
        return milliseconds
    }
}

extension Duration {
    /// Rounded up, so that a cool-down of half a second does not become 0.
    package var wholeSeconds: Int {
        let (seconds, fraction) = components
        return Int(clamping: fraction > 0 ? seconds + 1 : seconds)
    }

    /// Rounded down.
    package var wholeMilliseconds: Int {
        let (seconds, fraction) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? .max : Int(clamping: milliseconds + fraction / 1_000_000_000_000_000)
    }
}
