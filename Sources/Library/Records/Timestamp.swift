import Base
import FoundationEssentials

/// A time as ISO 8601 text in UTC, such as 2026-11-21T18:32:00Z.
public enum Timestamp {
    /// A time before 1970 or after 9999 is clamped to the nearest valid time.
    public static func text(_ seconds: Int) -> String {
        let clamped = Int(clamping: seconds, to: 0...Int.latestTime)
        return Date(timeIntervalSince1970: Double(clamped)).formatted(.iso8601)
    }
}
