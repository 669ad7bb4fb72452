/// The maximum difference between the displayed and the computed colour of a half-cell, for each channel (0 to 255).
///
/// A change within this tolerance is not sent. Errors never accumulate, because each frame is compared with the colours
/// that the terminal shows, not with the previous frame.
public enum Fidelity: String, Sendable, CaseIterable {
    case exact
    /// A change of two of the 256 levels of a channel is hardly visible. This tolerance avoids many updates for dithered
    /// GIFs, because their averaged colours vary by two levels from frame to frame.
    case standard
    /// The fidelity for connections of low bandwidth.
    case low
    /// The fidelity for connections that are too slow for ``low``. gifplay selects it automatically; users cannot
    /// select it.
    case coarse

    public var tolerance: Int {
        switch self {
        case .exact: 0
        case .standard: 2
        case .low: 6
        case .coarse: 12
        }
    }

    /// The next coarser fidelity, for use on a connection that is too slow for this one. The value is nil for
    /// ``coarse``, which is the coarsest fidelity, and for ``exact``, which must stay exact.
    public var coarser: Fidelity? {
        switch self {
        case .exact, .coarse: nil
        case .standard: .low
        case .low: .coarse
        }
    }
}
