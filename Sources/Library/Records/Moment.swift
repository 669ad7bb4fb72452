import Foundation

/// Times as people write them, in UTC.
public enum Moment {
    /// Foundation takes the 31st of February for the 2nd of March.
    private static func isReal(_ day: String) -> Bool {
        guard let date = try? Date(day + "T00:00:00Z", strategy: .iso8601) else { return false }
        return date.formatted(.iso8601).hasPrefix(day)
    }

    /// A second of the years that have four digits, in the form 2026-11-21T18:32:00Z.
    public static func text(_ seconds: Int) -> String {
        let clamped = min(max(seconds, 0), latest)
        return Date(timeIntervalSince1970: Double(clamped)).formatted(.iso8601)
    }

    /// The second that such a text names, also with another zone's distance behind it; nil where it names none.
    public static func seconds(_ text: String) -> Int? {
        guard text.utf8.count <= 40, isReal(String(text.prefix(10))), let date = try? Date(text, strategy: .iso8601)
        else { return nil }
        let seconds = date.timeIntervalSince1970
        return seconds >= 0 && seconds <= Double(latest) ? Int(seconds) : nil
    }

    /// The last second of the year 9999.
    static let latest = 253_402_300_799
}
