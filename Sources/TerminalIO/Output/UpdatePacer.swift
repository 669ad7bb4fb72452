import Base

/// Divides updates that exceed the window of a ``ConnectionGauge`` into pieces, and holds them until they may be sent.
///
/// The pieces end between two control sequences, so that queries and synchronized updates fit between them. An update
/// that fits into the window is sent whole, without a copy.
struct UpdatePacer {
    var gauge = ConnectionGauge()
    private var held: [UInt8] = []
    private var position = 0

    var isHolding: Bool { position < held.count }

    /// Returns whether an update of `count` bytes may be sent whole now.
    func admits(_ count: Int) -> Bool { !isHolding && count <= gauge.allowance }

    /// Holds bytes until ``nextPiece()`` returns them.
    mutating func hold(_ bytes: UnsafeRawBufferPointer) { held.append(contentsOf: bytes) }

    /// Returns the next piece that may be sent now, as a range of ``heldBytes``; nil for none. The bytes of the range
    /// stay valid until ``hold(_:)`` or ``discard()``.
    mutating func nextPiece() -> Range<Int>? {
        let rest = held.count - position
        let allowance = gauge.allowance
        guard rest > 0, allowance >= min(rest, gauge.queryDistance) else { return nil }
        let limit = gauge.isReplyPending ? allowance : min(allowance, gauge.queryDistance)
        let start = position
        position = rest <= limit ? held.count : sequenceStart(around: start + limit, after: start)
        return start..<position
    }

    var heldBytes: [UInt8] { held }

    /// Releases the memory of bytes that were sent.
    mutating func compact() {
        guard !isHolding else { return }
        held.removeAll(keepingCapacity: held.capacity <= Self.keptCapacity)
        position = 0
    }

    /// Discards the held bytes.
    /// - Returns: whether bytes were discarded.
    @discardableResult
    mutating func discard() -> Bool {
        let wasHolding = isHolding
        held = []
        position = 0
        return wasHolding
    }

    private static let keptCapacity = 128 << 10

    /// Returns the start of the last control sequence at or before `end`, or else of the first one after it.
    private func sequenceStart(around end: Int, after start: Int) -> Int {
        var index = end
        while index > start {
            if isSequenceStart(index) { return index }
            index -= 1
        }
        index = end + 1
        while index < held.count, !isSequenceStart(index) { index += 1 }
        return min(index, held.count)
    }

    /// Returns whether a control sequence (`ESC [`) starts at `index`. Other sequences are ignored, because their ESC
    /// can belong to the end of a control string (`ESC \`).
    private func isSequenceStart(_ index: Int) -> Bool {
        index + 1 < held.count && held[index] == 0x1B && held[index + 1] == UInt8(ascii: "[")
    }
}
