import FoundationEssentials

/// Converts between times and ISO 8601 text in UTC, such as 2026-11-21T18:32:00Z.
public enum Timestamp {
    /// Foundation parses February 31 as a day in March.
    private static func isReal(_ day: String) -> Bool {
        guard let date = try? Date(day + "T00:00:00Z", strategy: .iso8601) else { return false }
        return date.formatted(.iso8601).hasPrefix(day)
    }

    /// A time before 1970 or after 9999 is clamped to the nearest valid time.
    public static func text(_ seconds: Int) -> String {
        let clamped = min(max(seconds, 0), latest)
        return Date(timeIntervalSince1970: Double(clamped)).formatted(.iso8601)
    }

    /// Accepts UTC and other offsets from UTC. Nil if the text is invalid or the time is out of range.
    public static func seconds(_ text: String) -> Int? {
        guard text.utf8.count <= 40, isReal(String(text.prefix(10))), let date = try? Date(text, strategy: .iso8601)
        else { return nil }
        let seconds = date.timeIntervalSince1970
        return seconds >= 0 && seconds <= Double(latest) ? Int(seconds) : nil
    }

    /// The last second of the year 9999.
    static let latest = 253_402_300_799
}
