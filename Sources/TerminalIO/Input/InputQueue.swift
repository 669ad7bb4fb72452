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

/// Timeouts for input, and for output at the end of a session.
enum Timeouts {
    /// The time after which a lone ESC counts as the Escape key and not as the start of a sequence.
    static let escape = 25 * Span.millisecond
    /// ``escape`` while a reply is pending: longer, because a slow connection can deliver the reply byte by byte.
    static let escapeWhileReplyPending = 150 * Span.millisecond
    /// The maximum wait for the rest of an incomplete sequence.
    static let sequence = 500 * Span.millisecond
    /// The maximum wait for the rest of a paste. A slow connection can interrupt a paste for seconds.
    static let paste = 5 * Span.second
    /// The pause in the input after which a paste counts as complete at the end of a session.
    static let pasteQuiet = 50 * Span.millisecond
    /// The maximum wait for the pause ``pasteQuiet``.
    static let pasteRest = Span.second
    /// The maximum wait at the end of a session until the last bytes are written.
    static let leave = 250 * Span.millisecond
    /// The maximum time from the last query of a session to its reply. It is constant even if the replies to earlier
    /// queries were quick, because the last query can follow more output than the earlier ones.
    static let lastReply = 2 * Span.second
}
