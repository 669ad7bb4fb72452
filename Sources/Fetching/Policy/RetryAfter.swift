/// The Retry-After header: seconds, or a date.
enum RetryAfter {
    /// The wait in milliseconds; nil for none, for zero, for the past and for what cannot be read.
    static func milliseconds(_ value: String?, unixSeconds now: Int) -> Int? {
        guard let value = value.map(trimmed), !value.isEmpty else { return nil }
        let seconds: Int
        if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than an Int holds is a wait that nobody sits out.
            seconds = Int(value) ?? .max
        } else if let date = HTTPDate.unixSeconds(value) {
            seconds = date - now
        } else {
            return nil
        }
        guard seconds > 0 else { return nil }
        return seconds.multipliedReportingOverflow(by: 1000).overflow ? .max : seconds * 1000
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}

/// The date form that RFC 9110 tells servers to send: "Sun, 06 Nov 1994 08:49:37 GMT".
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970; nil for any other form.
    static func unixSeconds(_ text: String) -> Int? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
            let day = number(words[1], in: 1...31), let month = months.firstIndex(of: String(words[2])),
            let year = number(words[3], in: 1970...9999)
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
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

    /// Days since 1970-01-01 in the Gregorian calendar. The year is taken to begin in March, which
    /// puts the leap day at its end.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
