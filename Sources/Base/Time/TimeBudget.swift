/// A time limit that several steps share.
public struct TimeBudget: Sendable {
    public let deadline: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Creates a budget that starts now.
    public init(_ span: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        deadline = now() + span
    }

    /// The remaining time; zero when the budget is spent.
    public var remaining: Duration { max(.zero, deadline - now()) }

    public var isSpent: Bool { remaining == .zero }
}
