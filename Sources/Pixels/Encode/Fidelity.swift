/// How far a channel of a displayed half-cell may differ from the computed colour, in levels of 255.
///
/// A change within this tolerance is not sent. Errors never accumulate, because each frame is compared with the colours
/// that the terminal shows, not with the previous frame.
public enum Fidelity: Int, Sendable, CaseIterable {
    case exact = 0
    /// The eye cannot see two levels. In dithered GIFs the averaged colours jitter by as much from frame to frame.
    case standard = 2
    /// For connections of low bandwidth.
    case low = 6
    /// For connections that are too slow even for ``low``. Not available as an option; chosen automatically.
    case coarse = 12

    var tolerance: Int { rawValue }

    /// The next coarser fidelity, for a connection that is too slow for this one. It is nil for ``coarse`` and for
    /// ``exact``, which must stay exact.
    public var coarser: Fidelity? {
        switch self {
        case .exact, .coarse: nil
        case .standard: .low
        case .low: .coarse
        }
    }
}
