import Base

/// Parses input, and ends incomplete input after a timeout.
struct InputQueue {
    private var parser = InputParser()
    private var incompleteSince: Instant?

    var hasPasted: Bool { parser.hasPasted }

    mutating func parse(_ bytes: ArraySlice<UInt8>, at now: Instant) -> [TerminalInput] {
        defer { incompleteSince = parser.isIncomplete ? now : nil }
        return parser.parse(bytes)
    }

    mutating func resolveIncomplete() -> [TerminalInput] {
        defer { if !parser.isIncomplete { incompleteSince = nil } }
        return parser.resolveIncomplete()
    }

    /// The time at which ``resolveIncomplete()`` is due; nil without incomplete input.
    func deadline(isReplyPending: Bool) -> Instant? { incompleteSince.map { $0 + timeout(isReplyPending) } }

    private func timeout(_ isReplyPending: Bool) -> Int64 {
        if parser.isPasting { return parser.isStalled ? Timeouts.paste : Timeouts.sequence }
        if parser.isStalled { return Timeouts.sequence }
        return isReplyPending ? Timeouts.escapeWhileReplyPending : Timeouts.escape
    }
}
