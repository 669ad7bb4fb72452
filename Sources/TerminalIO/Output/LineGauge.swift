import Base

/// How far behind the terminal is, by its own word.
///
/// What was written is not shown yet: a pty holds 14 KB, ssh and the network megabytes, which take a line of 20 KB a
/// second minutes. So an update now and then ends with a question that terminals answer when they come to it (DA1), and
/// on a slow line each does. While the answer is long in coming the line is behind, and nothing more should be begun.
struct LineGauge {
    /// When the question was asked whose answer is waited for.
    private var askedAt: Instant?
    private var lastAsked: Instant?
    /// Questions without an answer, also of those that nothing waits for any more.
    private var owed = 0
    private var answers = 0
    /// What an answer takes on a free line: the way there and back.
    private var quickest = Int64.max
    private var isSlow = false

    /// How much longer than the quickest an answer on a free line may take.
    static let margin = 50 * Span.millisecond
    /// How often a line that keeps up is asked.
    static let interval = 500 * Span.millisecond
    /// An answer that takes longer is lost, as a terminal's may be that was detached meanwhile.
    static let patience = 10 * Span.second
    /// The same for the second answer: what answers at the start alone would hold up the picture.
    static let firstPatience = 3 * Span.second

    /// The terminal may send an answer yet.
    var isOwed: Bool { owed > 0 }
    /// More than the question of the start was answered.
    var isProven: Bool { answers > 1 }

    /// Whether the next update should end with a question. Never two at once: what stands in for a terminal may
    /// answer but one of them.
    func shouldAsk(at now: Instant) -> Bool {
        guard answers > 0, owed == 0 else { return false }
        guard !isSlow, let lastAsked else { return true }
        return now - lastAsked >= Self.interval
    }

    mutating func noteQuestion(at now: Instant) {
        owed += 1
        askedAt = now
        lastAsked = now
    }

    /// - Parameter earliest: when it may have come already: nobody looked between that and `now`.
    /// - Returns: whether the line was behind until now.
    mutating func noteAnswer(at now: Instant, notBefore earliest: Instant) -> Bool {
        let wasBehind = isBehind(at: now)
        owed = max(0, owed - 1)
        answers += 1
        guard let askedAt else { return false }
        let least = max(0, earliest - askedAt)
        quickest = min(quickest, least)
        isSlow = least > quickest + Self.margin
        self.askedAt = nil
        return wasBehind
    }

    /// The terminal still takes in what was sent. On a slow line it does until it has answered; else time for the way
    /// there and back is allowed for, so that a line that is merely long carries several updates at once.
    func isBehind(at now: Instant) -> Bool {
        guard let askedAt, answers > 0 else { return false }
        if isSlow { return true }
        let usual = quickest == .max ? 0 : quickest
        return now - askedAt > usual + Self.margin
    }

    /// When the answer counts as lost; nil while none is waited for.
    var deadline: Instant? {
        guard let askedAt, answers > 0 else { return nil }
        return askedAt + (isProven ? Self.patience : Self.firstPatience)
    }

    /// Waits for the answer no longer. Until it comes all the same nothing is asked.
    mutating func giveUp() { askedAt = nil }

    /// What was asked is nobody's concern any more.
    mutating func forget() {
        askedAt = nil
        owed = 0
    }
}
