/// The maximum difference between each channel (0 to 255) of a displayed half-cell and of its computed colour.
///
/// A change within this tolerance is not sent. Errors never accumulate, because each frame is compared with the colours
/// that the terminal shows, not with the previous frame.
public enum Fidelity: Int, Sendable, CaseIterable {
    case exact = 0
    /// The eye cannot see a difference of two levels. In dithered GIFs, the averaged colours vary by two levels from
    /// frame to frame.
    case standard = 2
    /// The fidelity for connections of low bandwidth.
    case low = 6
    /// The fidelity for connections that are too slow for a finer fidelity. gifplay selects it automatically; no option
    /// selects it.
    case coarse = 12

    var tolerance: Int { rawValue }

    /// The next coarser fidelity, for a connection that is too slow for this fidelity. The value is nil for ``coarse``,
    /// and for ``exact``, which must stay exact.
    public var coarser: Fidelity? {
        switch self {
        case .exact, .coarse: nil
        case .standard: .low
        case .low: .coarse
        }
    }
}
