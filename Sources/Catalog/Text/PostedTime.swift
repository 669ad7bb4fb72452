import FoundationEssentials

/// Reads when something was posted, as services write it, as seconds since 1970 in UTC.
package enum PostedTime {
    /// `2026-11-21`, `2026-11-21 10:20:30` or ISO 8601; nil for what is no date and for the zeros of services.
    ///
    /// GIPHY writes `0000-00-00 00:00:00` or the first moment of 1970 where it knows nothing. What
    /// names no zone is taken for UTC.
    package static func seconds(_ text: String?) -> Int? {
        guard let text, text.utf8.count <= 40, let whole = completed(text) else { return nil }
        guard let date = try? Date.ISO8601FormatStyle().parse(whole) else { return nil }
        return seconds(date.timeIntervalSince1970)
    }

    /// A number of seconds, if it may be a date of the web.
    package static func seconds(_ number: Double) -> Int? {
        // The first day stands for nothing; what lies behind the year 9999 is no date.
        Int(exactly: number.rounded(.down)).flatMap { (86_400..<253_402_300_800).contains($0) ? $0 : nil }
    }

    /// With the letter, the time and the zone that ISO 8601 asks for, without fractions of a second.
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
