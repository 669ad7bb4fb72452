import Base

enum RetryAfter {
    /// The wait that the header Retry-After requests, in seconds, at most one day. The header contains a number of
    /// seconds or a date. Nil if it is missing or invalid, or if it is 0, which GIPHY sometimes sends.
    ///
    /// A date is compared with the response's Date header, so that a wrong clock on either side has no effect. Without
    /// a Date header, it is compared with `now`, the local clock.
    static func seconds(_ headers: [String: String], unixSeconds now: Int) -> Int? {
        let value = headers["retry-after"]?.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
        guard let value, !value.isEmpty else { return nil }
        let seconds: Int
        if let number = Int(outside: value, clampedTo: Int.outsideRange) {
            seconds = number
        } else if let date = HTTPDate.unixSeconds(value) {
            seconds = date - (headers["date"].flatMap(HTTPDate.unixSeconds) ?? now)
        } else {
            return nil
        }
        return seconds > 0 ? min(seconds, 86_400) : nil
    }
}

/// Parses the three date formats of RFC 9110, section 5.6.7, two of which are obsolete but must be accepted.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns seconds since 1970; nil for any other format and for a year outside 1970...9999.
    static func unixSeconds(_ text: String) -> Int? {
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
        text.hasPrefix("-") ? nil : Int(outside: text, in: range)
    }

    /// Days since 1970-01-01. Here, each year starts in March, so that the leap day is the last day of a year.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
