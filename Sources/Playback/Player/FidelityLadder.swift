import Base
import Pixels

/// How coarse the picture is while the line is too slow for what was asked.
///
/// A step down when the line was behind at the end of two frames one after the other, a step up when
/// that has not been for a while. A step up that did not last makes the next one come later.
struct FidelityLadder {
    private let chosen: Fidelity
    private(set) var level: Fidelity
    /// Frames in succession at whose end the line was behind.
    private var behind = 0
    /// Since when the line has kept up.
    private var calmSince: Instant?
    private var patience = Self.shortestPatience
    private var raisedAt: Instant?

    static let shortestPatience = 3 * Span.second
    static let longestPatience = 60 * Span.second

    /// - Parameter chosen: the finest; ``Fidelity/exact`` stays what it is.
    init(_ chosen: Fidelity) {
        self.chosen = chosen
        level = chosen
    }

    var isLowered: Bool { level != chosen }

    /// Takes in how the line fared with a frame.
    /// - Parameter wasBehind: it was still busy with the frame when the next one was due.
    /// - Returns: whether that changes the level.
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
        // The first frame of a level still brings what the one before left undone.
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
