/// A point on the monotonic clock, in nanoseconds from an origin of no meaning.
public struct Instant: Comparable, Hashable, Sendable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The earlier of those that are there. Called once a frame: no array, no allocation.
    public static func earliest(_ first: Instant?, _ second: Instant?) -> Instant? {
        guard let first else { return second }
        guard let second else { return first }
        return min(first, second)
    }

    /// - Parameter span: in nanoseconds; what would overflow is the far end of time.
    public static func + (instant: Instant, span: Int64) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span)
        return Instant(nanoseconds: overflow ? .max : sum)
    }

    /// The span from `right` to `left`, in nanoseconds.
    public static func - (left: Instant, right: Instant) -> Int64 { left.nanoseconds - right.nanoseconds }
}

/// Nanoseconds in a millisecond and a second.
public enum Span {
    public static let millisecond: Int64 = 1_000_000
    public static let second: Int64 = 1_000_000_000
}
