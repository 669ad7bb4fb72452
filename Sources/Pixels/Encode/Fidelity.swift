/// How far a channel of a shown half-cell may differ from the computed colour, of 255.
///
/// A change within the bound is not sent. It never accumulates: the comparison is always with
/// what the terminal holds, not with the frame before.
public enum Fidelity: Int, Sendable, CaseIterable {
    case exact = 0
    /// No eye sees two levels; dithered GIFs average to colours that jitter by as much every frame.
    case standard = 2
    /// For thin lines.
    case low = 6
    /// Where the line takes not even that; nobody chooses it.
    case coarse = 12

    var tolerance: Int { rawValue }

    /// The next step down, for a line that does not take this one in time; nil below the last. What
    /// must be exact stays so.
    public var coarser: Fidelity? {
        switch self {
        case .exact, .coarse: nil
        case .standard: .low
        case .low: .coarse
        }
    }
}
