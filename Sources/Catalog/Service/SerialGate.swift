/// Lets one request after the other to a service, and none while the service rests.
///
/// Wikimedia asks for no parallel calls; the others are small enough to be treated alike.
package actor SerialGate {
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var restUntil: ContinuousClock.Instant?

    package init() {}

    /// Waits for the turn; `leave` must follow.
    package func enter() async {
        guard isBusy else {
            isBusy = true
            return
        }
        // The one who leaves hands the gate on, so it stays busy.
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Gives the turn to who waits longest.
    package func leave() {
        if waiting.isEmpty {
            isBusy = false
        } else {
            waiting.removeFirst().resume()
        }
    }

    /// No request before this moment: the answer said that nothing is left.
    package func rest(until moment: ContinuousClock.Instant) { restUntil = moment }

    /// How long the service still rests, in whole seconds; nil if it does not.
    package func restingSeconds(at now: ContinuousClock.Instant) -> Int? {
        guard let restUntil, restUntil > now else { return nil }
        return (restUntil - now).wholeSeconds
    }
}

extension Duration {
    /// Rounded up, so that a rest of half a second is not called none.
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
