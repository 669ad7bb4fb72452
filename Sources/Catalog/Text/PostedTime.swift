import Base
import FoundationEssentials

/// Converts the posting times of services to seconds since 1970 in UTC.
package enum PostedTime {
    /// Parses `2026-11-21`, `2026-11-21 10:20:30` or ISO 8601. Nil for other texts and for unknown times.
    ///
    /// GIPHY writes `0000-00-00 00:00:00` or the first moment of 1970 for an unknown time. A time without a zone is
    /// interpreted as UTC.
    package static func seconds(_ text: String?) -> Int? {
        guard let text, text.utf8.count <= 40, let whole = completed(text) else { return nil }
        guard let date = try? Date.ISO8601FormatStyle().parse(whole) else { return nil }
        return seconds(date.timeIntervalSince1970)
    }

    /// Nil if it is not a plausible posting time.
    package static func seconds(_ number: Double) -> Int? {
        // A time on the first day of 1970 means an unknown time. A time after the year 9999 is invalid.
        Int(outside: number, in: 86_400...253_402_300_799)
    }

    /// Adds the `T`, the time and the zone that ISO 8601 requires, if they are missing. Removes fractions of a second.
    private static func completed(_ text: String) -> String? {
        let day = text.prefix(10)
        let rest = text.dropFirst(10)
        guard let separator = rest.first else { return day + "T00:00:00Z" }
        guard separator == "T" || separator == " " else { return nil }
        let clock = rest.dropFirst().prefix(8)
        var zone = rest.dropFirst(9)
        if zone.first == "." { zone = zone.dropFirst().drop { $0.isNumber } }
        return "\(day)T\(clock)\(zone.isEmpty ? "Z" : zone)"
    }
}
