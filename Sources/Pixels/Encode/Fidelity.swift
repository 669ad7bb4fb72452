/// The largest visible difference between the displayed and the computed colour of a half-cell.
///
/// A change within this bound is not sent. Errors never accumulate, because each frame is compared with the colours that
/// the terminal shows, not with the previous frame.
public enum Fidelity: String, Sendable, CaseIterable {
    case exact
    /// The difference is not noticeable. This avoids many updates for dithered GIFs, because their averaged colours vary
    /// by a few levels from frame to frame.
    case standard
    /// The fidelity for connections of low bandwidth.
    case low
    /// The fidelity for connections that are too slow for ``low``. gifplay selects it automatically; users cannot
    /// select it.
    case coarse

    /// The largest difference in just noticeable differences (JND). One JND is a distance of 0.02 in ``Oklab``, as in
    /// CSS Color Module Level 4.
    public var bound: Int {
        switch self {
        case .exact: 0
        case .standard: 1
        case .low: 3
        case .coarse: 6
        }
    }

    public var tolerance: ColorTolerance { Self.tolerances[bound] }

    private static let tolerances = (0...6).map { ColorTolerance(bound: $0) }

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
