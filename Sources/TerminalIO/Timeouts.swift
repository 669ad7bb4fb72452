import Base

/// Timeouts for input, and for output at the end of a session.
enum Timeouts {
    /// The time after which a lone ESC counts as the Escape key and not as the start of a sequence.
    static let escape = 25 * Span.millisecond
    /// The value of ``escape`` while a reply of the terminal is pending. It is longer, because a slow connection can
    /// deliver the reply byte by byte.
    static let escapeWhileReplyPending = 150 * Span.millisecond
    /// The maximum wait for the rest of an incomplete sequence.
    static let sequence = 500 * Span.millisecond
    /// The maximum wait at the end of a session until the last bytes are written and the last replies arrive.
    static let leave = 250 * Span.millisecond
    /// The maximum wait for the last reply if the terminal has replied repeatedly. It is longer than ``leave``, because
    /// the terminal might still be busy with the last frame.
    static let lastReply = 900 * Span.millisecond
}
