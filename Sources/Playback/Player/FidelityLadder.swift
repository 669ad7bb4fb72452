import Base
import Pixels

/// Chooses a coarser fidelity while the connection is too slow for the requested one.
///
/// The level goes one step down when the connection was behind at the end of two consecutive frames, and one step up
/// when that has not happened for 3 s. Each step up that does not last doubles this time, up to 60 s.
struct FidelityLadder {
    private let chosen: Fidelity
    private(set) var level: Fidelity
    /// The number of consecutive frames at whose end the connection was behind.
    private var behind = 0
    /// The time since which the connection has kept up.
    private var calmSince: Instant?
    private var patience = Self.shortestPatience
    private var raisedAt: Instant?

    static let shortestPatience = 3 * Span.second
    static let longestPatience = 60 * Span.second

    /// - Parameter chosen: the finest level; ``Fidelity/exact`` is never lowered.
    init(_ chosen: Fidelity) {
        self.chosen = chosen
        level = chosen
    }

    var isLowered: Bool { level != chosen }

    /// Updates the level after a frame.
    /// - Parameter wasBehind: whether the terminal was still processing the frame when the next one was due.
    /// - Returns: whether the level changed.
    mutating func judge(wasBehind: Bool, at now: Instant) -> Bool {
        guard wasBehind else {
            behind = 0
            return rise(at: now)
        }
        behind += 1
        guard behind >= 2 else { return false }
        calmSince = nil
        guard let coarser = level.coarser else { return false }
        level = coarser
        if let raisedAt {
            patience = now - raisedAt < patience ? min(patience * 2, Self.longestPatience) : Self.shortestPatience
        }
        raisedAt = nil
        // The first frame of a level does not count: it still sends changes that are left over from the level before.
        behind = -1
        return true
    }

    private mutating func rise(at now: Instant) -> Bool {
        guard isLowered else { return false }
        let since = calmSince ?? now
        calmSince = since
        guard now - since >= patience, let finer = finer else { return false }
        level = finer
        calmSince = nil
        raisedAt = now
        return true
    }

    private var finer: Fidelity? {
        var step = chosen
        while let next = step.coarser {
            if next == level { return step }
            step = next
        }
        return nil
    }
}
