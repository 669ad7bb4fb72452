import Catalog

/// Texts for ages and sizes.
extension GalleryStrings {
    private static let day = 86_400

    /// Returns the text for an age in seconds. The text for a negative age, which occurs if the clock is behind, is
    /// "just now".
    func age(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: justNow
        case ..<3600: minutesAgo(seconds / 60)
        case ..<Self.day: hoursAgo(seconds / 3600)
        default: ageInDays(seconds / Self.day)
        }
    }

    private func ageInDays(_ days: Int) -> String {
        switch days {
        case ..<14: daysAgo(days)
        case ..<61: weeksAgo(days / 7)
        case ..<365: monthsAgo(days / 30)
        default: yearsAgo(days / 365)
        }
    }

    /// Returns the text for the time since a GIF was published. `seconds` is the current time in seconds since 1970.
    func age(of date: PublicationDate, at seconds: Int) -> String {
        switch date {
        case .second(let moment): return age(max(0, seconds.saturatingMinus(moment)))
        case .day(let day):
            let days = seconds / Self.day - day
            return days <= 0 ? today : days == 1 ? yesterday : ageInDays(days)
        }
    }

    /// Returns the text for a file size in bytes.
    func bytes(_ count: Int) -> String { ByteSize.file(count, decimalMark: decimalMark) }
}

extension Int {
    fileprivate func saturatingMinus(_ other: Int) -> Int {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }
}
