import Base

/// Timeouts for input, and for output at the end of a session.
enum Timeouts {
    /// The time after which an ESC alone is the Escape key and not the start of a sequence.
    static let escape = 25 * Span.millisecond
    /// The same time while a reply of the terminal is due, which a slow connection may deliver byte by byte.
    static let escapeWhileReplyPending = 150 * Span.millisecond
    /// The longest wait for the rest of a sequence that has started.
    static let sequence = 500 * Span.millisecond
    /// The longest wait at the end of a session for the last bytes to be written and the last replies to arrive.
    static let leave = 250 * Span.millisecond
    /// The longest wait for the last reply of a terminal that is known to reply, because it may be busy with the last
    /// frame.
    static let lastReply = 900 * Span.millisecond
}
