/// The largest visible difference between the displayed and the computed colour of a half-cell.
///
/// A change within this bound is not sent. Errors never accumulate, because each frame is compared with the colours that
/// the terminal shows, not with the previous frame.
public enum Fidelity: String, Sendable, CaseIterable {
    case exact
    /// The bound is not noticeable, but above the changes of averaged colours in dithered GIFs from frame to frame.
    case standard
    case low
    /// Only gifplay selects it, for connections that are too slow for ``low``.
    case coarse

    /// The largest difference in just noticeable differences: 0.02 in ``Oklab``, as in CSS Color Module Level 4.
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
    public var coarser: Fidelity? { self == .exact ? nil : Self.allCases.first { $0.bound > bound } }
}
