import Base
import Pixels

/// Chooses a coarser fidelity while the connection is too slow for the requested one.
///
/// The level goes one step down when the connection was behind at the end of two consecutive frames, and one step up
/// when that has not happened for 3 s. Each step up that does not last doubles this time, up to 60 s.
struct FidelityController {
    private let requested: Fidelity
    private(set) var level: Fidelity
    /// The number of consecutive frames at whose end the connection was behind.
    private var behindCount = 0
    /// The time since which the connection has kept up.
    private var keepsUpSince: Instant?
    private var raiseDelay = Self.minimumRaiseDelay
    private var raisedAt: Instant?

    static let minimumRaiseDelay = 3 * Span.second
    static let maximumRaiseDelay = 60 * Span.second

    /// - Parameter requested: the finest level; ``Fidelity/exact`` is never lowered.
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
        // The first frame of a level does not count: it still sends changes that are left over from the level before.
        behindCount = -1
        return true
    }

    private mutating func raiseIfDue(at now: Instant) -> Bool {
        guard isLowered else { return false }
        let since = keepsUpSince ?? now
        keepsUpSince = since
        guard now - since >= raiseDelay, let finer = finer else { return false }
        level = finer
        keepsUpSince = nil
        raisedAt = now
        return true
    }

    private var finer: Fidelity? {
        var step = requested
        while let next = step.coarser {
            if next == level { return step }
            step = next
        }
        return nil
    }
}
