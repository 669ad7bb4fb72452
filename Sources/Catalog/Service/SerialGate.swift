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
        if waiting.isEmpty {
            isBusy = false
        } else {
            waiting.removeFirst().resume()
        }
    }

    /// Starts a cool-down until `moment`, for example after the quota is used up. A cool-down does not block
    /// ``enter()``. Callers must check ``cooldownSeconds(at:)``.
    package func startCooldown(until moment: ContinuousClock.Instant) { cooldownEnd = moment }

    /// Returns the remaining cool-down, rounded up to whole seconds; nil if there is none.
    package func cooldownSeconds(at now: ContinuousClock.Instant) -> Int? {
        guard let cooldownEnd, cooldownEnd > now else { return nil }
        return (cooldownEnd - now).wholeSeconds
    }
}

extension Duration {
    /// The duration in whole seconds. It is rounded up, so that a cool-down of half a second does not become 0.
    package var wholeSeconds: Int {
        let (seconds, fraction) = components
        return Int(clamping: fraction > 0 ? seconds + 1 : seconds)
    }

    /// The duration in whole milliseconds, rounded down.
    package var wholeMilliseconds: Int {
        let (seconds, fraction) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? .max : Int(clamping: milliseconds + fraction / 1_000_000_000_000_000)
    }
}
