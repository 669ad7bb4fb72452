import Base

/// How long a terminal waits for what may come.
enum Patience {
    /// How long an ESC may stand alone before it is the key, not the start of a sequence.
    static let escape = 25 * Span.millisecond
    /// The same while an answer is due, which a slow line may bring byte by byte.
    static let answer = 150 * Span.millisecond
    /// How long the rest of a sequence may be in coming.
    static let sequence = 500 * Span.millisecond
    /// How long the last bytes and answers are waited for at the end.
    static let farewell = 250 * Span.millisecond
    /// The same for the last answer of a terminal that answers for sure: it may be busy with the last frame.
    static let lastAnswer = 900 * Span.millisecond
}
