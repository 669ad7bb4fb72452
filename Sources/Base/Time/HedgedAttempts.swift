/// Starts attempts one after another until one outcome is accepted.
///
/// The next attempt starts if an attempt ends with an outcome that is not accepted. It also starts if an attempt is
/// silent: it is still running after the time `silence` and makes no progress. The silent attempt continues in
/// parallel, because it might still succeed first.
public struct HedgedAttempts: Sendable {
    public static let defaultSilence = Duration.milliseconds(2_500)

    public let silence: Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// - Parameter wait: tests replace it to control the clock.
    public init(
        silence: Duration = defaultSilence,
        wait: @escaping @Sendable (Duration) async throws -> Void = {
            try await SystemWaitClock().wait(milliseconds: Int($0 / .milliseconds(1)))
        }
    ) {
        self.silence = silence
        self.wait = wait
    }

    private enum Event<Outcome: Sendable>: Sendable {
        case ended(Int, Outcome)
        case silent(Int)
        case timeUp
    }

    /// Returns when an outcome is accepted, every attempt has ended, `whenSpent` returns true or the task is cancelled.
    /// The caller owns the attempts that are still running.
    /// - Parameters:
    ///   - budget: the time limit of the run; nil for no limit.
    ///   - begin: starts the attempt with the given number, counted from 0. Returns nil if there is nothing to start
    ///     now.
    ///   - isSilent: returns true if the running attempt with the given number makes no progress.
    ///   - whenSpent: called when the budget is spent and no running attempt makes progress. If it returns true, the
    ///     run ends. Otherwise it is called again after the hedging delay (`silence`).
    ///   - accept: receives the outcome of an attempt. If it returns true, the run ends.
    public func run<Outcome: Sendable>(
        within budget: TimeBudget? = nil, begin: (Int) async -> Task<Outcome, Never>?,
        isSilent: (Int) -> Bool = { _ in true }, whenSpent: () async -> Bool = { true },
        accept: (Int, Outcome) async -> Bool
    ) async {
        let attempts = AttemptRun<Outcome>(silence: silence, wait: wait)
        defer { attempts.endTimers() }
        if let budget { attempts.report(.timeUp, after: budget.remaining) }
        await attempts.beginNext(begin)
        guard !attempts.running.isEmpty else { return }
        for await event in attempts.events {
            switch event {
            case .ended(let number, let outcome):
                attempts.running.remove(number)
                if await accept(number, outcome) { return }
                await attempts.beginNext(begin)
            case .silent(let number) where attempts.running.contains(number):
                if isSilent(number) { await attempts.beginNext(begin) } else { attempts.report(event, after: silence) }
            case .silent: break
            case .timeUp:
                if attempts.running.allSatisfy(isSilent), await whenSpent() { return }
                attempts.report(event, after: silence)
            }
            if attempts.running.isEmpty { return }
        }
    }

    private final class AttemptRun<Outcome: Sendable> {
        var running: Set<Int> = []
        let events: AsyncStream<Event<Outcome>>
        private let sender: AsyncStream<Event<Outcome>>.Continuation
        private let silence: Duration
        private let wait: @Sendable (Duration) async throws -> Void
        private var count = 0
        /// By the number of the attempt, so that a long attempt has only its latest timer; nil for the budget.
        private var timers: [Int?: Task<Void, Never>] = [:]

        init(silence: Duration, wait: @escaping @Sendable (Duration) async throws -> Void) {
            self.silence = silence
            self.wait = wait
            (events, sender) = AsyncStream.makeStream()
        }

        func beginNext(_ begin: (Int) async -> Task<Outcome, Never>?) async {
            guard let attempt = await begin(count) else { return }
            let number = count
            count += 1
            running.insert(number)
            Task { [sender] in sender.yield(.ended(number, await attempt.value)) }
            report(.silent(number), after: silence)
        }

        func report(_ event: Event<Outcome>, after span: Duration) {
            var attempt: Int?
            if case .silent(let number) = event { attempt = number }
            timers[attempt] = Task { [wait, sender] in
                do { try await wait(span) } catch { return }
                sender.yield(event)
            }
        }

        func endTimers() { for timer in timers.values { timer.cancel() } }
    }
}

/// A time limit that several steps share.
public struct TimeBudget: Sendable {
    public let deadline: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant

    public init(_ span: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        deadline = now() + span
    }

    /// Zero when the budget is spent.
    public var remaining: Duration { max(.zero, deadline - now()) }

    public var isSpent: Bool { remaining == .zero }
}
