/// Parses the value of the Retry-After header, which is a number of seconds or a date.
package enum RetryAfter {
    package static func milliseconds(_ value: String?, unixSeconds now: Int) -> Int? {
        guard let seconds = seconds(value, unixSeconds: now) else { return nil }
        return seconds.multipliedReportingOverflow(by: 1000).overflow ? .max : seconds * 1000
    }

    /// Returns the wait in seconds; nil if the value is missing, zero, in the past or invalid.
    package static func seconds(_ value: String?, unixSeconds now: Int) -> Int? {
        guard let value = value.map(trimmed), !value.isEmpty else { return nil }
        let seconds: Int
        if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that overflows Int means an unlimited wait.
            seconds = Int(value) ?? .max
        } else if let date = HTTPDate.unixSeconds(value) {
            seconds = date - now
        } else {
            return nil
        }
        return seconds > 0 ? seconds : nil
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}

/// Parses the three date formats of RFC 9110, section 5.6.7. Two of them are obsolete, but the RFC requires recipients
/// to accept them.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns seconds since 1970; nil for any other format and for a year outside 1970...9999.
    package static func unixSeconds(_ text: String) -> Int? {
        let words = text.split(separator: " ")
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT
        case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
            return unixSeconds(year: words[3], month: words[2], day: words[1], clock: words[4])
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, let year = number(date[2], in: 0...99) else { return nil }
            let whole = "\(year < 70 ? 2000 + year : 1900 + year)"
            return unixSeconds(year: whole[...], month: date[1], day: date[0], clock: words[2])
        // Sun Nov  6 08:49:37 1994
        case 5: return unixSeconds(year: words[4], month: words[1], day: words[2], clock: words[3])
        default: return nil
        }
    }

    private static func unixSeconds(year: Substring, month: Substring, day: Substring, clock: Substring) -> Int? {
        guard let day = number(day, in: 1...31), let month = months.firstIndex(of: String(month)),
            let year = number(year, in: 1970...9999)
        else { return nil }
        let clock = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], in: 0...23), let minute = number(clock[1], in: 0...59),
            let second = number(clock[2], in: 0...60)
        else { return nil }
        return days(year: year, month: month + 1, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text), range.contains(value)
        else { return nil }
        return value
    }

    /// Days since 1970-01-01. Here, each year starts in March, so that the leap day is the last day of a year.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
