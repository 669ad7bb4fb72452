import Base
import Pixels

/// Chooses a coarser fidelity while the connection is too slow for the requested one.
///
/// A frame is slow if the terminal is still processing it when the next frame is due. After two slow frames in a row,
/// the level becomes one step coarser. After 3 s without two slow frames in a row, it becomes one step finer. If a
/// finer level lasts for less than this delay, the delay doubles, up to 60 s; otherwise the delay is 3 s again.
struct FidelityController {
    private let requested: Fidelity
    private(set) var level: Fidelity
    private var behindCount = 0
    /// The start of the period in which the connection has kept up; nil if no such period has started.
    private var keepsUpSince: Instant?
    private var raiseDelay = Self.minimumRaiseDelay
    private var raisedAt: Instant?

    static let minimumRaiseDelay = 3 * Span.second
    static let maximumRaiseDelay = 60 * Span.second

    /// - Parameter requested: the finest level. ``Fidelity/exact`` is never replaced by a coarser level.
    init(_ requested: Fidelity) {
        self.requested = requested
        level = requested
    }

    var isLowered: Bool { level != requested }

    /// Updates the level after a frame.
    /// - Parameter wasBehind: whether the terminal was still processing the frame when the next one was due.
    /// - Returns: whether the level changed.
    mutating func update(wasBehind: Bool, at now: Instant) -> Bool {
        guard wasBehind else {
            behindCount = 0
            return raiseIfDue(at: now)
        }
        behindCount += 1
        guard behindCount >= 2 else { return false }
        keepsUpSince = nil
        guard let coarser = level.coarser else { return false }
        level = coarser
        if let raisedAt {
            let hasLasted = now - raisedAt >= raiseDelay
            raiseDelay = hasLasted ? Self.minimumRaiseDelay : min(raiseDelay * 2, Self.maximumRaiseDelay)
        }
        raisedAt = nil
        // Ignore the first frame of a level, because it still sends changes that are left over from the previous level.
        behindCount = -1
        return true
    }

    private mutating func raiseIfDue(at now: Instant) -> Bool {
        guard isLowered else { return false }
        let since = keepsUpSince ?? now
        keepsUpSince = since
        guard now - since >= raiseDelay else { return false }
        level = Fidelity.allCases.first { $0.coarser == level } ?? level
        keepsUpSince = nil
        raisedAt = now
        return true
    }
}
