import Base

/// Timeouts for input, and for output at the end of a session.
enum Timeouts {
    /// The time after which a lone ESC counts as the Escape key and not as the start of a sequence.
    static let escape = 100 * Span.millisecond
    /// ``escape`` over ssh, which can deliver the bytes of a key in two packets.
    static let remoteEscape = 200 * Span.millisecond
    /// ``escape`` while a reply is pending: longer, because a slow connection can deliver the reply byte by byte.
    static let escapeWhileReplyPending = 150 * Span.millisecond
    /// The maximum wait for the rest of an incomplete sequence.
    static let sequence = 500 * Span.millisecond
    /// The maximum wait for the rest of a paste. A slow connection can interrupt a paste for seconds.
    static let paste = 5 * Span.second
    /// The pause in the input after which a paste counts as complete at the end of a session.
    static let pasteQuiet = 50 * Span.millisecond
    /// The pause in the input after which a line counts as typed whose first key has ended the screensaver.
    static let typingQuiet = 300 * Span.millisecond
    /// The maximum wait for the pause ``pasteQuiet`` or ``typingQuiet``.
    static let pasteRest = Span.second
    /// The maximum wait at the end of a session until the last bytes are written.
    static let leave = 250 * Span.millisecond
    /// The maximum time from the last query of a session to its reply. It is constant even if the replies to earlier
    /// queries were quick, because the last query can follow more output than the earlier ones.
    static let lastReply = 2 * Span.second
}
